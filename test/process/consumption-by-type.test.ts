/**
 * Flows of version 0.2.0 without a table of meters, with meters that are consumers by the type of their input alone: they send what they
 * sent with the last commit before the table (`0a8bd607^`), byte for byte, apart from the time a request took. `CEMM_RECORD=1` with that
 * commit records the messages.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import should from 'should';
import { NodeRed, tab } from '../support/node-red/node-red';
import {
  collectSent,
  comparableMessage,
  nodesOfFlow,
  recordedAt,
  recordedConnection,
  type RecordedFlow,
  recordedKey,
  type Sent,
  stillClock,
  withoutRepeats,
  writeRecorded,
} from '../support/node-red/recorded-flow';
import { type JsonAnswer, JsonServer } from '../support/houses/json-server';
import { findUnitStart } from '../support/bills/calendar';

const minuteMs = 60_000;
const minutesOfDay = 1440;

/** A moment and a value; a pair of zeros is no value. */
type Sample = readonly [time: number, value: number | null];

type Channels = Readonly<Record<string, Sample>>;

const noValue: Sample = [0, 0];

interface Input {
  readonly alias: string;
  readonly port: number;
  readonly type: string;
  readonly portOption: string;
  /** The input has an alias in the remote Open API. */
  readonly isRemote: boolean;
  /** W in a minute of the day in UTC. Days are alike. */
  readonly watts: (minute: number) => number;
}

const heatPump = (minute: number): number => (minute % 60 < 30 ? 900 : 60);
const car = (minute: number): number => (minute >= 540 && minute < 660 ? 3600 : 0);
const roof = (minute: number): number => (minute >= 360 && minute < 1080 ? 2400 : 0);
const grid = (minute: number): number => 300 + heatPump(minute) + car(minute) - roof(minute);

const inputs: readonly Input[] = [
  { alias: 'p1', port: 3, type: 'p1', portOption: 'p1_in', isRemote: true, watts: grid },
  { alias: 's01', port: 2, type: 'solar_energy', portOption: 's0_in', isRemote: true, watts: roof },
  { alias: 's02', port: 4, type: 'energy_usage', portOption: 's0_in', isRemote: true, watts: heatPump },
  { alias: 'mb2', port: 5, type: 'consumption', portOption: 'enabled', isRemote: false, watts: car },
];

/** All counters are 0 at it. */
const since = Date.UTC(2026, 0, 1);

/** The tariff is low from 21:00 to 5:00 UTC. */
const isLow = (minute: number): boolean => minute < 300 || minute >= 1260;

/** kWh of a flow from the beginning to a moment. */
function sumFlow(flow: (minute: number) => number, moment: number): number {
  const minutes = Math.max(0, Math.floor((moment - since) / minuteMs));
  const sumUntil = (until: number): number =>
    Array.from({ length: until }, (_, minute) => flow(minute)).reduce((all, watts) => all + watts, 0);
  const days = Math.floor(minutes / minutesOfDay);
  return Math.round((days * sumUntil(minutesOfDay) + sumUntil(minutes % minutesOfDay)) / 60) / 1000;
}

/** kWh into the house in the low and the high tariff, and out of it. */
function readRegisters({ watts }: Input, moment: number): readonly [t1: number, t2: number, t3: number, t4: number] {
  const low = (sign: 1 | -1) => (minute: number) => (isLow(minute) ? Math.max(0, sign * watts(minute)) : 0);
  const high = (sign: 1 | -1) => (minute: number) => (isLow(minute) ? 0 : Math.max(0, sign * watts(minute)));
  return [sumFlow(low(1), moment), sumFlow(high(1), moment), sumFlow(low(-1), moment), sumFlow(high(-1), moment)];
}

const round = (kWh: number): number => Math.round(kWh * 1000) / 1000;

function readNet(input: Input, moment: number): readonly [low: number, high: number] {
  const [t1, t2, t3, t4] = readRegisters(input, moment);
  return [round(t1 - t3), round(t2 - t4)];
}

function showNet(input: Input, time: number): Channels {
  const [low, high] = readNet(input, time);
  return { electric_energy: [time, low], electric_energy_high: [time, high] };
}

function showRegisters(input: Input, time: number): Channels {
  const [t1, t2, t3, t4] = readRegisters(input, time);
  return { t1: [time, t1], t2: [time, t2], t3: [time, t3], t4: [time, t4] };
}

const minuteOfDay = (moment: number): number => Math.floor(moment / minuteMs) % minutesOfDay;

type Unit = 'day' | 'month' | 'year';

const partsOf = { month: 'day', year: 'month' } as const;

const notFound: JsonAnswer = { status: 404, body: { error: 'not found' } };

/**
 * A monitor whose two Open APIs are written from the vendor's descriptions alone (http://developer.cemm.nl/local-open-api/,
 * http://developer.cemm.nl/api-en/), with the undocumented `totals` of real monitors. It shares no code with the package, so it answers
 * every version alike. Two of its inputs are consumers by their type alone: a heat pump at the S0 input s02 and a car at mb2.
 */
class SpecifiedOpenApi {
  readonly monitors = [{ mac: '02:68:A3:3F:00:01' }] as const;
  local = '';
  remote = '';
  private readonly server = new JsonServer((url) => this.answer(url));

  /** @param now the time of the monitor, which stands still */
  constructor(private readonly now: number) {}

  async openServer(): Promise<void> {
    this.local = `http://${await this.server.openServer()}`;
    this.remote = `${this.local}/v1/`;
  }

  close(): Promise<void> {
    return this.server.stop();
  }

  private answer(url: string): JsonAnswer {
    const { pathname, searchParams } = new URL(url, 'http://monitor');
    const [interfaceName, version, ...path] = pathname.split('/').filter((part) => part !== '');
    const seconds = Number(searchParams.get('time') ?? Math.floor(this.now / 1000));
    if (interfaceName === 'open-api') return this.answerLocally(path, seconds);
    return interfaceName === 'v1' && version === 'cemm' ? this.answerRemotely(path, seconds) : notFound;
  }

  private answerLocally([alias, what, unit]: readonly string[], seconds: number): JsonAnswer {
    const [{ mac }] = this.monitors;
    if (alias === undefined) {
      const type = '51AE0268A33F00010007';
      return { status: 200, body: { data: { mac, name: 'CEMM Basic', type, version: '2.26.0.0', core: '1.25' } } };
    }
    if (alias === 'io') {
      const data = inputs.map(({ port, type, ...input }, index) => ({
        io_id: index + 1,
        port,
        type,
        alias: input.alias,
      }));
      return { status: 200, body: { data } };
    }
    const input = inputs.find((one) => one.alias === alias);
    if (input === undefined) return notFound;
    if (what === 'realtime') return { status: 200, body: this.showLocalRealtime(input) };
    if (what !== 'data' || !isUnit(unit)) return notFound;
    const data =
      unit === 'day' ? this.showMinutes(input, seconds) : this.showParts(input, unit, seconds, 'electric_energy');
    return { status: 200, body: { io_id: String(inputs.indexOf(input) + 1), time: seconds, data } };
  }

  private showLocalRealtime(input: Input): object {
    const at = this.now - 5000;
    const power: Sample = [at, input.watts(minuteOfDay(at))];
    const totals = { ...showNet(input, this.now), ...showRegisters(input, this.now) };
    if (input.alias === 'p1') return { data: { ...this.showMeter(input, at), electric_power: power }, totals };
    if (!input.alias.startsWith('mb')) return { data: { electric_power: power }, totals };
    const [t1, t2] = readRegisters(input, at);
    return { data: { t1: [at, round(t1 + t2)], t2: noValue, electric_power: power }, totals };
  }

  private showMeter(input: Input, at: number): Channels {
    return { ...showRegisters(input, at), rate: [at, isLow(minuteOfDay(at)) ? 1 : 2] };
  }

  private answerRemotely([uid, alias, what, unit]: readonly string[], seconds: number): JsonAnswer {
    const [{ mac }] = this.monitors;
    const own = mac.replaceAll(':', '-');
    if (uid === undefined) return { status: 200, body: { data: [{ uid: own }] } };
    if (uid !== own) return { status: 403, body: { error: 'access denied' } };
    if (alias === 'io') return { status: 200, body: { data: inputs.map(recordRemotely) } };
    const input = inputs.find((one) => one.alias === alias && one.isRemote);
    if (input === undefined) return { status: 412, body: { error: 'the alias is not supported' } };
    const ioId = inputs.indexOf(input) + 1;
    if (what === undefined) return { status: 200, body: { data: [recordRemotely(input, ioId - 1)] } };
    if (what === 'realtime') {
      const at = this.now - 5000;
      const power = { electric_power: [at, input.watts(minuteOfDay(at))] };
      const data = input.alias === 'p1' ? { ...this.showMeter(input, at), ...power, switch: noValue } : power;
      return { status: 200, body: { io_id: ioId, data } };
    }
    if (what === 'totals') return { status: 200, body: { io_id: ioId, ...this.showTotals(input, seconds) } };
    if (what !== 'data' || !isUnit(unit)) return notFound;
    const data =
      unit === 'day'
        ? this.showMinutes(input, seconds, 0)
        : this.showParts(input, unit, seconds, 'electric_energy_low');
    return { status: 200, body: { io_id: ioId, time: findUnitStart(unit, seconds * 1000), data } };
  }

  /** The last readings of a day. */
  private showTotals(input: Input, seconds: number): object {
    const start = findUnitStart('day', seconds * 1000);
    const at = Math.min(this.now - 5000, findUnitStart('day', start, 1) - 1);
    const registers = input.alias === 'p1' ? showRegisters(input, at) : {};
    return { time: start, data: { ...registers, ...showNet(input, at) } };
  }

  /** Newest first. Minutes that are not over are absent, or have the value `later`; the last one of the day is null if absent. */
  private showMinutes({ watts }: Input, seconds: number, later?: number): Readonly<Record<string, readonly Sample[]>> {
    const [start, end] = findSpan('day', seconds);
    const samples = Array.from({ length: (end - start) / minuteMs }, (_, index) => start + index * minuteMs).flatMap(
      (time): Sample[] => {
        if (time + minuteMs <= this.now) return [[time, watts(minuteOfDay(time))]];
        if (later !== undefined) return [[time, later]];
        return time + minuteMs === end ? [[time, null]] : [];
      },
    );
    return { electric_power: samples.reverse() };
  }

  /** The net energy of days or months, newest first; 0 for those to come. */
  private showParts(
    input: Input,
    unit: 'month' | 'year',
    seconds: number,
    low: string,
  ): Readonly<Record<string, readonly Sample[]>> {
    const [start, end] = findSpan(unit, seconds);
    const starts: number[] = [];
    for (let time = start; time < end; time = findUnitStart(partsOf[unit], time, 1)) starts.push(time);
    const show = (tariff: 0 | 1): Sample[] =>
      starts.map((time): Sample => {
        const last = Math.min(this.now, findUnitStart(partsOf[unit], time, 1));
        if (last <= time) return [time, 0];
        return [time, round(readNet(input, last)[tariff] - readNet(input, time)[tariff])];
      });
    return { [low]: show(0).reverse(), electric_energy_high: show(1).reverse() };
  }
}

function isUnit(text: string | undefined): text is Unit {
  return text === 'day' || text === 'month' || text === 'year';
}

function findSpan(unit: Unit, seconds: number): readonly [start: number, end: number] {
  const start = findUnitStart(unit, seconds * 1000);
  return [start, findUnitStart(unit, start, 1)];
}

function recordRemotely({ port, type, portOption }: Input, index: number): object {
  return { io_id: index + 1, port, type, port_option: portOption, full_id: 0 };
}

const [flowsFile, messagesFile] = ['consumption-flows.json', 'consumption-messages.json'].map((name) =>
  join(__dirname, '../recorded', name),
) as [string, string];
const flows = JSON.parse(readFileSync(flowsFile, 'utf8')) as RecordedFlow[];
const begun = Date.now();

/** The second question for a day. Since that commit, `source.kept` and `source.keptAt` say that the answer comes from the store. */
const repeatedFlow = 'balance of 14 July once more, local';
const keptMark = `,"kept":true,"keptAt":${recordedAt}`;

/** @throws {AssertionError} they do not have it */
function removeKeptMark(messages: readonly Sent[]): Sent[] {
  const text = JSON.stringify(messages);
  text.should.containEql(keptMark);
  return JSON.parse(text.replace(keptMark, '')) as Sent[];
}

describe('flows of version 0.2.0 with consumers by the type of their input', function () {
  this.timeout(240_000);
  const monitor = new SpecifiedOpenApi(recordedAt);
  let nodeRed: NodeRed;
  const sent: Record<string, Sent[]> = {};

  before(async () => {
    await monitor.openServer();
    const connections = (['remote', 'local'] as const).map((mode) => recordedConnection(mode, monitor));
    nodeRed = await NodeRed.start({ settings: "lang: 'en-US',", env: stillClock });
    await nodeRed.deploy([tab(), ...connections, ...flows.flatMap(nodesOfFlow)], 'full', {
      'recorded-remote': { apiKey: recordedKey },
    });
  });

  after(async () => {
    if (process.env['CEMM_RECORD'] === '1') writeRecorded(messagesFile, sent);
    await nodeRed.stop();
    await monitor.close();
  });

  for (const flow of flows) {
    it(`send the same: ${flow.name}`, async () => {
      await nodeRed.inject(`${flow.name}-in`);
      const messages = await collectSent(nodeRed, flow, (message) => comparableMessage(message, monitor, begun));
      sent[flow.name] = messages;
      if (process.env['CEMM_RECORD'] === '1') return;
      const recorded = JSON.parse(readFileSync(messagesFile, 'utf8')) as Readonly<Record<string, Sent[]>>;
      const comparable = flow.name === repeatedFlow ? removeKeptMark(messages) : messages;
      const expected = JSON.stringify(recorded[flow.name], null, 1);
      should(withoutRepeats(JSON.stringify(comparable, null, 1), expected)).equal(expected);
    });
  }
});

/** `source: messages`: the balance out of what comes in, for those who have webhooks or a broker and nothing to ask. */
import { CemmError } from '../../src/errors';
import { type MeterChoice, roleInBalance } from '../../src/balance/choice';
import { metersOfState } from '../../src/balance/messages-balance';
import { deliveredReading, Moment, type PowerMeter } from '../../src/balance/moment';
import { balanceOfPeriod } from '../../src/balance/period-balance';
import { type Period, periodContaining, type PeriodUnit } from '../../src/calendar/periods';
import { RunningQuarters } from '../../src/connection/balance-watch';
import { readPayload } from '../../src/formats/read-payload';
import { readNumber } from '../../src/limits';
import { meterName, originOf, roleOf } from '../../src/model/identity';
import type { BalancePayload, Payload, RealtimePayload, Role } from '../../src/model/payload';
import { toMonitorId } from '../../src/protocol/mac';
import { inCalendar, pastDate, typeOf, wallClock } from '../lib/choice';
import { findConnection } from '../lib/connection-node';
import { forgetsContext, isRecord } from '../lib/context-store';
import { messageFor } from '../lib/message';
import { asCemmError } from '../lib/node-error';
import { pollIntervalMs, startPolls } from '../lib/polling';
import type { Job } from '../lib/runner';
import { clockTime, stateStatus } from '../lib/status';
import { type Evaluation, resolveText } from '../lib/typed-input';
import { chooseBalancePeriod, chooseMeters, choosePrices, stepOf } from './choose';
import { balancePeriods, type BalancePeriod } from './config';
import { type EnergyPayload, type House, Houses } from './houses';
import { type BalanceNode, type PeriodSource, sendPeriod, sendSpan } from './spans';
import { balanceStatus } from './status';

/** Where the node has no connection. */
const usualTimezone = 'Europe/Amsterdam';
/** A monitor delivers every minute at most. */
const usualMomentMs = 60_000;

/** What a message asks for, instead of what the node is set to. */
interface Question {
  readonly period: BalancePeriod;
  /** Undefined: the current one. */
  readonly date: unknown;
  /** Monitor or installation; null: as the node is set. */
  readonly house: string | null;
}

/** The latest readings of one house. */
interface Present {
  readonly moment: Moment;
  readonly newest: Map<string, number>;
}

export class MessagesBalance {
  private readonly houses: Houses;
  private readonly quarters = new RunningQuarters();
  private readonly present = new Map<string, Present>();

  constructor(private readonly parts: BalanceNode) {
    this.houses = new Houses(parts.node);
  }

  /** With an interval, what was added up is sent at that interval; a balance of this moment as soon as its readings are there. */
  start(): void {
    const { config, runner } = this.parts;
    this.showKept('');
    try {
      const intervalMs = pollIntervalMs(config.interval, 'local');
      const isNow = config.periodType === 'str' && config.period === 'now';
      if (intervalMs !== null && !isNow) runner.onClose(startPolls(runner, intervalMs));
    } catch (thrown) {
      runner.report(asCemmError(thrown));
    }
  }

  async work(job: Job): Promise<void> {
    const { RED, node } = this.parts;
    const evaluation: Evaluation = { RED, node, msg: job.msg };
    const timezone = await this.timezone();
    const payload: unknown = job.msg?.payload;
    const question = questionIn(payload);
    if (question !== null) {
      await this.answer(job, question, timezone, evaluation);
    } else if (job.msg !== null && isRecord(payload)) {
      const ours = readPayload(payload);
      if (isEnergy(ours)) await this.add(job, ours, timezone, evaluation);
    } else {
      await this.sendAll(job, timezone, evaluation);
    }
  }

  private async timezone(): Promise<string> {
    const { RED, config } = this.parts;
    if (config.connection === '') return usualTimezone;
    return (await findConnection(RED, config.connection).connect()).timezone;
  }

  private async add(job: Job, payload: EnergyPayload, timezone: string, evaluation: Evaluation): Promise<void> {
    const { config, runner } = this.parts;
    const wanted = await resolveText('monitor', config.monitor, typeOf(config.monitorType), evaluation);
    if (wanted !== null && originOf(payload) !== (toMonitorId(wanted) ?? wanted)) return;
    const choice = chooseMeters(config, evaluation);
    const context = {
      timezone,
      now: wallClock(),
      roleOf: (meter: string, role: Role | null) => roleInBalance(choice, meter, role ?? roleOf(meter, null)),
    };
    const house = await this.houses.add(payload, context);
    if (house !== null) this.showKept(clockTime(house.state.newest, timezone));
    if ((await chooseBalancePeriod(config, evaluation)) !== 'now') return;
    const { name, monitor, installation, state } = house ?? (await this.houses.houseOf(payload));
    const present = this.presentOf(name, (meters) => {
      const sent = this.quarters.balance(
        { monitor, ...(installation !== undefined && { installation }) },
        meters,
        { intervalMs: this.momentMs() },
        wallClock(),
      );
      job.send(messageFor(this.parts.RED, job.msg, sent));
      runner.status(balanceStatus(sent, timezone, runner.translate));
    });
    const powers = powersIn(payload, context.roleOf);
    for (const meter of [...powerMetersOf(state, choice), ...powers.map(([one]) => one)]) present.moment.add(meter);
    for (const [meter, reading] of powers) {
      if (reading.ts <= (present.newest.get(meter.name) ?? -Infinity)) continue;
      present.newest.set(meter.name, reading.ts);
      present.moment.read(meter.name, reading);
    }
  }

  private async answer(
    job: Job,
    { period: unit, date, house }: Question,
    timezone: string,
    evaluation: Evaluation,
  ): Promise<void> {
    const houses = await this.chosenHouses(house, evaluation);
    if (houses.length === 0) throw new CemmError('INPUT', { reason: 'nothing_added' });
    // Of this moment there is nothing but what was sent.
    if (unit === 'now') throw new CemmError('INPUT', { reason: 'period', params: periodWords });
    const now = wallClock();
    const field = 'msg.payload.date';
    const at = date === undefined || date === null ? now : pastDate(field, date, { timezone, now });
    const period = inCalendar(field, () => periodContaining(unit, timezone, at));
    for (const one of houses) {
      await sendPeriod(this.parts, job, await this.sourceOf(one, unit, timezone, evaluation), period);
    }
  }

  /** What the node is set to, of every house: for the interval, and for a message that is no reading. */
  private async sendAll(job: Job, timezone: string, evaluation: Evaluation): Promise<void> {
    const unit = await chooseBalancePeriod(this.parts.config, evaluation);
    const houses = await this.chosenHouses(null, evaluation);
    if (houses.length === 0 && job.msg !== null) throw new CemmError('INPUT', { reason: 'nothing_added' });
    if (unit === 'now') return;
    for (const house of houses) {
      await sendSpan(this.parts, job, await this.sourceOf(house, unit, timezone, evaluation));
    }
  }

  private async chosenHouses(name: string | null, evaluation: Evaluation): Promise<House[]> {
    const { monitor, monitorType } = this.parts.config;
    return this.houses.chosen(name ?? (await resolveText('monitor', monitor, typeOf(monitorType), evaluation)));
  }

  private async sourceOf(
    house: House,
    unit: PeriodUnit,
    timezone: string,
    evaluation: Evaluation,
  ): Promise<PeriodSource> {
    const { config } = this.parts;
    const prices = await choosePrices(config, timezone, evaluation);
    const choice = chooseMeters(config, evaluation);
    const step = stepOf(unit, config);
    return {
      unit,
      timezone,
      subject: () => Promise.resolve(`${house.name}/${step}`),
      read: (period) => Promise.resolve(balanceOf(house, choice, { period, step, prices, now: wallClock() })),
    };
  }

  private presentOf(house: string, take: ConstructorParameters<typeof Moment>[1]): Present {
    const known = this.present.get(house);
    // A moment is sent with the message that completes it.
    const moment = known?.moment.sendingTo(take) ?? new Moment([], take);
    const present = { moment, newest: known?.newest ?? new Map<string, number>() };
    this.present.set(house, present);
    return present;
  }

  private momentMs(): number {
    const seconds = readNumber(this.parts.config.interval) ?? 0;
    return seconds > 0 ? seconds * 1000 : usualMomentMs;
  }

  /** Says so where a restart will forget what is added up. */
  private showKept(time: string): void {
    const { RED, runner } = this.parts;
    if (forgetsContext(RED)) {
      const text = runner.translate('status.forgets', { time }) ?? time;
      runner.status({ fill: 'yellow', shape: 'ring', text: text.replace(/^ · /, '') });
    } else if (time !== '') {
      runner.status(stateStatus('period', runner.translate, { period: time }));
    }
  }
}

const periodWords = { field: 'msg.payload.balance', periods: balancePeriods.slice(1).join(', ') };

/** `{ "balance": "day", "date": … }`. @throws CemmError INPUT `period` */
function questionIn(payload: unknown): Question | null {
  if (!isRecord(payload) || !('balance' in payload) || 'schema' in payload) return null;
  const period = balancePeriods.find((known) => known === payload['balance']);
  if (period === undefined) throw new CemmError('INPUT', { reason: 'period', params: periodWords });
  const house = payload['monitor'] ?? payload['installation'];
  return { period, date: payload['date'], house: typeof house === 'string' ? house : null };
}

function isEnergy(payload: Payload): payload is EnergyPayload {
  return payload.kind === 'realtime' || payload.kind === 'totals' || payload.kind === 'webhook';
}

/** The meters whose present power the payload tells. */
function powersIn(
  payload: EnergyPayload,
  roleIn: (meter: string, role: Role | null) => string | null,
): [PowerMeter, RealtimePayload][] {
  const meterOf = (name: string, own: Role | null): PowerMeter | null => {
    const role = roleIn(name, own);
    return role === 'grid' || role === 'production' ? { name, role } : null;
  };
  if (payload.kind === 'realtime') {
    const meter = meterOf(meterName(payload.meter), payload.meter.role);
    return meter === null ? [] : [[meter, payload]];
  }
  if (payload.kind !== 'webhook') return [];
  return [...new Set(payload.readings.map(({ meter }) => meter))].flatMap((name): [PowerMeter, RealtimePayload][] => {
    const meter = meterOf(name, null);
    const reading = meter === null ? null : deliveredReading(payload, meter);
    return meter === null || reading === null ? [] : [[meter, reading]];
  });
}

/** Those that the house is known to have; a moment waits for each of them. */
function powerMetersOf({ meters }: House['state'], choice: MeterChoice): PowerMeter[] {
  return Object.entries(meters).flatMap(([name, { role }]): PowerMeter[] =>
    (role === 'grid' || role === 'production') && roleInBalance(choice, name, role) === role ? [{ name, role }] : [],
  );
}

interface Wanted {
  readonly period: Period;
  readonly step: Parameters<typeof balanceOfPeriod>[0]['step'];
  readonly prices: Parameters<typeof balanceOfPeriod>[0]['prices'];
  readonly now: number;
}

function balanceOf({ monitor, installation, state }: House, choice: MeterChoice, wanted: Wanted): BalancePayload {
  const { period, now } = wanted;
  const until = Math.min(period.end, now);
  // What was added up before the choice was another one does not count.
  const meters = metersOfState(state, period.start, until, period.timezone).filter(
    ({ name, role }) => roleInBalance(choice, name, role) === role,
  );
  const source = {
    transport: 'webhook' as const,
    fetchedAt: state.newest,
    latencyMs: 0,
    requests: 0,
    promises: 0,
  };
  const oldQuarters = Object.values(state.peaks ?? {});
  return balanceOfPeriod({ ...wanted, monitor, installation, meters, slots: 'delivered', oldQuarters, source });
}

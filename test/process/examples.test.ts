/**
 * Every example of the import menu in the packed package, in a real Node-RED: imported, deployed, and checked at its last
 * nodes, without an error in the log.
 */
import should from 'should';
import { randomBytes } from 'node:crypto';
import { createSimulatedClock, type SimulatedClock } from '../../src/simulator/simulated-clock';
import { startSimulator } from '../../src/simulator/start-simulator';
import type { ChartPoint } from '../../src/formats/chart';
import type { ProblemPayload } from '../../src/model/payload';
import { millis } from '../../src/protocol/time';
import { NodeRed, type CollectedMessage, type FlowNode } from '../support/node-red/node-red';
import { delivery, post } from '../support/webhook/sending';
import { until } from '../support/until';
import { changed, codeOf, energyParts, lastNodes, tapped, withPage, withParts } from '../support/node-red/tapped-flow';
import { startStore } from '../support/servers/line-protocol-store';

const names = [
  'alarms',
  'daily-mail',
  'energy-page',
  'find-monitors',
  'home-assistant-history',
  'home-assistant-mqtt',
  'homewizard-p1',
  'house-balance',
  'house-page',
  'month-and-year-report',
  'prometheus',
  'solar-surplus',
  'webhook-receiver',
  'what-2027-costs',
] as const;

/** In subfolders, because the list would be longer than the dialog. */
const influxNames = ['backfill-influxdb', 'gap-repair'] as const;
const fleetNames = ['fleet-receiver', 'fleet-scheduler', 'fleet-worker', 'fleet-writer'];

type Name = (typeof names)[number] | `influxdb/${(typeof influxNames)[number]}`;

/** A sunny day in the middle of a month and of a year. */
const noon = '2026-06-18T13:00:00+02:00';

/** Data of the page of what-2027-costs. */
interface Year {
  readonly period: string;
  readonly kept: number;
  readonly all: number;
  readonly told: readonly string[];
  readonly cards: readonly { readonly name: string; readonly value: string; readonly more: readonly string[] }[];
}

/** Data of the page of month-and-year-report. */
interface Report {
  readonly parts: readonly {
    readonly headings: readonly string[];
    readonly rows: readonly { readonly amounts: readonly (readonly (number | null)[])[] }[];
  }[];
  readonly readings: readonly { readonly name: string; readonly text: string }[];
  readonly told: readonly string[];
}

describe('the examples @node-red-5', function () {
  this.timeout(120_000);
  let nodeRed: NodeRed;

  /** The clock of the Node-RED under test, except for the seconds of its start. */
  let clock: SimulatedClock;

  before(async () => {
    clock = createSimulatedClock({ start: millis(Date.parse(noon)) });
    nodeRed = await NodeRed.start({
      modules: ['@flowfuse/node-red-dashboard'],
      env: { CEMM_TEST_CLOCK: noon },
    });
  });

  after(async () => {
    await nodeRed.stop();
  });

  async function example(name: Name): Promise<FlowNode[]> {
    const response = await nodeRed.admin(`/library/examples/flows/node-red-contrib-cemm/${name}`);
    response.status.should.equal(200);
    return (await response.json()) as FlowNode[];
  }

  /** Deploys it and returns functions that read the log and the collector from here on. */
  async function run(flow: readonly FlowNode[], credentials: Record<string, Record<string, string>> = {}) {
    const [before, logged] = [(await nodeRed.messages('seen')).length, nodeRed.log.length];
    await nodeRed.deploy(tapped(flow), 'full', credentials);
    const since = (messages: CollectedMessage[]) => messages.slice(before);
    return {
      got: async (...ids: string[]): Promise<CollectedMessage[]> =>
        since(
          await nodeRed.waitFor('seen', (messages) =>
            ids.every((id) => since(messages).some(({ last }) => last === id)),
          ),
        ),
      complaints: async (): Promise<unknown[]> => [
        ...nodeRed.log
          .slice(logged)
          .split('\n')
          .filter((line) => /\[(?:error|warn|fatal)\]/.test(line)),
        ...since(await nodeRed.messages('seen')).filter(({ error }) => error !== undefined),
      ],
    };
  }

  async function press(id: string): Promise<void> {
    (await nodeRed.admin(`/inject/${id}`, { method: 'POST' })).status.should.equal(200);
  }

  function payloadOf(messages: readonly CollectedMessage[], id: string): unknown {
    return messages.find(({ last }) => last === id)?.payload;
  }

  it('are all in the import menu', async () => {
    const root = '/library/examples/flows/node-red-contrib-cemm';
    const listed = async (folder: string) =>
      ((await (await nodeRed.admin(`${root}${folder}`)).json()) as (string | { fn: string })[]).map((entry) =>
        typeof entry === 'string' ? `folder ${entry}` : entry.fn.replace(/\.json$/, ''),
      );
    should(await listed('')).eql(['folder fleet', 'folder influxdb', ...names]);
    should(await listed('/influxdb')).eql([...influxNames]);
    should(await listed('/fleet')).eql(fleetNames);
  });

  it('energy-page sends something to each of its four parts', async () => {
    const flow = await example('energy-page');
    const { got, complaints } = await run(withParts(flow));
    const messages = await got(...energyParts);
    should(payloadOf(messages, 'cemm-energy-show-meters')).have.property('title', 'Meter readings');
    (await complaints()).should.be.empty();
  });

  it('house-balance shows four numbers, and bars of today and of this month', async () => {
    const flow = await example('house-balance');
    const { got, complaints } = await run(flow);
    const first = await got(...lastNodes(flow).map(({ id }) => id));
    // A cloud between the readings of two meters may leave the house without a number for a moment.
    const numbers = { house: /^\d+ W$/, sun: /^\d+ W$/, share: /^\d+ %$/, cost: /^EUR -?\d+\.\d\d$/ };
    const isShown = (messages: readonly CollectedMessage[], id: string, number: RegExp): boolean =>
      messages.some(({ last, payload }) => last === `cemm-house-${id}` && number.test(String(payload)));
    await nodeRed.waitFor(
      'seen',
      (messages) => Object.entries(numbers).every(([id, number]) => isShown(messages, id, number)),
      60_000,
    );
    const slots = (id: string): number =>
      new Set((payloadOf(first, id) as ChartPoint[]).map(({ label }) => label)).size;
    // At the border of the thirteenth hour, on the eighteenth day.
    slots('cemm-house-day-chart').should.be.within(13, 14);
    slots('cemm-house-month-chart').should.equal(18);
    const month = payloadOf(first, 'cemm-house-month-chart') as ChartPoint[];
    const today = month.filter(({ label, value }) => label === month.at(-1)?.label && value !== null);
    today.should.have.length(3, 'import, own production and export of the running day');
    (await complaints()).should.be.empty();
  });

  it('house-balance shows a number in grey when nothing newer comes, and a dash for one that is not known', async () => {
    const flow = await example('house-balance');
    const ask: FlowNode = { id: 'ask', type: 'inject', z: 'cemm-house', props: [], wires: [['cemm-house-now']] };
    const once = changed(changed(flow, 'cemm-house-now', { interval: 0 }), 'cemm-house-now-old', { duration: '1' });
    const { got } = await run([...once, ask]);
    let presses = 0;
    // A cloud between the readings of two meters may leave the house without a number for a moment. Each moment is shown twice.
    const shown = await until('a number of the house', async () => {
      presses += 1;
      await press('ask');
      const all = await until('the grey text', async () => {
        const houses = (await got('cemm-house-house')).filter(({ last }) => last === 'cemm-house-house');
        return houses.length >= presses * 2 && houses;
      });
      return /^\d+ W$/.test(String(all.at(-2)?.payload)) && all.slice(-2);
    });
    const colours = shown.map(({ payload, ui_update: update }) => [payload, update]);
    colours.should.deepEqual([
      [shown[0]?.payload, { label: 'House', color: '#0b4f4a' }],
      [shown[0]?.payload, { label: 'House', color: '#9aa5a5' }],
    ]);
    // A missing inverter.
    const { got: gotThen, complaints } = await run([...changed(once, 'cemm-house-now', { production: 's09' }), ask]);
    await press('ask');
    await gotThen('cemm-house-debug');
    // The last number of the previous flow may arrive after the redeploy.
    for (const id of ['cemm-house-house', 'cemm-house-sun']) {
      await until(`the dash of ${id}`, async () => {
        const message = (await gotThen(id)).findLast(({ last }) => last === id);
        return message?.payload === '–' && should(message).containDeep({ ui_update: { color: '#9aa5a5' } });
      });
    }
    (await complaints()).map(codeOf).should.eql(['ALIAS']);
  });

  it('energy-page and house-balance show nothing of the demo monitor any more when another one is chosen', async () => {
    const silent = { mode: 'local', host: '127.0.0.1:9' };
    const page = withParts(await example('energy-page'));
    await (await run(page)).got(...energyParts);
    await run(changed(page, 'cemm-demo-monitor', silent));
    const latest = (messages: readonly CollectedMessage[], id: string): unknown =>
      messages.findLast(({ last }) => last === id)?.payload;
    const isDashed = (text: unknown): boolean => String(text).startsWith('–');
    await nodeRed.waitFor('seen', (messages) => {
      const picture = latest(messages, 'cemm-energy-show-picture') as { parts: { text: string }[]; time: string };
      const isEmpty = energyParts.slice(1).every((part) => latest(messages, part) === null);
      return isEmpty && [picture.time, ...picture.parts.map(({ text }) => text)].every(isDashed);
    });

    const house = await example('house-balance');
    await (await run(house)).got('cemm-house-house', 'cemm-house-cost', 'cemm-house-day-chart');
    await run(changed(house, 'cemm-demo-monitor', silent));
    const charts = ['cemm-house-day-chart', 'cemm-house-month-chart'];
    const numbers = ['house', 'sun', 'share', 'cost'].map((name) => `cemm-house-${name}`);
    await nodeRed.waitFor(
      'seen',
      (messages) =>
        charts.every((chart) => (latest(messages, chart) as unknown[] | undefined)?.length === 0) &&
        numbers.every((name) => isDashed(latest(messages, name))),
      90_000,
    );
  });

  it('month-and-year-report puts this year beside the last one, and gives it as CSV to a Dutch and to an English spreadsheet', async () => {
    const flow = await example('month-and-year-report');
    const { got, complaints } = await run(withPage(flow, 'cemm-report', 'cemm-report-as-text', 'cemm-report-show'));
    await got('page');
    // This month, the same month of last year, and May.
    const hasThree = ({ last, payload }: CollectedMessage): boolean =>
      last === 'page' && (payload as Report).told[0] === '3 of 18 months are read';
    const messages = await nodeRed.waitFor('seen', (all) => all.some(hasThree));
    const { parts, readings } = messages.find(hasThree)?.payload as Report;
    parts
      .map(({ headings }) => headings)
      .should.eql([
        ['Jun 2026', 'Jun 2025'],
        ['2026', '2025'],
      ]);
    parts.map(({ rows }) => rows.length).should.eql([30, 12]);
    const [days, months] = parts.map(({ rows }) => rows);
    const [may] = months?.[4]?.amounts ?? [];
    for (const amount of [...(days?.[16]?.amounts.flat() ?? [null]), ...(may ?? [null])]) should(amount).be.a.Number();
    should(days?.[29]?.amounts[0]).eql([null, null, null, null]);
    should(months?.[11]?.amounts[0]).eql([null, null, null, null]);
    readings
      .map(({ name }) => name)
      .should.containDeep(['Import, tariff 1', 'Export, tariff 2', 'Production', 'Gas', 'Water']);
    should(readings[0]?.text).match(/^[\d,]+\.\d{3} kWh$/);
    const csv = async (query: string): Promise<string[]> => {
      const response = await fetch(`${nodeRed.url}/cemm-report.csv?${query}`);
      should(response.headers.get('content-type')).equal('text/csv; charset=utf-8');
      // response.text() would remove the byte order mark.
      return Buffer.from(await response.arrayBuffer())
        .toString()
        .split('\r\n');
    };
    const texts = (may ?? []).map((amount) => String(Math.round(Number(amount) * 1000) / 1000));
    const english = await csv('of=months&decimal=point');
    should(english[0]).equal('\ufeffdate,import_kwh,export_kwh,self_consumed_kwh,cost');
    english.should.containEql(['2026-05', ...texts].join(','));
    const dutch = await csv('of=months&decimal=comma');
    should(dutch[0]).equal('\ufeffdate;import_kwh;export_kwh;self_consumed_kwh;cost');
    dutch.should.containEql(['2026-05', ...texts.map((text) => text.replace('.', ','))].join(';'));
    const dates = (await csv('of=days&decimal=point')).map((line) => line.split(',')[0]);
    should(dates.at(-2)).equal('2026-06-18');
    dates.should.containEql('2025-06-01');
    (await complaints()).should.be.empty();
  });

  it('what-2027-costs keeps the days that it has read, and shows how much of the year they are', async () => {
    const flow = await example('what-2027-costs');
    // A week instead of everything; the page of a whole year is in test/browser.
    const week = { from: '2026-06-11', fromType: 'str', to: '2026-06-17', toType: 'str' };
    const short = changed(flow, 'cemm-2027-days', week);
    const { got, complaints } = await run(withPage(short, 'cemm-2027', 'cemm-2027-cards', 'cemm-2027-show'));
    await got('page');
    const isWeek = ({ last, payload }: CollectedMessage): boolean => last === 'page' && (payload as Year).kept === 7;
    const messages = await nodeRed.waitFor('seen', (all) => all.some(isWeek));
    const { period, all, told, cards } = messages.find(isWeek)?.payload as Year;
    should(all).equal(365);
    should(period).match(/^18 June 2025\s–\s17 June 2026$/);
    should(told).eql(['7 of 365 days are read']);
    cards.should.have.length(6);
    for (const { name, value, more } of cards) {
      value.should.match(/^(?:-?€\d[\d,]*\.\d\d|\d+%|\d+(?:\.\d+)? kW)$/, name);
      should(more.at(-1)).equal('1% of the year was measured');
    }
    (await complaints()).should.be.empty();
  });

  it('solar-surplus switches once the surplus has held, and says so to the load', async () => {
    const flow = await example('solar-surplus');
    const tab = flow.find(({ type }) => type === 'tab');
    // At noon in June the demo house has some surplus; the delay of two minutes is shortened.
    const env = [
      { name: 'ON_ABOVE_W', type: 'num', value: '-20000' },
      { name: 'OFF_BELOW_W', type: 'num', value: '-30000' },
      { name: 'HOLD_SECONDS', type: 'num', value: '1' },
    ];
    (tab?.['env'] as { name: string }[]).map(({ name }) => name).should.eql(env.map(({ name }) => name));
    const quick = changed(changed(flow, 'cemm-surplus', { env }), 'cemm-surplus-grid', { interval: 5 });
    const { got, complaints } = await run(quick);
    should(payloadOf(await got('cemm-surplus-load'), 'cemm-surplus-load')).equal(false);
    const switched = await nodeRed.waitFor('seen', (messages) =>
      messages.some(({ last, payload }) => last === 'cemm-surplus-load' && payload === true),
    );
    switched.filter(({ last }) => last === 'cemm-surplus-load').should.have.length(2);
    (await complaints()).should.be.empty();
  });

  it('daily-mail compares yesterday with last week, for the house as a whole', async () => {
    const flow = await example('daily-mail');
    const { got, complaints } = await run(flow);
    const messages = await got('cemm-mail-mail');
    const lines = String(payloadOf(messages, 'cemm-mail-mail')).split('\n');
    lines
      .map((line) => line.split(':')[0])
      .should.eql(['Used', 'From the sun', 'From the grid', 'To the grid', 'Gas', 'Water']);
    for (const line of lines) line.should.match(/: \d+\.\d\d \S+ \(a week ago \d+\.\d\d \S+, average of the week \d/);
    should(messages[0]?.topic).match(/^Energy of Wednesday,? 17 June 2026$/);
    (await complaints()).should.be.empty();
  });

  it('daily-mail writes in the language of the connection, with its prices', async () => {
    const prices = { prices: '{ "currency": "EUR", "import": 0.3, "export": 0.08 }', pricesType: 'json' };
    const flow = changed(await example('daily-mail'), 'cemm-demo-monitor', { language: 'nl', ...prices });
    const { got, complaints } = await run(flow);
    const messages = await got('cemm-mail-mail');
    should(messages[0]?.topic).equal('Energie van woensdag 17 juni 2026');
    const [line = ''] = /^Kosten: .*$/m.exec(String(payloadOf(messages, 'cemm-mail-mail'))) ?? [];
    line.should.match(/^Kosten: -?\d+,\d\d EUR \(een week eerder -?\d+,\d\d EUR, gemiddeld die week -?\d/);
    (await complaints()).should.be.empty();
  });

  it('alarms sends a test when its button is pressed, in the language of the connection', async () => {
    const flow = changed(await example('alarms'), 'cemm-demo-monitor', { language: 'nl' });
    const { got, complaints } = await run(changed(flow, 'cemm-alarms-balance', { from: '', fromType: 'current' }));
    // The language is known with the first balance.
    await until('the test in Dutch', async () => {
      await press('cemm-alarms-try');
      const tests = (await got('cemm-alarms-alarm')).filter(({ topic }) => topic === 'test');
      return tests.at(-1)?.payload === 'Dit is een test. Hier komen de alarmen van het huis aan.';
    });
    (await complaints()).should.be.empty();
  });

  it('find-monitors lists the meters, and searches when the button is pressed', async () => {
    const flow = await example('find-monitors');
    // The query of the search stays on this machine.
    const { got, complaints } = await run(changed(flow, 'cemm-find-network', { broadcast: '127.0.0.1', wait: 3 }));
    const listed = payloadOf(await got('cemm-find-list'), 'cemm-find-list');
    for (const alias of ['p1', 'p1-gas', 's01', 'pulse-2']) should(listed).containEql(`: ${alias} (`);
    await press('cemm-find-search');
    should(payloadOf(await got('cemm-find-found'), 'cemm-find-found')).be.an.Array();
    (await complaints()).should.be.empty();
  });

  it('webhook-receiver turns a signed delivery of a monitor into values, and a wrong signature into an alarm', async () => {
    const hmacKey = randomBytes(32).toString('hex');
    const { got, complaints } = await run(await example('webhook-receiver'), { 'cemm-hook-in': { hmacKey } });
    const url = `${nodeRed.url}/cemm`;
    const simulator = await startSimulator({ webhook: { url, hmacKey }, clock });
    try {
      should((await simulator.webhook?.sendNow())?.status).equal(200);
    } finally {
      await simulator.close();
    }
    const values = payloadOf(await got('cemm-hook-readings'), 'cemm-hook-readings');
    should(values).be.an.Object().and.not.be.empty();
    (await post({ url, key: 'somebody else' }, delivery())).status.should.equal(401);
    const alarm = payloadOf(await got('cemm-hook-out'), 'cemm-hook-out');
    const reason: ProblemPayload['reason'] = 'bad_signature';
    should(alarm).equal(`1 calls from 127.0.0.1 were refused: ${reason}.`);
    (await complaints()).should.be.empty();
  });

  it('home-assistant-mqtt introduces the monitor and then sends its state, and again when Home Assistant starts', async () => {
    // No broker answers there: an inject node sends Home Assistant's status message.
    const birth: FlowNode = {
      id: 'birth',
      type: 'inject',
      z: 'cemm-ha',
      props: [{ p: 'payload' }, { p: 'topic', vt: 'str' }],
      payload: 'online',
      payloadType: 'str',
      topic: 'homeassistant/status',
      wires: [['cemm-ha-format']],
    };
    const { got, complaints } = await run([
      ...changed(await example('home-assistant-mqtt'), 'cemm-ha-broker', { port: '9' }),
      birth,
    ]);
    const introductions = (messages: readonly CollectedMessage[]) =>
      messages.filter(({ topic }) => topic?.startsWith('homeassistant/device/')).length;
    const first = introductions(await got('cemm-ha-out'));
    first.should.be.aboveOrEqual(1);
    await press('birth');
    const messages = await nodeRed.waitFor('seen', (seen) => introductions(seen) > first);
    should(messages.find(({ topic }) => /^cemm\/.*\/p1/.test(topic ?? ''))).be.ok();
    (await complaints()).should.be.empty();
  });

  it('gap-repair shows the minutes of the last hour that it would write, once it has started', async () => {
    const hmacKey = randomBytes(32).toString('hex');
    const { got, complaints } = await run(await example('influxdb/gap-repair'), { 'cemm-gaps-in': { hmacKey } });
    const lines = String(payloadOf(await got('cemm-gaps-show'), 'cemm-gaps-show')).split('\n');
    lines.should.have.length(60);
    for (const line of lines)
      line.should.match(/^cemm_series,monitor=[0-9a-f]{12},meter=p1,step=PT1M \S*power_w=-?\d\S* \d{13}$/);
    (await complaints()).should.be.empty();
  });

  describe('backfill-influxdb', () => {
    it('shows what it would write as long as no address is filled in', async () => {
      const { got, complaints } = await run(await example('influxdb/backfill-influxdb'));
      should(payloadOf(await got('cemm-influx-show'), 'cemm-influx-show')).match(
        /^cemm_series,monitor=[0-9a-f]{12},meter=p1,step=PT1M \S*power_w=-?\d\S* \d{13}\n/,
      );
      (await complaints()).should.be.empty();
    });

    it('writes days of the year back, and what is new, to the address that is filled in', async () => {
      const store = await startStore();
      try {
        const flow = await example('influxdb/backfill-influxdb');
        const env = [
          { name: 'INFLUX_URL', type: 'str', value: store.url },
          { name: 'INFLUX_ORG', type: 'str', value: 'home' },
          { name: 'INFLUX_BUCKET', type: 'str', value: 'energy' },
          { name: 'INFLUX_TOKEN', type: 'str', value: 'a token' },
        ];
        const { got, complaints } = await run(changed(flow, 'cemm-influx', { env }));
        await press('cemm-influx-start');
        await until('ten written days', () => store.calls.length >= 11);
        await press('cemm-influx-stop');
        for (const { request } of store.calls) {
          should(request.url).equal('/api/v2/write?org=home&bucket=energy&precision=ms');
          should(request.headers.authorization).equal('Token a token');
        }
        const oldest = Math.min(...store.calls.map(({ body }) => Number(/ (\d{13})(?:\n|$)/.exec(body)?.[1])));
        // A year before the clock of this test, from midnight in Amsterdam.
        should(new Date(oldest).toISOString()).equal('2025-06-17T22:00:00.000Z');
        const messages = await got('cemm-influx-written', 'cemm-influx-debug');
        should(messages.find(({ last }) => last === 'cemm-influx-written')).have.property('statusCode', 204);
        // Only the stopped year reports it.
        (await complaints()).map(codeOf).should.eql(['CANCELLED']);
      } finally {
        await store.close();
      }
    });
  });
});

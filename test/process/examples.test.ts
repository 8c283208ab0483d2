/**
 * Every example of the import menu in the packed package, in a real Node-RED: imported, deployed, and checked at its last
 * nodes, without an error in the log.
 */
import should from 'should';
import { randomBytes } from 'node:crypto';
import { createSimulatedClock, type SimulatedClock } from '../../src/simulator/simulated-clock';
import { startSimulator } from '../../src/simulator/start-simulator';
import type { ProblemPayload } from '../../src/model/payload';
import { millis } from '../../src/time/units';
import { exampleOf } from '../support/node-red/import-menu';
import { NodeRed, type CollectedMessage, type FlowNode } from '../support/node-red/node-red';
import { delivery, post } from '../support/webhook/sending';
import { until } from '../support/until';
import { changed, readComplaintCode, payloadOf, runTapped } from '../support/node-red/tapped-flow';
import type { PageMessage } from '../../nodes/cemm-page/page/messages';
import { startReceiver } from '../support/simulator/receiver';

const names = [
  'alarms',
  'daily-mail',
  'dynamic-prices',
  'energy-page-webhook',
  'energy-page',
  'find-monitors',
  'home-assistant-history',
  'home-assistant-mqtt',
  'homewizard-p1',
  'prometheus',
  'solar-surplus',
  'webhook-receiver',
] as const;

/** In subfolders, because the list would be longer than the dialog. */
const influxNames = ['backfill-influxdb', 'gap-repair'] as const;
const fleetNames = ['fleet-receiver', 'fleet-scheduler', 'fleet-worker', 'fleet-writer'] as const;

type Name =
  (typeof names)[number] | `influxdb/${(typeof influxNames)[number]}` | `fleet/${(typeof fleetNames)[number]}`;

/** A sunny day in the middle of a month and of a year. */
const noon = '2026-06-18T13:00:00+02:00';

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

  const example = (name: Name): Promise<FlowNode[]> => exampleOf(nodeRed, name);

  const run = (flow: readonly FlowNode[], credentials?: Record<string, Record<string, string>>) =>
    runTapped(nodeRed, flow, credentials);

  it('are all in the import menu', async () => {
    const root = '/library/examples/flows/node-red-contrib-cemm';
    const listed = async (folder: string) =>
      ((await (await nodeRed.admin(`${root}${folder}`)).json()) as (string | { fn: string })[]).map((entry) =>
        typeof entry === 'string' ? `folder ${entry}` : entry.fn.replace(/\.json$/, ''),
      );
    should(await listed('')).eql(['folder fleet', 'folder influxdb', ...names]);
    should(await listed('/influxdb')).eql([...influxNames]);
    should(await listed('/fleet')).eql([...fleetNames]);
  });

  it('energy-page gives the page to its template, and asks for what a viewer looks at', async () => {
    const flow = await example('energy-page');
    const z = 'cemm-page-flow';
    const tap: FlowNode = { id: 'tap', type: 'function', z, func: 'msg.last = "page"; return msg;', wires: [['seen']] };
    const sign = JSON.stringify({ viewer: 'test', wants: [{ balance: 'now' }, { balance: 'day' }] });
    const viewer: FlowNode = { id: 'viewer', type: 'inject', z, props: [{ p: 'payload', v: sign, vt: 'json' }] };
    const { complaints } = await run([
      ...changed(flow, 'cemm-page-node', { wires: [['cemm-page-template', 'tap'], ['cemm-page-now']] }),
      ...[
        { ...tap, outputs: 1 },
        { ...viewer, wires: [['cemm-page-node']] },
      ],
    ]);
    // Each answer comes with the next message, alone or together with the other one.
    const answers = async (): Promise<PageMessage['answers']> => {
      const pages = (await nodeRed.messages('seen')).filter(
        ({ last, payload }) => last === 'page' && payload !== undefined,
      );
      return Object.assign(
        {},
        ...pages.map(({ payload }) => (payload as PageMessage).answers),
      ) as PageMessage['answers'];
    };
    await nodeRed.inject('viewer');
    await until('two answers', async () => {
      const states = Object.values(await answers()).map(({ state }) => state);
      return states.length === 2 && states.every((state) => state === 'answered');
    });
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
      .should.eql(['Used', 'From the sun', 'From the grid', 'To the grid', 'Gas', 'Water', 'Cost', 'Heat pump', 'Car']);
    for (const line of lines)
      line.should.match(/: -?\d+\.\d\d [^(]+ \(a week ago -?\d+\.\d\d [^(]+, average of the week -?\d/);
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
      await nodeRed.inject('cemm-alarms-try');
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
    await nodeRed.inject('cemm-find-search');
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
    await nodeRed.inject('birth');
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

  it('fleet-writer sends a reading to the database, and the same lines again after a failure', async () => {
    let answers = 0;
    const store = await startReceiver((response) => {
      answers += 1;
      response.writeHead(answers === 1 ? 503 : 204, { 'content-type': 'text/plain' }).end('answer');
    });
    try {
      const env = [
        { name: 'INFLUX_URL', type: 'str', value: store.url },
        { name: 'INFLUX_DB', type: 'str', value: 'energy' },
      ];
      const flow = changed(await example('fleet/fleet-writer'), 'cemm-fleet-out', { env });
      const { got } = await run(changed(flow, 'cemm-fleet-out-later', { timeout: '0.1' }));
      await nodeRed.inject('cemm-fleet-out-try');
      await got('cemm-fleet-out-written');
      const [first, second] = store.received;
      const text = String(first?.body);
      text.should.match(/^cemm_reading,monitor=[0-9a-f]{12},meter=p1 \S*power_w=-?\d\S* \d{13}(?:\n\S+ \S+ \d{13})*$/);
      String(second?.body).should.equal(text);
      should(second?.path).equal('/write?precision=ms&db=energy');
      should(second?.headers['content-type']).equal('text/plain; charset=utf-8');
    } finally {
      await store.close();
    }
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
      const store = await startReceiver((response) => response.writeHead(204).end());
      try {
        const flow = await example('influxdb/backfill-influxdb');
        const env = [
          { name: 'INFLUX_URL', type: 'str', value: store.url },
          { name: 'INFLUX_ORG', type: 'str', value: 'home' },
          { name: 'INFLUX_BUCKET', type: 'str', value: 'energy' },
          { name: 'INFLUX_TOKEN', type: 'str', value: 'a token' },
        ];
        const { got, complaints } = await run(changed(flow, 'cemm-influx', { env }));
        await nodeRed.inject('cemm-influx-start');
        await until('ten written days', () => store.received.length >= 11);
        await nodeRed.inject('cemm-influx-stop');
        for (const { path, headers } of store.received) {
          should(path).equal('/api/v2/write?org=home&bucket=energy&precision=ms');
          should(headers.authorization).equal('Token a token');
        }
        const oldest = Math.min(
          ...store.received.map(({ body }) => Number(/ (\d{13})(?:\n|$)/.exec(body.toString())?.[1])),
        );
        // A year before the clock of this test, from midnight in Amsterdam.
        should(new Date(oldest).toISOString()).equal('2025-06-17T22:00:00.000Z');
        const messages = await got('cemm-influx-written', 'cemm-influx-debug');
        should(messages.find(({ last }) => last === 'cemm-influx-written')).have.property('statusCode', 204);
        // Only the stopped year reports it.
        (await complaints()).map(readComplaintCode).should.eql(['CANCELLED']);
      } finally {
        await store.close();
      }
    });
  });
});

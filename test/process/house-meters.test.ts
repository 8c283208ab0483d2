/** The meters of the house in a connection, in a whole Node-RED: names and roles in messages, balances and deliveries. */
import should from 'should';
import type { HouseMetersAnswer } from '../../nodes/cemm-connection/admin-answers';
import type { BalancePayload, RealtimePayload, TotalsPayload, WebhookPayload } from '../../src/model/payload';
import { millis } from '../../src/time/units';
import { createHousehold } from '../../src/simulator/household';
import { chooseHouse } from '../../src/simulator/houses';
import { startSimulator } from '../../src/simulator/start-simulator';
import type { Simulator } from '../../src/simulator/simulator';
import { buildDelivery } from '../../src/simulator/webhook-payload';
import { loopbackOnly } from '../support/network/discoverable';
import { collector, NodeRed, tab, type FlowNode } from '../support/node-red/node-red';
import { weeksAgo } from '../support/time/recent';
import { asking, errorOf, localConnection, statusTexts, trigger } from '../support/node-red/remote-flow';

const battery = { meter: 'mb6', name: 'Powerwall', role: 'battery' };
const roof = { meter: 's01', name: 'Roof' };
const left = { meter: 'pulse-2', role: 'none' };
const rows: readonly object[] = [battery, roof, left];

describe('the meters of the house in Node-RED', function () {
  this.timeout(180_000);
  let simulator: Simulator;
  let nodeRed: NodeRed;

  const connection = (meters?: readonly object[]): FlowNode =>
    localConnection(simulator, meters === undefined ? {} : { meters });

  function flow(meters: readonly object[] | undefined, nodes: readonly FlowNode[]): FlowNode[] {
    return [
      tab(),
      connection(meters),
      trigger(
        'go',
        nodes.map(({ id }) => id),
      ),
      ...nodes.map((node): FlowNode => ({ ...node, connection: 'local-connection' })),
      ...['out', 'availability', 'caught', 'statuses'].flatMap((name) => collector(name)),
      { id: 'catch', type: 'catch', z: 'flow', scope: null, uncaught: false, wires: [['caught']] },
      { id: 'status', type: 'status', z: 'flow', scope: null, wires: [['statuses']] },
    ];
  }

  before(async () => {
    simulator = await startSimulator({ localPort: 0, house: 'battery-measured', since: weeksAgo(5) });
    nodeRed = await NodeRed.start({ flows: flow(rows, [asking('realtime', 'all')]), nodeOptions: loopbackOnly });
  });

  after(async () => {
    await nodeRed.stop();
    await simulator.close();
  });

  async function answers<Payload>(count: number, nodes: FlowNode[]): Promise<Payload[]> {
    const before = (await nodeRed.messages('out')).length;
    await nodeRed.deploy(nodes);
    await nodeRed.inject('go');
    const all = await nodeRed.waitFor('out', (messages) => messages.length >= before + count);
    return all.slice(before).map(({ payload }) => payload as Payload);
  }

  it('name the readings of all meters, give them roles, and leave one out', async () => {
    const all = await answers<RealtimePayload>(4, flow(rows, [asking('realtime', 'all', { alias: '' })]));
    all
      .map(({ meter: { alias, role, name } }) => [alias, role, name])
      .should.deepEqual([
        ['p1', 'grid', undefined],
        ['p1-gas', 'gas', undefined],
        ['s01', 'production', 'Roof'],
        ['mb6', 'battery', 'Powerwall'],
      ]);
    should(all[3]?.values).have.property('power_battery_w');
  });

  it('change nothing where a meter has no row, and nothing in a connection without rows', async () => {
    const nodes = [asking('realtime', 'all', { alias: '' })];
    const described = await answers<RealtimePayload>(4, flow(rows, nodes));
    const plain = await answers<RealtimePayload>(5, flow(undefined, nodes));
    plain.map(({ meter }) => meter.alias).should.deepEqual(['p1', 'p1-gas', 's01', 'mb6', 'pulse-2']);
    for (const { meter } of plain) meter.should.not.have.property('name');
    should(plain[3]?.meter.role).be.null();
    should(described[0]?.meter).deepEqual(plain[0]?.meter);
  });

  it('give way to the role of a node, and answer for a meter that is left out when it is named', async () => {
    const [grid] = await answers<RealtimePayload>(
      1,
      flow(rows, [asking('realtime', 'one', { alias: 'mb6', role: 'grid' })]),
    );
    should(grid?.meter).containEql({ role: 'grid', name: 'Powerwall' });
    const [water] = await answers<RealtimePayload>(1, flow(rows, [asking('realtime', 'one', { alias: 'pulse-2' })]));
    should(water?.meter.role).be.null();
    const [totals] = await answers<TotalsPayload>(1, flow(rows, [asking('totals', 'day', { alias: 's01' })]));
    should(totals?.meter).containEql({ role: 'production', name: 'Roof' });
  });

  it('show the name in the status', async () => {
    await answers(1, flow(rows, [asking('realtime', 'one', { alias: 's01' })]));
    await nodeRed.waitFor('statuses', (all) => statusTexts(all).some((text) => /^Roof: solar /.test(text)));
  });

  it('decide what a balance counts, unless a list of the node does', async () => {
    const now = asking('balance', 'now', { period: 'now' });
    const [found] = await answers<BalancePayload>(1, flow(rows, [now]));
    should(found?.meters).containEql({ production: ['s01'], battery: ['mb6'], water: [] });
    should(found?.names).deepEqual({ s01: 'Roof', mb6: 'Powerwall' });
    should(found?.values).have.property('power_battery_w');
    const [listed] = await answers<BalancePayload>(1, flow(rows, [{ ...now, production: 'mb6' }]));
    should(listed?.meters).containEql({ production: ['mb6'] });
    should(listed?.meters).not.have.property('battery');
    const [plain] = await answers<BalancePayload>(1, flow(undefined, [now]));
    should(plain?.meters).not.have.property('battery');
    should(plain).not.have.property('names');
  });

  it('that go in a circle are an error that names the row', async () => {
    const circle = [
      { meter: 'mb6', role: 'consumption', within: 's01' },
      { meter: 's01', within: 'mb6' },
    ];
    const before = (await nodeRed.messages('caught')).length;
    await nodeRed.deploy(flow(circle, [asking('realtime', 'all', { alias: '' })]));
    await nodeRed.inject('go');
    const caught = await nodeRed.waitFor('caught', (all) => all.length > before);
    const { code, message } = errorOf(caught.at(-1));
    code.should.equal('CONFIG');
    message.should.match(/“Meters of the house” in the connection: row 1 \(mb6\)/);
  });

  it('have names and roles for the meters of deliveries, and are found by the dialog', async () => {
    const described = [
      { meter: 'zon', name: 'Dak', role: 'production' },
      { meter: 'batterij', name: 'Accu', role: 'battery' },
      { meter: 'water', role: 'none' },
    ];
    const hook = { id: 'hook', type: 'cemm-webhook-in', z: 'flow', path: '/house', open: true, hmac: false, maxAge: 0 };
    const adds = { id: 'adds', type: 'cemm-balance', z: 'flow', source: 'messages', period: 'now', interval: 0 };
    const before = (await nodeRed.messages('out')).length;
    await nodeRed.deploy([
      tab(),
      connection(described),
      { ...hook, connection: 'local-connection', wires: [['out', 'adds'], []] },
      { ...adds, connection: 'local-connection', wires: [['out']] },
      ...collector('out'),
    ]);
    const now = millis(Date.now());
    const household = createHousehold({
      seed: 3,
      timezone: 'Europe/Amsterdam',
      now,
      since: millis(now - 3 * 86_400_000),
      house: chooseHouse('battery-measured'),
    });
    const body = buildDelivery(household, 24000001, now, ['realtime', 'reading']);
    const answer = await fetch(`${nodeRed.url}/house`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    answer.status.should.equal(200);
    const all = await nodeRed.waitFor('out', (messages) => messages.length > before);
    const delivered = all.slice(before).map(({ payload }) => payload as WebhookPayload)[0];
    should(delivered?.meters).deepEqual({
      zon: { name: 'Dak', role: 'production' },
      batterij: { name: 'Accu', role: 'battery' },
    });
    should(delivered?.readings.map(({ meter }) => meter)).not.containEql('water');
    // Another house may answer first.
    const isDelivered = (payload: unknown): payload is BalancePayload =>
      kindOf(payload) === 'balance' && (payload as BalancePayload).meters.production.includes('zon');
    const balance = await nodeRed.waitFor('out', (messages) => messages.some(({ payload }) => isDelivered(payload)));
    const house = balance.map(({ payload }) => payload).findLast(isDelivered);
    if (house === undefined) throw new Error('There is no balance of the delivered house.');
    house.meters.should.containEql({ production: ['zon'], battery: ['batterij'], water: [] });
    house.should.have.property('names', { zon: 'Dak', batterij: 'Accu' });

    const found = await nodeRed.admin('/cemm-connection/house-meters', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'X-CEMM-Request': 'dialog' },
      body: JSON.stringify({
        id: 'local-connection',
        mode: 'local',
        host: simulator.local,
        mac: '',
        timezone: 'Europe/Amsterdam',
      }),
    });
    const { meters, error } = (await found.json()) as HouseMetersAnswer;
    should(error).be.null();
    meters
      .map(({ alias, counts }) => [alias, counts])
      .should.deepEqual([
        ['p1', null],
        ['p1-gas', null],
        ['s01', null],
        ['mb6', 'both'],
        ['pulse-2', null],
        ['smartmeter-dsmr', null],
        ['zon', 'export'],
        ['batterij', 'both'],
      ]);
    for (const { alias, value } of meters) should(typeof value).equal('number', alias);
  });
});

function kindOf(payload: unknown): unknown {
  return typeof payload === 'object' && payload !== null ? Reflect.get(payload, 'kind') : null;
}

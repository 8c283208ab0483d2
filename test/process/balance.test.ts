/** The balance of the simulated house in a whole Node-RED, compared with the simulator's ledger, and its number of requests. */
import should from 'should';
import { periodContaining, previousPeriod, type Period } from '../../src/calendar/periods';
import type { BalancePayload } from '../../src/model/payload';
import { millis } from '../../src/time/units';
import type { Registers } from '../../src/simulator/register-sums';
import { createSimulatedClock } from '../../src/simulator/simulated-clock';
import { startSimulator } from '../../src/simulator/start-simulator';
import type { Simulator } from '../../src/simulator/simulator';
import { NodeRed, tab, type FlowNode } from '../support/node-red/node-red';
import {
  asking,
  testCredentials,
  errorOf,
  testKey,
  localConnection,
  remoteConnection,
  statusTexts,
  trigger,
  watchers,
} from '../support/node-red/remote-flow';

const zone = 'Europe/Amsterdam';
/** An afternoon in June, with the year before it. */
const now = Date.parse('2026-06-15T13:37:20Z');

const importKwh = (r: Registers): number => r.importT1Kwh + r.importT2Kwh;
const exportKwh = (r: Registers): number => r.exportT1Kwh + r.exportT2Kwh;
const roofKwh = (r: Registers): number => r.solarT1Kwh + r.solarT2Kwh - r.solarOwnT1Kwh - r.solarOwnT2Kwh;

const connections = (simulator: Simulator): FlowNode[] => [
  remoteConnection(simulator),
  localConnection(simulator),
  { id: 'demo-connection', type: 'cemm-connection', mode: 'demo', timezone: zone },
  { ...localConnection(simulator, { id: 'public-connection', mode: 'public' }) },
];

describe('the balance of a house in Node-RED', function () {
  this.timeout(240_000);
  let nodeRed: NodeRed;
  let simulator: Simulator;
  let seen = 0;
  let seenErrors = 0;

  before(async () => {
    simulator = await startSimulator({
      localPort: 0,
      remotePort: 0,
      apiKey: testKey,
      clock: createSimulatedClock({ start: millis(now), speed: 0 }),
      since: millis(Date.parse('2024-12-30T12:00:00Z')),
    });
    nodeRed = await NodeRed.start({
      env: { CEMM_TEST_CLOCK: new Date(now).toISOString(), CEMM_TEST_CLOCK_SPEED: '0' },
    });
  });
  after(async () => {
    await nodeRed.stop();
    await simulator.close();
  });

  async function deploy(properties: object, wires: Record<string, [string, string]> = {}): Promise<void> {
    const node = asking('balance', 'balance', properties);
    await nodeRed.deploy(
      [tab(), ...connections(simulator), node, trigger('go', ['balance'], wires), ...watchers(['balance'])],
      'full',
      testCredentials,
    );
  }

  async function next(count = 1): Promise<BalancePayload[]> {
    const messages = await nodeRed.waitForMessages('out', seen + count, 120_000);
    const found = messages.slice(seen);
    seen = messages.length;
    return found.map(({ payload }) => payload as BalancePayload);
  }

  async function failure(): Promise<ReturnType<typeof errorOf>> {
    await nodeRed.inject('go');
    const caught = await nodeRed.waitForMessages('caught', seenErrors + 1, 60_000);
    seenErrors = caught.length;
    return errorOf(caught.at(-1));
  }

  async function ask(properties: object): Promise<BalancePayload> {
    await deploy(properties);
    await nodeRed.inject('go');
    const [payload] = await next();
    if (payload === undefined) throw new Error('There is no balance.');
    return payload;
  }

  function changes({ start, end }: Pick<Period, 'start' | 'end'>): (of: (r: Registers) => number) => number {
    const [monitor] = simulator.monitors;
    if (monitor === undefined) throw new Error('There is no monitor.');
    const [before, after] = [monitor.household.registers(start), monitor.household.registers(end)];
    return (of) => of(after) - of(before);
  }

  const today = periodContaining('day', zone, millis(now));
  const yesterday = previousPeriod(today);
  const exact = (found: number | null | undefined, truth: number, what: string): void => {
    should(found).be.approximately(truth, 0.001, what);
  };

  const inconsistent = (...fields: readonly string[]): Record<string, string> =>
    Object.fromEntries(fields.map((field) => [field, 'inconsistent']));
  /** At noon the house exports more than the inverter on the roof produces. */
  const withoutGarage = inconsistent('energy_self_consumed_kwh', 'self_consumption', 'self_sufficiency');

  it('is what the registers counted on a day of the remote service, and no house without the second inverter', async () => {
    const found = await ask({ dateType: 'previous', production: 's01' });
    const { values, method, coverage, points = [], missing } = found;
    const change = changes(yesterday);
    const [taken, given, produced] = [change(importKwh), change(exportKwh), change(roofKwh)];
    exact(values['energy_import_kwh'], taken, 'import');
    exact(values['energy_export_kwh'], given, 'export');
    exact(values['energy_production_kwh'], produced, 'production');
    exact(values['energy_net_kwh'], taken - given, 'net');
    should(values['energy_house_kwh']).equal(null);
    should(method['energy_import_kwh']).equal('registers');
    should(coverage['energy_house_kwh']).equal(1);
    points.length.should.equal(24);
    exact(
      points.reduce((sum, point) => sum + (point['energy_import_kwh'] ?? 0), 0),
      taken,
      'import of the hours',
    );
    should([missing, found.complete]).deepEqual([
      { ...withoutGarage, ...inconsistent('energy_house_kwh'), water_m3: 'not_readable' },
      false,
    ]);
  });

  it('knows no production and no house where the service has no alias for an inverter, and names it', async () => {
    const { values, missing, complete, notReadable } = await ask({ dateType: 'previous' });
    exact(values['energy_import_kwh'], changes(yesterday)(importKwh), 'import');
    for (const field of ['energy_production_kwh', 'energy_house_kwh', 'energy_self_consumed_kwh', 'water_m3']) {
      should([values[field], missing[field]]).deepEqual([null, 'not_readable'], field);
    }
    should([complete, notReadable]).deepEqual([false, ['io 4', 'io 5']]);
  });

  /** Requests of each kind since the last question. */
  let counted = new Map<string, number>();
  function requestsSince(): Record<string, number> {
    const found: Record<string, number> = {};
    for (const [path, count] of simulator.requests) {
      const fresh = count - (counted.get(path) ?? 0);
      const [, alias, kind] = /\/(\w[\w-]*)\/(?:data\/)?(totals|day|month|year|realtime)\/$/.exec(path) ?? [];
      if (fresh > 0 && alias !== undefined && kind !== undefined) found[`${alias} ${kind}`] = fresh;
    }
    counted = new Map(simulator.requests);
    return found;
  }

  /** One current reading shows that the period is over for the monitor as well. */
  const newestTime = { 'p1 realtime': 1 };

  it('BA1: takes 32 counters of each electricity meter for a month, and asks for what is final once', async () => {
    await deploy({ period: 'month', dateType: 'previous', production: 's01' });
    requestsSince();
    await nodeRed.inject('go');
    const [month] = await next();
    const change = changes(previousPeriod(periodContaining('month', zone, millis(now))));
    exact(month?.values['energy_import_kwh'], change(importKwh), 'import of the month');
    exact(month?.values['energy_export_kwh'], change(exportKwh), 'export of the month');
    exact(month?.values['energy_production_kwh'], change(roofKwh), 'production of the month');
    should(month?.points?.length).equal(31);
    should(month?.missing).deepEqual({ ...withoutGarage, water_m3: 'not_readable' });
    should(month?.peak).equal(null);
    const all = { 'p1 totals': 32, 'p1 month': 1, 's01 totals': 32, 's01 month': 1 };
    requestsSince().should.deepEqual({ ...all, ...newestTime });
    await nodeRed.inject('go');
    const [again] = await next();
    should(again?.values).deepEqual(month?.values);
    should(again?.source.requests).equal(0);
    requestsSince().should.deepEqual({});
  });

  it('BA1: takes 13 counters of each electricity meter for a year, and two that check its ends @node-red-5', async () => {
    await deploy({ period: 'year', dateType: 'previous', production: 's01' });
    requestsSince();
    await nodeRed.inject('go');
    const [year] = await next();
    const change = changes(previousPeriod(periodContaining('year', zone, millis(now))));
    exact(year?.values['energy_import_kwh'], change(importKwh), 'import of the year');
    exact(year?.values['energy_production_kwh'], change(roofKwh), 'production of the year');
    should(year?.points?.length).equal(12);
    should(year?.missing).deepEqual({ water_m3: 'not_readable' });
    const all = { 'p1 totals': 15, 'p1 year': 1, 's01 totals': 15, 's01 year': 1 };
    requestsSince().should.deepEqual({ ...all, ...newestTime });
  });

  it('reads the minutes of every day of a month for the quarter-hour peak', async () => {
    await deploy({ period: 'month', dateType: 'previous', peak: true });
    requestsSince();
    await nodeRed.inject('go');
    const [month] = await next();
    should(month?.peak?.power_w).be.above(1000);
    should((month?.peak?.end ?? 0) - (month?.peak?.start ?? 0)).equal(900_000);
    should(requestsSince()['p1 day']).equal(31);
  });

  it('has the costs of the prices that the message brings', async () => {
    await deploy(
      { dateType: 'previous', prices: 'prices', pricesType: 'msg' },
      { prices: ['{"currency":"EUR","import":0.25,"export":0.05,"per_day":1.2}', 'json'] },
    );
    await nodeRed.inject('go');
    const [day] = await next();
    const { cost, values } = day ?? {};
    should(cost?.currency).equal('EUR');
    should(cost?.total).be.approximately(
      0.25 * (values?.['energy_import_kwh'] ?? NaN) - 0.05 * (values?.['energy_export_kwh'] ?? NaN) + 1.2,
      1e-9,
    );
    should(cost?.coverage).equal(1);
  });

  it('BA2: names the price that cannot be used', async () => {
    await deploy(
      { dateType: 'previous', prices: 'prices', pricesType: 'msg' },
      { prices: ['{"currency":"EUR","import":[{"start":"2026-06-14","value":"a"}]}', 'json'] },
    );
    const { code, message } = await failure();
    code.should.equal('INPUT');
    message.should.match(/import\[0\]\.value/);
  });

  it('is sent for every period of a range, the oldest first', async () => {
    await deploy({ span: 'range', from: '2026-06-12', fromType: 'str', to: '2026-06-14', toType: 'str' });
    await nodeRed.inject('go');
    const days = await next(3);
    days.map(({ period }) => period?.label).should.deepEqual(['2026-06-12', '2026-06-13', '2026-06-14']);
    const messages = await nodeRed.messages('out');
    const parts = messages.slice(-3).map((message) => message['parts'] as { index: number; count: number });
    parts.map(({ index, count }) => [index, count]).should.deepEqual([0, 1, 2].map((index) => [index, 3]));
  });

  it('BA3: sends each point once when it will not change any more, also after a restart of the flow', async () => {
    await deploy({ period: 'month', span: 'new' }, { since: ['2026-06-01', 'str'] });
    await nodeRed.inject('go');
    const [first] = await next();
    should(first?.points?.map(({ ts }) => ts)).deepEqual(
      Array.from({ length: 14 }, (_, day) => Date.parse(`2026-06-${String(day + 1).padStart(2, '0')}T00:00:00+02:00`)),
    );
    const change = changes(yesterday);
    exact(first?.points?.at(-1)?.['energy_import_kwh'], change(importKwh), 'import of yesterday');
    await nodeRed.inject('go');
    await nodeRed.waitFor('statuses', (all) => statusTexts(all).at(-1) === 'up to date');
    (await nodeRed.messages('out')).length.should.equal(seen);
  });

  it('BA4: makes null what a meter that does not answer is needed for, and only that', async () => {
    await deploy({ dateType: 'previous', production: 's03' });
    await nodeRed.inject('go');
    const [day] = await next();
    exact(day?.values['energy_import_kwh'], changes(yesterday)(importKwh), 'import');
    should(day?.values).containDeep({ energy_production_kwh: null, energy_house_kwh: null });
    should(day?.missing).containDeep({ energy_production_kwh: 'not_readable', energy_house_kwh: 'not_readable' });
    should(day?.complete).be.false();
    const [caught] = (await nodeRed.waitForMessages('caught', seenErrors + 1, 60_000)).slice(seenErrors);
    seenErrors += 1;
    errorOf(caught).code.should.equal('ALIAS');
  });

  it('BA5: is stopped by a message, within a second', async () => {
    const node = asking('balance', 'balance', { period: 'year', date: '2025', dateType: 'str' });
    simulator.faults.add('slow');
    await nodeRed.deploy(
      [
        tab(),
        ...connections(simulator),
        node,
        trigger('go', ['balance']),
        trigger('stop', ['balance'], { stop: ['true', 'bool'] }),
        ...watchers(['balance']),
      ],
      'full',
      testCredentials,
    );
    await nodeRed.inject('go');
    await nodeRed.waitFor('statuses', (all) => statusTexts(all).at(-1) === 'asking');
    const stopped = Date.now();
    await nodeRed.inject('stop');
    const [caught] = (await nodeRed.waitForMessages('caught', seenErrors + 1, 20_000)).slice(seenErrors);
    seenErrors += 1;
    errorOf(caught).code.should.equal('CANCELLED');
    (Date.now() - stopped).should.be.below(10_000);
    simulator.faults.delete('slow');
  });

  it('is made of minutes on the demo monitor, which tells no readings of the past', async () => {
    const { period, values, method, points = [] } = await ask({ connection: 'demo-connection', step: '15m' });
    should(period?.label).equal(today.label);
    should(method['energy_import_kwh']).equal('minutes');
    should(values['energy_production_kwh']).be.above(1);
    points.length.should.equal(63);
  });

  it('is of this moment, with what the house uses', async () => {
    const { period, values, missing, meters } = await ask({ connection: 'demo-connection', period: 'now' });
    should(period).be.undefined();
    missing.should.deepEqual({});
    meters.grid.should.deepEqual(['p1']);
    const power = (name: string): number => values[`power_${name}_w`] ?? NaN;
    power('house').should.be.approximately(power('import') - power('export') + power('production'), 1e-9);
  });

  it('BA6: of this moment cannot be asked from a CEMM 3.0', async () => {
    await deploy({ connection: 'public-connection', period: 'now' });
    const { code, message } = await failure();
    code.should.equal('UNSUPPORTED');
    message.should.match(/CEMM 3\.0/);
  });
});

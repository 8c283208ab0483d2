/** The balance of the simulated house in a whole Node-RED, held against what the simulator knows, and how often it is asked. */
import should from 'should';
import { periodContaining, previousPeriod, type Period } from '../../src/calendar/periods';
import type { BalancePayload } from '../../src/model/payload';
import { millis } from '../../src/protocol/time';
import type { Registers } from '../../src/simulator/household';
import { createSimulatedClock } from '../../src/simulator/simulated-clock';
import { startSimulator } from '../../src/simulator/start-simulator';
import type { Simulator } from '../../src/simulator/simulator';
import { NodeRed, tab, type FlowNode } from '../support/node-red';
import {
  asking,
  CREDENTIALS,
  errorOf,
  fire,
  KEY,
  localConnection,
  remoteConnection,
  trigger,
  watchers,
} from '../support/remote-flow';

const ZONE = 'Europe/Amsterdam';
/** A sunny afternoon, and a year of data before it. */
const NOW = Date.parse('2026-06-15T13:37:20Z');

const importKwh = (r: Registers): number => r.importT1Kwh + r.importT2Kwh;
const exportKwh = (r: Registers): number => r.exportT1Kwh + r.exportT2Kwh;
const roofKwh = (r: Registers): number => r.solarT1Kwh + r.solarT2Kwh - r.solarOwnT1Kwh - r.solarOwnT2Kwh;
const garageKwh = (r: Registers): number => r.garageT1Kwh + r.garageT2Kwh - r.garageOwnT1Kwh - r.garageOwnT2Kwh;

const connections = (simulator: Simulator): FlowNode[] => [
  remoteConnection(simulator),
  localConnection(simulator),
  { id: 'demo-connection', type: 'cemm-connection', mode: 'demo', timezone: ZONE },
  { ...localConnection(simulator, { id: 'public-connection', mode: 'public' }) },
];

describe('the balance of a house in Node-RED', function () {
  this.timeout(240_000);
  let nodeRed: NodeRed;
  let simulator: Simulator;
  let seen = 0;

  before(async () => {
    simulator = await startSimulator({
      localPort: 0,
      remotePort: 0,
      apiKey: KEY,
      clock: createSimulatedClock({ start: millis(NOW), speed: 0 }),
      since: millis(Date.parse('2025-12-30T12:00:00Z')),
    });
    nodeRed = await NodeRed.start({
      env: { CEMM_TEST_CLOCK: new Date(NOW).toISOString(), CEMM_TEST_CLOCK_SPEED: '0' },
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
      CREDENTIALS,
    );
  }

  async function next(count = 1): Promise<BalancePayload[]> {
    const messages = await nodeRed.waitForMessages('out', seen + count, 120_000);
    const found = messages.slice(seen);
    seen = messages.length;
    return found.map(({ payload }) => payload as BalancePayload);
  }

  async function ask(properties: object): Promise<BalancePayload> {
    await deploy(properties);
    await fire(nodeRed, 'go');
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

  const today = periodContaining('day', ZONE, millis(NOW));
  const yesterday = previousPeriod(today);
  const exact = (found: number | null | undefined, truth: number, what: string): void => {
    should(found).be.approximately(truth, 0.001, what);
  };

  it('is what the registers counted on a day of the remote service', async () => {
    const { values, method, coverage, points = [], complete, meters } = await ask({ dateType: 'previous' });
    const change = changes(yesterday);
    const [taken, given] = [change(importKwh), change(exportKwh)];
    const produced = meters.production.includes('s02') ? change(roofKwh) + change(garageKwh) : change(roofKwh);
    exact(values['energy_import_kwh'], taken, 'import');
    exact(values['energy_export_kwh'], given, 'export');
    exact(values['energy_production_kwh'], produced, 'production');
    exact(values['energy_house_kwh'], taken - given + produced, 'house');
    should(method['energy_import_kwh']).equal('registers');
    should(coverage['energy_house_kwh']).equal(1);
    points.length.should.equal(24);
    exact(
      points.reduce((sum, point) => sum + (point['energy_import_kwh'] ?? 0), 0),
      taken,
      'import of the hours',
    );
    complete.should.be.true();
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

  it('cannot be asked from a CEMM 3.0', async () => {
    await deploy({ connection: 'public-connection' });
    await fire(nodeRed, 'go');
    const [caught] = await nodeRed.waitForMessages('caught', 1, 60_000);
    errorOf(caught).code.should.equal('UNSUPPORTED');
    errorOf(caught).message.should.match(/CEMM 3\.0/);
  });
});

/** A balance node and a CEMM 3.0 whose public API is written from the vendor's description alone. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import should from 'should';
import { periodContaining, type PeriodUnit, previousPeriod } from '../../src/calendar/periods';
import type { BalancePayload } from '../../src/model/payload';
import { dayMs, hourMs, millis } from '../../src/time/units';
import { Flow, type FlowNode, type Received, unload, watched } from '../support/flow/flow';
import { AddedDeliveries } from '../support/houses/added-deliveries';
import { flowedIn, SpecifiedPublicApi } from '../support/houses/specified-public-api';
import { until } from '../support/until';

const timezone = 'Europe/Amsterdam';
const began = Date.now() - 380 * dayMs;

describe('cemm-balance and the public API of a CEMM 3.0', function () {
  this.timeout(60_000);
  let api: SpecifiedPublicApi;
  let host: string;

  beforeEach(async () => {
    api = new SpecifiedPublicApi(() => Date.now(), began);
    host = await api.openServer();
  });

  afterEach(async () => {
    await unload();
    await api.stop();
  });

  const connection = (): FlowNode => ({
    id: 'connection',
    type: 'cemm-connection',
    mode: 'public',
    host,
    allowLoopback: true,
    timezone: '',
  });
  const node = (properties: object = {}): FlowNode => ({
    id: 'balance',
    type: 'cemm-balance',
    connection: 'connection',
    interval: 0,
    ...properties,
  });
  const payloadOf = (message: Received | undefined): BalancePayload => message?.payload as BalancePayload;
  const before = (unit: PeriodUnit, at = Date.now()) => previousPeriod(periodContaining(unit, timezone, millis(at)));
  const isNear = (value: number | null | undefined, expected: number): void => {
    should(Math.abs((value ?? NaN) - expected)).be.below(0.0005, `${value} instead of ${expected}`);
  };

  /** The answer to a question, which is the n-th message. */
  async function answer(flow: Flow, payload: object, count = 1): Promise<BalancePayload> {
    flow.send('balance', { payload });
    return payloadOf((await flow.next('out', count))[count - 1]);
  }

  /** Sends a delivery, and waits until it is added. */
  async function deliver(flow: Flow, cemm: number, topic: string, value: number): Promise<void> {
    const at = Date.now() - 1000;
    const time = Math.floor(at / 1000);
    const values = { [topic]: { time, value } };
    const data = { hoofdmeter: { electric_energy_import: values, electric_energy_export: values } };
    const known = flow.statuses('statuses').length;
    flow.send('balance', { payload: new AddedDeliveries().payload({ format: 'basic-v1', cemm, time, data }, at) });
    await until('the delivery is added', () => flow.statuses('statuses').length > known);
  }

  it('asks for days, weeks and months, and refuses this moment', async () => {
    const flow = await Flow.load([connection(), ...watched(node())]);
    for (const [index, unit] of (['day', 'week', 'month'] as const).entries()) {
      const { label, start, end } = before(unit);
      const asked = { balance: unit, date: start, question: unit };
      const { values, period, question } = await answer(flow, asked, index + 1);
      should(question).equal(unit);
      should(period?.label).equal(label);
      isNear(values['gas_m3'], flowedIn('gas:volume', start, end));
      isNear(values['energy_import_kwh'], flowedIn('hoofdmeter:electric_energy_import', start, end));
    }
    flow.send('balance', { payload: { balance: 'now' } });
    const [caught] = await flow.next('errors');
    should(caught?.error?.code).equal('UNSUPPORTED');
    should(caught?.error?.message).match(/sums of days only/);
  });

  it('makes the bill of the days that the monitor has', async () => {
    const prices = JSON.stringify({ currency: 'EUR', import: 0.25, export: 0.05, gas: 1.3, water: 1.1 });
    const flow = await Flow.load([connection(), ...watched(node({ pricesType: 'json', prices }))]);
    const { period, values } = await answer(flow, { balance: 'bill', question: 1 });
    should(period?.end).be.belowOrEqual(Date.now());
    isNear(values['gas_m3'], flowedIn('gas:volume', period?.start ?? NaN, period?.end ?? NaN));
  });

  it('fills the time before the first delivery where messages are added up', async () => {
    const flow = await Flow.load([connection(), ...watched(node({ source: 'messages' }))]);
    await deliver(flow, 24_000_293, 'reading', 4321.5);
    const { start, end } = before('month');
    const asked = { balance: 'month', date: start, question: 1, progress: true };
    const { values, coverage, progress, source } = await answer(flow, asked);
    should(source.transport).equal('webhook');
    isNear(values['energy_import_kwh'], flowedIn('hoofdmeter:electric_energy_import', start, end));
    should(coverage['energy_import_kwh']).equal(1);
    const days = Math.round((end - start) / dayMs);
    should(progress).deepEqual({ done: days, all: days, unit: 'day' });
    isNear(values['water_m3'], flowedIn('water:volume', start, end));
    should(values['energy_house_kwh']).be.a.Number();
    // Deliveries of another monitor have none of these days.
    await deliver(flow, 24_000_294, 'reading', 4321.5);
    const second = await answer(flow, { ...asked, question: 2, installation: '24000294' }, 2);
    should(second.monitor.cemm).equal(24_000_294);
    should(second.values['energy_import_kwh']).equal(null);
  });

  for (const closed of [['balance'], ['connection', 'balance']]) {
    it(`adds deliveries that wait at a deploy which closes: ${closed.join(', ')}`, async () => {
      const userDir = await mkdtemp(join(tmpdir(), 'cemm-days-'));
      try {
        const nodes = (name: string) => [connection(), ...watched(node({ source: 'messages', name }))];
        const flow = await Flow.load(nodes('before'), { userDir });
        await deliver(flow, 24_000_293, 'reading', 4321.5);
        const { start } = before('day');
        const outcomes: unknown[] = [];
        for (let quarter = 0; quarter < 96; quarter += 1) {
          const at = start + quarter * 900_000;
          const reading = { reading: { time: at / 1000, value: 4000 + quarter } };
          const body = {
            format: 'basic-v1',
            cemm: 24_000_293,
            time: at / 1000,
            data: { hoofdmeter: { electric_energy_import: reading, electric_energy_export: reading } },
          };
          const message = { payload: new AddedDeliveries().payload(body, at) };
          flow.deliver(
            'balance',
            message,
            () => undefined,
            (error) => outcomes.push(error),
          );
        }
        const closing = closed.map((id) => flow.node(id).close(false));
        should(outcomes).be.empty();
        await Promise.all(closing);
        await flow.deploy(nodes('after'));
        should(outcomes).deepEqual(Array.from({ length: 96 }, () => undefined));
        const { points = [] } = await answer(flow, { balance: 'day', date: start, question: 1 });
        const known = points.slice(0, 23).map((point) => point['energy_import_kwh']);
        should(known).deepEqual(Array.from({ length: 23 }, () => 4));
      } finally {
        await unload();
        await rm(userDir, { recursive: true, force: true });
      }
    });
  }

  it('adds up messages also while the monitor is away', async () => {
    await api.stop();
    const flow = await Flow.load([connection(), ...watched(node({ source: 'messages' }))]);
    await deliver(flow, 24_000_293, 'this/year', 2.5);
    const { values } = await answer(flow, { balance: 'year', question: 1 });
    should(values['energy_import_kwh']).equal(2.5);
  });

  it('PD3: gives what is kept, with its age, after a restart while the monitor is away', async () => {
    const userDir = await mkdtemp(join(tmpdir(), 'cemm-days-'));
    try {
      const began = Date.now();
      const first = await Flow.load([connection(), ...watched(node())], { userDir });
      // The last day of a month is kept from three hours after its end.
      const { start, end } = before('month', Date.now() - 3 * hourMs);
      const asked = { balance: 'month', date: start, question: 1 };
      const read = await answer(first, asked);
      await unload();
      await api.stop();
      const flow = await Flow.load([connection(), ...watched(node())], { userDir });
      const { values, source, monitor, meters, timezone: zone } = await answer(flow, asked);
      isNear(values['energy_import_kwh'], flowedIn('hoofdmeter:electric_energy_import', start, end));
      isNear(values['gas_m3'], flowedIn('gas:volume', start, end));
      should(source.kept).be.true();
      should(source.keptAt).be.within(began, read.source.fetchedAt);
      should({ id: monitor.id, meters, zone }).eql({ id: read.monitor.id, meters: read.meters, zone: read.timezone });
      // Without anything kept of this monitor it is a failure.
      for (const [mac, folder] of [['00:11:22:33:44:55', { userDir }] as const, ['', {}] as const]) {
        await unload();
        const other = await Flow.load([{ ...connection(), mac }, ...watched(node())], folder);
        const sent: unknown[] = [];
        const error = await new Promise((resolve) => {
          other.deliver('balance', { payload: asked }, (message) => sent.push(message), resolve);
        });
        should(error).have.property('code', 'NETWORK');
        should(sent).eql([], mac);
      }
    } finally {
      await unload();
      await rm(userDir, { recursive: true, force: true });
    }
  });
});

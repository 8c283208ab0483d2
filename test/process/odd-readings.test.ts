/** Odd meter readings, single values and single counters of a simulated house, as messages of a whole Node-RED. */
import should from 'should';
import type { RealtimePayload, SeriesPayload, TotalsPayload, WebhookPayload } from '../../src/model/payload';
import { createSimulatedClock } from '../../src/simulator/simulated-clock';
import type { FaultName } from '../../src/simulator/faults';
import type { Simulator } from '../../src/simulator/simulator';
import { startSimulator } from '../../src/simulator/start-simulator';
import { dayMs, millis } from '../../src/time/units';
import { until } from '../support/until';
import { NodeRed, tab, type CollectedMessage, type FlowNode } from '../support/node-red/node-red';
import { credentials, key, webhookFlow } from '../support/webhook/flows';
import {
  asking,
  testCredentials,
  errorOf,
  testKey,
  localConnection,
  remoteConnection,
  trigger,
  watchers,
} from '../support/node-red/remote-flow';

/** A time zone with about noon now, so no test runs over midnight. */
function zoneAtNoon(): string {
  const offset = 12 - new Date().getUTCHours();
  return offset === 0 ? 'Etc/GMT' : `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`;
}

describe('readings of unusual monitors', function () {
  this.timeout(180_000);
  const timezone = zoneAtNoon();
  let nodeRed: NodeRed;
  let simulator: Simulator;

  before(async () => {
    nodeRed = await NodeRed.start();
    const since = millis(Date.now() - 40 * dayMs);
    simulator = await startSimulator({ localPort: 0, remotePort: 0, apiKey: testKey, since, timezone });
  });
  after(async () => {
    await nodeRed.stop();
    await simulator.close();
  });
  afterEach(async () => {
    simulator.faults.clear();
    await nodeRed.deploy([tab()]);
  });

  async function received(): Promise<CollectedMessage[]> {
    return [...(await nodeRed.messages('out')), ...(await nodeRed.messages('caught'))];
  }

  /** Results of one request by each node, with these faults: a payload, or the code of the caught error. */
  async function answers(faults: readonly FaultName[], ...nodes: FlowNode[]): Promise<unknown[]> {
    for (const fault of faults) simulator.faults.add(fault);
    // Otherwise a test is given what another one has read of yesterday.
    const apart = { timezone, keepDays: false };
    const connections = [remoteConnection(simulator, apart), localConnection(simulator, apart)];
    const ids = nodes.map(({ id }) => id);
    const triggers = ids.map((id) => trigger(`ask-${id}`, [id], { asked: [id, 'str'] }));
    await nodeRed.deploy([tab(), ...connections, ...nodes, ...triggers, ...watchers(ids)], 'full', testCredentials);
    const came: unknown[] = [];
    for (const id of ids) {
      const before = (await received()).length;
      await nodeRed.inject(`ask-${id}`);
      await until(`an answer of ${id}`, async () => (await received()).length > before, 60_000);
      const message = (await received()).findLast(({ asked }) => asked === id);
      came.push(message !== undefined && 'error' in message ? errorOf(message).code : message?.payload);
    }
    return came;
  }

  const local = { connection: 'local-connection' };
  const noonIn = (days: number) => new Date(Date.now() + days * dayMs).toISOString();

  it('LA16: returns a reading of yesterday with its own time, over both APIs', async () => {
    for (const properties of [local, {}]) {
      const [today] = (await answers(['old-readings'], asking('totals', 'today', properties))) as [TotalsPayload];
      const { start, final } = today.period;
      final.should.be.false();
      today.ts.should.equal(start);
      for (const field of ['energy_import_t1_kwh', 'energy_import_kwh', 'gas_m3']) {
        should(today.values[field]).be.a.Number();
        should(today.times[field]).equal(start - 4 * 3_600_000);
      }
    }
  });

  it('RA37: returns no reading of today for yesterday, and requests no future day', async () => {
    const [yesterday, tomorrow] = await answers(
      ['totals-of-today'],
      asking('totals', 'yesterday', { dateType: 'previous' }),
      asking('totals', 'tomorrow', { date: noonIn(1), dateType: 'str' }),
    );
    const { values, missing, period } = yesterday as TotalsPayload;
    period.final.should.be.true();
    Object.values(values)
      .every((value) => value === null)
      .should.be.true();
    should(missing['energy_import_t1_kwh']).equal('no_recent_value');
    should(missing['gas_m3']).equal('no_recent_value');
    should(tomorrow).equal('INPUT');
  });

  it('LA17: returns a single register as the total, in realtime, totals and series', async () => {
    const production = { alias: 's01', role: 'production' };
    const [now, today, month, remote] = (await answers(
      ['single-counter'],
      asking('realtime', 'now', { ...local, ...production }),
      asking('totals', 'today', { ...local, ...production }),
      asking('series', 'month', { ...local, ...production, period: 'month' }),
      asking('totals', 'remote', production),
    )) as [RealtimePayload, TotalsPayload, SeriesPayload, TotalsPayload];
    for (const { values } of [now, today]) {
      should(values['energy_production_kwh']).be.a.Number();
      should(values['energy_production_kwh']).equal(values['energy_production_t1_kwh']);
      should(values['energy_production_t2_kwh']).be.null();
    }
    should(remote.values['energy_net_kwh']).be.a.Number();
    should(month.points.at(-1)?.['energy_net_kwh']).be.a.Number();
    month.points.every((point) => point['energy_net_kwh'] === point['energy_net_t1_kwh']).should.be.true();
  });

  it('LA19: passes on the value of a switch whose time is 0', async () => {
    const [on] = (await answers(['switch-on'], asking('realtime', 'on'))) as [RealtimePayload];
    should(on.values['switch_raw']).equal(1);
    on.missing.should.not.have.property('switch_raw');
    simulator.faults.clear();
    const [off] = (await answers([], asking('realtime', 'off'))) as [RealtimePayload];
    should(off.values['switch_raw']).be.null();
    should(off.missing['switch_raw']).equal('no_timestamp');
  });

  for (const [fault, reason] of [
    ['text-numbers', 'not_finite'],
    ['null-values', 'no_recent_value'],
  ] as const) {
    it(`LA18: keeps the other readings with ${fault}: ${reason}`, async () => {
      const asked = [asking('realtime', 'now', local), asking('totals', 'yesterday', { dateType: 'previous' })];
      const [now, yesterday, day] = (await answers(
        [fault],
        ...asked,
        asking('series', 'day', { dateType: 'previous' }),
      )) as [RealtimePayload, TotalsPayload, SeriesPayload];
      for (const { values, missing } of [now, yesterday]) {
        should(values['energy_import_t1_kwh']).be.null();
        should(missing['energy_import_t1_kwh']).equal(reason);
        should(missing['gas_m3']).equal(reason);
      }
      day.points.should.have.length(1440);
      day.points.every(({ power_w }) => power_w === null).should.be.true();
      day.stats.should.containEql({ received: 0, gaps: 1440 });
    });

    it(`WB26: keeps the other readings of a delivery with ${fault}: ${reason}`, async () => {
      const hook = await startSimulator({
        since: millis(Date.now() - dayMs),
        timezone,
        clock: createSimulatedClock({ start: millis(Date.now()), speed: 0 }),
        webhook: { url: `${nodeRed.url}/cemm`, hmacKey: key, topics: ['realtime', 'reading'] },
        faults: [fault],
      });
      try {
        const before = (await nodeRed.messages('deliveries')).length;
        await nodeRed.deploy(webhookFlow(), 'full', credentials);
        should((await hook.webhook?.sendNow())?.status).equal(200);
        const messages = await nodeRed.waitForMessages('deliveries', before + 1, 60_000);
        const { readings, values } = messages.at(-1)?.payload as WebhookPayload;
        const water = readings.filter(({ meter }) => meter === 'water');
        should(water.map(({ channel, topic, value, missing }) => [channel, topic, value, missing])).eql([
          ['volume', 'realtime', null, 'topic_not_valid'],
          ['volume', 'reading', null, reason],
          ['flow', 'realtime', null, reason],
          ['flow', 'reading', null, 'topic_not_valid'],
        ]);
        values.should.eql({});
      } finally {
        await hook.close();
      }
    });
  }
});

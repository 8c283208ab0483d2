/**
 * The examples of scheduler and worker with a real broker, two Node-REDs and a simulated service. One of the workers reads each
 * monitor, gaps between deliveries are requested, a wrong job is answered with its reason, and after a kill the other worker
 * does all of the work.
 */
import should from 'should';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RealtimePayload, SeriesPayload, TotalsPayload } from '../../../src/model/payload';
import { startSimulator } from '../../../src/simulator/start-simulator';
import type { Simulator } from '../../../src/simulator/simulator';
import { minuteMs, millis } from '../../../src/time/units';
import { projectDir } from '../../support/node-red/installed-package';
import { MqttListener, startMosquitto, type Mosquitto } from '../../support/servers/mosquitto';
import { NodeRed, together, type FlowNode } from '../../support/node-red/node-red';
import { until } from '../../support/until';
import { testKey } from '../../support/node-red/remote-flow';

const monitorCount = 6;
const credentials = {
  'cemm-demo-monitor': { apiKey: testKey },
};

function example(name: string, changes: Readonly<Record<string, object>>): FlowNode[] {
  const flow = JSON.parse(readFileSync(join(projectDir, `examples/fleet/${name}.json`), 'utf8')) as FlowNode[];
  for (const id of Object.keys(changes)) flow.some((node) => node.id === id).should.be.true(id);
  return flow.map((node) => ({ ...node, ...changes[node.id] }));
}

describe('the examples fleet-scheduler and fleet-worker @node-red-5', function () {
  this.timeout(180_000);
  let mosquitto: Mosquitto | undefined;
  let broker: MqttListener;
  let service: Simulator;
  let first: NodeRed;
  let second: NodeRed;
  let ids: string[];

  before(async () => {
    mosquitto = await startMosquitto();
    broker = await MqttListener.connect(mosquitto);
    const since = millis(Date.now() - 3 * 24 * 60 * minuteMs);
    service = await startSimulator({ remotePort: 0, monitors: monitorCount, apiKey: testKey, since });
    ids = service.monitors.map(({ mac }) => mac.replaceAll(':', '').toLowerCase());
    const env = { MQTT_URL: `mqtt://127.0.0.1:${mosquitto.port}` };
    const remote = { mode: 'remote', baseUrl: String(service.remote) };
    const worker = example('fleet-worker', { 'cemm-demo-monitor': remote });
    const scheduler = example('fleet-scheduler', {
      'cemm-demo-monitor': remote,
      'cemm-fleet-jobs': {
        env: [
          { name: 'JOB_SECONDS', type: 'num', value: '5' },
          { name: 'METERS', type: 'str', value: 'p1, s01' },
        ],
      },
    });
    first = await NodeRed.start({ env, flows: together([scheduler, worker]), credentials });
    second = await NodeRed.start({ env, flows: worker, credentials });
  });

  after(async () => {
    if (mosquitto === undefined) return;
    await first.stop();
    await second.stop();
    await service.close();
    await broker.close();
    await mosquitto.stop();
  });

  function heard<Payload>(topic: RegExp, from = 0): Payload[] {
    return broker.heard
      .slice(from)
      .filter((message) => topic.test(message.topic))
      .map(({ text }) => JSON.parse(text) as Payload);
  }

  it('ask every monitor for every meter again and again, and publish each answer under its own topic', async () => {
    await until(
      'two readings of each meter',
      () =>
        ids.every((id) =>
          ['p1', 's01'].every((alias) => heard(new RegExp(`^cemm/${id}/${alias}/realtime$`)).length >= 2),
        ),
      60_000,
    );
    for (const { topic, text, qos } of broker.heard.filter((message) => message.topic.endsWith('/realtime'))) {
      const payload = JSON.parse(text) as RealtimePayload;
      topic.should.equal(`cemm/${String(payload.monitor.id)}/${String(payload.meter.alias)}/realtime`);
      payload.source.transport.should.equal('remote');
      qos.should.equal(1);
    }
  });

  it('answer each job once, whichever of the two workers got it', async () => {
    const answers = (): number => heard(/^cemm\/[0-9a-f]{12}\/[^/]+\/realtime$/).length;
    const jobs = heard(/^cemm\/jobs\//).length;
    await until('the answers to these jobs', () => answers() >= jobs);
    answers().should.be.belowOrEqual(heard(/^cemm\/jobs\//).length);
  });

  it('ask for the window between two deliveries that are more than a minute apart, and for it alone', async () => {
    const [id = ''] = ids;
    const noon = Math.floor(Date.now() / minuteMs) * minuteMs - 10 * minuteMs;
    const deliver = (minute: number): Promise<void> =>
      broker.publish(`cemm/${id}/webhook`, JSON.stringify({ kind: 'webhook', ts: noon + minute * minuteMs }));
    const topic = new RegExp(`^cemm/${id}/p1/series$`);
    // Around midnight a window is in the series of two days.
    const points = () => heard<SeriesPayload>(topic).flatMap((series) => series.points);
    await deliver(0);
    // The first one counts as a restart: the hour before it is requested.
    await until('the last hour', () => points().length === 59);
    await deliver(1);
    await deliver(1);
    await deliver(5);
    // Late, but before the gap is reported.
    await deliver(3);
    await until('the gap', () => points().length >= 62);
    const gap = points().slice(59);
    // Minute 1 came with the delivery at its end; 2, 3 and 4 belong to the missed deliveries.
    should(gap.map(({ ts }) => (ts - noon) / minuteMs)).eql([1, 2, 3]);
    const house = service.monitors[0]?.household;
    for (const point of gap) should(point['power_w']).equal(house?.minute(millis(point.ts)).gridW);
    const jobs = heard<{ kind: string }>(new RegExp(`^cemm/jobs/${id}$`)).filter(({ kind }) => kind === 'series');
    jobs.should.have.length(4);
  });

  it('answer what anybody publishes as a job, and say what is wrong with a job that cannot be done', async () => {
    const [, id = ''] = ids;
    const date = new Date(Date.now() - 24 * 60 * minuteMs).toISOString().slice(0, 10);
    await broker.publish(`cemm/jobs/${id}`, JSON.stringify({ kind: 'totals', monitor: id, alias: 'p1', date }));
    await until('the totals', () => heard(new RegExp(`^cemm/${id}/p1/totals$`)).length === 1);
    const [totals] = heard<TotalsPayload>(new RegExp(`^cemm/${id}/p1/totals$`));
    should(totals?.period.label).equal(date);
    const wrong = { kind: 'series', monitor: id, alias: 'p1', period: 'week', from: date, to: date };
    await broker.publish(`cemm/jobs/${id}`, JSON.stringify(wrong));
    const [failed] = await until('the reason', () => {
      const reasons = heard<{ job: object; code: string; message: string }>(new RegExp(`^cemm/failed/${id}$`));
      return reasons.length > 0 && reasons;
    });
    should(failed?.job).eql(wrong);
    should(failed?.code).equal('INPUT');
    should(failed?.message).match(/“Period” must be one of the words day, month, year/);
  });

  it('continue when one of two workers is killed', async () => {
    await second.stop({ signal: 'SIGKILL' });
    const from = broker.heard.length;
    await until(
      'a reading of each meter by the one that is left',
      () =>
        ids.every((id) =>
          ['p1', 's01'].every((alias) => heard(new RegExp(`^cemm/${id}/${alias}/realtime$`), from).length >= 2),
        ),
      60_000,
    );
    first.log.should.not.match(/\[(?:error|fatal)\](?!.*must be one of the words)/);
  });
});

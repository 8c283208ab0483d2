import should from 'should';
import { createSimulatedClock } from '../../../src/simulator/simulated-clock';
import type { DeliveryStatus, Simulator, SimulatorOptions } from '../../../src/simulator/simulator';
import { startSimulator } from '../../../src/simulator/start-simulator';
import { millis } from '../../../src/time/units';
import { startReceiver, type Receiver } from '../../support/simulator/receiver';
import { until } from '../../support/until';

const start = millis(Date.parse('2026-06-01T10:07:40Z'));
const clock = createSimulatedClock({ start, speed: 0 });
const since = millis(start - 86_400_000);

interface Status {
  readonly deliveries: readonly DeliveryStatus[];
  readonly faults: readonly string[];
  readonly requests: Readonly<Record<string, number>>;
}

describe('Status page of the simulator', () => {
  let receiver: Receiver;
  let simulator: Simulator | null = null;

  async function open(options: SimulatorOptions): Promise<string> {
    simulator = await startSimulator({ localPort: 0, clock, since, ...options });
    return simulator.local ?? '';
  }

  async function statusAt(local: string): Promise<Status> {
    const response = await fetch(`${local}/status`);
    response.status.should.equal(200);
    return (await response.json()) as Status;
  }

  beforeEach(async () => {
    receiver = await startReceiver((response) => response.end('thanks'));
  });

  afterEach(async () => {
    await simulator?.close();
    simulator = null;
    await receiver.close();
  });

  it('shows a manual run: 202 at once, then the delivery', async () => {
    const local = await open({ webhook: { url: receiver.url, hmacKey: 'k' } });
    const response = await fetch(`${local}/webhook/run-now`, { method: 'POST' });
    response.status.should.equal(202);
    await until('a delivery', () => simulator?.deliveries.length === 1);
    const { deliveries } = await statusAt(local);
    should(deliveries[0]).have.properties({
      time: '2026-06-01T10:07:40.000Z',
      status: 200,
      response: 'thanks',
      error: null,
    });
    should(deliveries[0]?.request).startWith('POST / HTTP/1.1\r\n');
  });

  it('shows faults and counts requests', async () => {
    const local = await open({ faults: ['no-io', 'clock-off'] });
    await fetch(`${local}/open-api/v1/p1/realtime/`);
    await fetch(`${local}/open-api/v1/p1/realtime`);
    const { faults, requests, deliveries } = await statusAt(local);
    faults.should.eql(['no-io', 'clock-off']);
    should(requests['local /open-api/v1/p1/realtime/']).equal(2);
    deliveries.should.eql([]);
  });

  it('stays available while the monitor itself is faulty', async () => {
    const local = await open({ faults: ['html', 'reset', 'truncated'] });
    should((await statusAt(local)).faults).eql(['html', 'reset', 'truncated']);
  });

  it('refuses a manual run where no webhook is set, and other methods', async () => {
    const local = await open({});
    should((await fetch(`${local}/webhook/run-now`, { method: 'POST' })).status).equal(409);
    const get = await fetch(`${local}/webhook/run-now`);
    should([get.status, get.headers.get('allow')]).eql([405, 'POST']);
    const post = await fetch(`${local}/status`, { method: 'POST' });
    should([post.status, post.headers.get('allow')]).eql([405, 'GET']);
  });

  it('is on the local interface only', async () => {
    await open({ remotePort: 0 });
    const remote = new URL(simulator?.remote ?? '');
    should((await fetch(`${remote.origin}/status`)).status).equal(404);
  });

  it('stands beside the public time series', async () => {
    const local = await open({});
    const path = '/api/v1/public/timeseries';
    const good = await fetch(`${local}${path}?channels=water:volume&include=cemm&resolution=day&count=2`);
    const { data } = (await good.json()) as { data: [number, number][] };
    data.map(([time]) => time).should.eql([1_780_178_400, 1_780_264_800]);
    should((await fetch(`${local}${path}?channels=water:volume&resolution=hour&count=2`)).status).equal(400);
  });
});

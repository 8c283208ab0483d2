/** The public API of the simulated CEMM 3.0, over real HTTP and against the other interfaces of the same house. */
import should from 'should';
import type { FaultName } from '../../../src/simulator/faults';
import {
  request,
  momentOf,
  settableClock,
  startInterfaces,
  type TestResponse,
  type Started,
} from '../../support/simulator/requests';

const now = '2026-06-15T12:30:00Z';

interface Meters {
  meters: {
    id: number;
    key: string;
    type: string;
    role: string | null;
    channels: { id: number; key: string; unit: string; aggregation_method: string }[];
  }[];
}

describe('simulator: public API', () => {
  const clock = settableClock(now);
  let started: Started;
  const get = (path: string, method?: string): Promise<TestResponse> =>
    request(`${started.simulator.local ?? ''}/api/v1/public/${path}`, method);
  const on = (...names: FaultName[]): void => {
    for (const name of names) started.simulator.faults.add(name);
  };

  before(async () => {
    started = await startInterfaces({ clock, seed: 5, since: momentOf('2026-06-01T00:00:00Z') });
  });
  afterEach(() => {
    started.simulator.faults.clear();
  });
  after(() => started.simulator.close());

  it('identifies itself: number, MAC, zone, and its time in seconds', async () => {
    const [monitor] = started.simulator.monitors;
    const { status, body } = await get('cemm');
    status.should.equal(200);
    should(body).match({
      id: monitor?.cemm,
      mac: monitor?.mac,
      version: '1.10.0',
      timezone: 'Europe/Amsterdam',
      time: momentOf(now) / 1000,
      currency: 'EUR',
    });
    should((body as { modules: unknown[] }).modules).containEql('webhooks');
  });

  it('lists meters and channels under the keys that its deliveries have, each channel with a number of its own', async () => {
    const { meters } = (await get('meters')).body as Meters;
    meters.map(({ key }) => key).should.eql(['smartmeter-dsmr', 'zon', 'garage', 'water']);
    should(meters[0]).match({ id: 1, type: 'electricity', role: 'grid-connection' });
    should(meters[0]?.channels[0]).match({
      id: 1,
      key: 'electric_power_import',
      label: 'Vermogen afname',
      unit: 'W',
      aggregation_method: 'AVG',
    });
    const ids = meters.flatMap(({ channels }) => channels.map(({ id }) => id));
    ids.should.eql(ids.map((_, index) => index + 1));
  });

  it('gives the same series by the number of a channel as by its key', async () => {
    const { meters } = (await get('meters')).body as Meters;
    for (const { key, channels } of meters) {
      for (const channel of channels) {
        const byNumber = (await get(`timeseries?channels=${channel.id}&resolution=day&count=2`)).body;
        should(byNumber).eql((await get(`timeseries?channels=${key}:${channel.key}&resolution=day&count=2`)).body);
      }
    }
  });

  it('answers a query that it does not know with 400, and what it does not have with 404 or 405', async () => {
    (await get('timeseries?channels=zon:t1&resolution=day&count=1')).status.should.equal(400);
    (await get('realtime')).status.should.equal(404);
    (await get('meters/1')).status.should.equal(404);
    (await get('meters', 'POST')).status.should.equal(405);
  });

  it('no-access: 403 everywhere', async () => {
    on('no-access');
    for (const path of ['cemm', 'meters', 'timeseries?channels=1&resolution=day&count=1']) {
      (await get(path)).status.should.equal(403);
    }
    (await started.local('/')).status.should.equal(200);
  });

  it('no-public-api and no-open-api: one generation alone', async () => {
    on('no-public-api');
    (await get('cemm')).status.should.equal(404);
    (await started.local('/')).status.should.equal(200);
    started.simulator.faults.clear();
    on('no-open-api');
    (await get('cemm')).status.should.equal(200);
    (await started.local('/')).status.should.equal(404);
    (await started.local('/p1/realtime')).status.should.equal(404);
  });

  it('wrong-monitor and clock-off: another MAC, and a time two hours earlier', async () => {
    on('wrong-monitor', 'clock-off');
    const { body } = await get('cemm');
    should(body).match({ time: momentOf(now) / 1000 - 7200 });
    should((body as { mac: string }).mac).not.equal(started.simulator.monitors[0]?.mac);
  });

  it('stuck-register: the energy of today stands still', async () => {
    on('stuck-register');
    const { body } = await get('timeseries?channels=smartmeter-dsmr:electric_energy_import&resolution=day&count=2');
    const [[, yesterday] = [], [, today] = []] = (body as { data: number[][] }).data;
    should(yesterday).be.above(0);
    should(today).equal(0);
  });
});

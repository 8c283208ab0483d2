/** The examples for other programs, in a real Node-RED: as read by Prometheus and by a client of a HomeWizard P1 meter. */
import should from 'should';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { SimulatedClock } from '../../src/simulator/simulated-clock';
import { startSimulator } from '../../src/simulator/start-simulator';
import type { Simulator } from '../../src/simulator/simulator';
import { millis } from '../../src/time/units';
import { projectDir } from '../support/node-red/installed-package';
import { NodeRed, together, type FlowNode } from '../support/node-red/node-red';
import { until } from '../support/until';
import { delivery, post } from '../support/webhook/sending';
import { type ReadFamily, type ReadSample, readOpenMetrics, readText } from '../support/formats/exposition';

const hmacKey = randomBytes(32).toString('hex');

function example(name: string, changes: Readonly<Record<string, object>>): FlowNode[] {
  const flow = JSON.parse(readFileSync(join(projectDir, 'examples', `${name}.json`), 'utf8')) as FlowNode[];
  return flow.map((node) => ({ ...node, ...changes[node.id] }));
}

interface ClientResult {
  readonly device?: Readonly<Record<string, string>>;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly status?: number;
}

describe('the examples for other programs @node-red-5-daily', function () {
  this.timeout(120_000);
  let nodeRed: NodeRed;
  let monitor: Simulator;
  let id: string;
  let lagMs = 0;
  const clock: SimulatedClock = { speed: 1, now: () => millis(Date.now() - lagMs) };

  before(async () => {
    monitor = await startSimulator({ localPort: 0, clock });
    id = String(monitor.monitors[0]?.mac.replaceAll(':', '').toLowerCase());
    nodeRed = await NodeRed.start();
    const connection = { mode: 'local', host: new URL(String(monitor.local)).host };
    const changes = { 'cemm-demo-monitor': connection, 'cemm-prom-meters': { interval: 5 } };
    await nodeRed.deploy(together([example('prometheus', changes), example('homewizard-p1', changes)]), 'full', {
      'cemm-prom-hook': { hmacKey },
    });
  });

  after(async () => {
    await nodeRed.stop();
    await monitor.close();
  });

  async function page(accept: string): Promise<{ text: string; type: string | null }> {
    const response = await fetch(`${nodeRed.url}/metrics`, { headers: { accept } });
    response.status.should.equal(200);
    return { text: await response.text(), type: response.headers.get('content-type') };
  }

  async function families(): Promise<Map<string, ReadFamily>> {
    return readOpenMetrics((await page('application/openmetrics-text; version=1.0.0')).text);
  }

  async function sampleOf(family: string, labels: Readonly<Record<string, string>>): Promise<ReadSample | undefined> {
    const samples = (await families()).get(family)?.samples ?? [];
    return samples.find((sample) => Object.entries(labels).every(([name, value]) => sample.labels[name] === value));
  }

  async function client(): Promise<ClientResult> {
    const script = join(projectDir, 'test/support/formats/home-wizard-client.cjs');
    const { stdout } = await promisify(execFile)(process.execPath, [script, nodeRed.url]);
    return JSON.parse(stdout) as ClientResult;
  }

  it('show the readings of all meters at /metrics, in the format that is asked for', async () => {
    const meters = ['p1', 'p1-gas', 's01', 'mb5', 'pulse-2'];
    const found = await until('all meters', async () => {
      const all = await families();
      const ages = all.get('cemm_reading_age_seconds')?.samples ?? [];
      return ages.length === meters.length && all;
    });
    const ages = found.get('cemm_reading_age_seconds')?.samples ?? [];
    ages.map(({ labels }) => labels['meter']).should.containDeep(meters);
    for (const { labels } of ages) should(labels['monitor']).equal(id);
    for (const name of ['cemm_energy_import_t1_kwh', 'cemm_gas_m3', 'cemm_water_m3', 'cemm_energy_production_kwh']) {
      should(found.get(name)?.type).equal('counter', name);
    }
    const openMetrics = await page('application/openmetrics-text; version=1.0.0');
    should(openMetrics.type).equal('application/openmetrics-text; charset=utf-8; version=1.0.0');
    const text = await page('text/plain');
    should(text.type).equal('text/plain; charset=utf-8; version=0.0.4');
    [...readText(text.text).keys()].should.containEql('cemm_energy_import_t1_kwh_total');
  });

  it('count deliveries that were received, and refused ones by their reason', async () => {
    const url = `${nodeRed.url}/cemm-metrics`;
    for (let count = 0; count < 3; count += 1) (await post({ url, key: hmacKey }, delivery())).status.should.equal(200);
    (await post({ url, key: 'somebody else' }, delivery())).status.should.equal(401);
    await until('three deliveries', async () => {
      const received = await sampleOf('cemm_deliveries_received', { monitor: '24000001' });
      return received?.value === 3;
    });
    await until('a refusal', async () => {
      const refused = await sampleOf('cemm_deliveries_refused', { reason: 'bad_signature' });
      return refused?.value === 1;
    });
    const { text } = await page('text/plain');
    text.should.not.containEql(hmacKey).and.not.containEql('127.0.0.1');
  });

  it('answer a client of a HomeWizard P1 meter with the readings of the grid meter', async () => {
    const { device, data } = await until('a reading', async () => {
      const result = await client();
      return result.status === undefined && result;
    });
    should(device).containEql({ product_type: 'HWE-P1', api_version: 'v1', serial: id });
    const total = (direction: string): number => Number(data?.[`total_power_${direction}_kwh`]);
    for (const direction of ['import', 'export']) {
      const [t1, t2] = ['t1', 't2'].map((tariff) => Number(data?.[`total_power_${direction}_${tariff}_kwh`]));
      should(total(direction))
        .be.approximately(Number(t1) + Number(t2), 1e-6)
        .and.be.above(0);
    }
    const importT1 = await sampleOf('cemm_energy_import_t1_kwh', { meter: 'p1' });
    should(data?.['total_power_import_t1_kwh']).be.approximately(importT1?.value ?? NaN, 0.1);
    should(data?.['active_power_w']).be.a.Number();
    should(data?.['gas_timestamp']).be.within(200_101_000_000, 991_231_235_959);
    Object.values(data ?? {}).should.not.containEql(null);
  });

  it('give the sign of the power as the meter has it', async () => {
    const power = async () => {
      const values = await Promise.all([client(), sampleOf('cemm_power_w', { meter: 'p1' })]);
      const [{ data }, sample] = values;
      return Math.sign(Number(data?.['active_power_w'])) === Math.sign(sample?.value ?? NaN);
    };
    await until('both with the same sign', power);
  });

  it('FO1: are an error for a reading of a minute ago, which the client does not take for a value', async () => {
    lagMs = 60_000;
    const { device, data, status } = await until('an error', async () => {
      const result = await client();
      return result.status !== undefined && result;
    });
    should(status).equal(503);
    should(data).equal(undefined);
    should(device).equal(undefined);
    const answer = await fetch(`${nodeRed.url}/api/v1/data`);
    should(await answer.json()).eql({ error: { id: 901, description: 'The last reading is older than 30 seconds' } });
    (await fetch(`${nodeRed.url}/api`)).status.should.equal(200);
  });

  it('leave a meter out whose readings are six minutes old, and go on telling its age', async () => {
    lagMs = 360_000;
    await until('no power', async () => (await sampleOf('cemm_power_w', { meter: 'p1' })) === undefined);
    should((await sampleOf('cemm_reading_age_seconds', { meter: 'p1' }))?.value).be.above(300);
    nodeRed.log.should.not.match(/\[error\]/);
  });
});

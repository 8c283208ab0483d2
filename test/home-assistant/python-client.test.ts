/** The Python client `cemm` reads the simulator as it reads a monitor, at an address without a port. */
import should from 'should';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { millis } from '../../src/time/units';
import { startSimulator } from '../../src/simulator/start-simulator';
import type { Simulator } from '../../src/simulator/simulator';
import { useNewerServers } from '../support/home-assistant/newer-servers';
import { projectDir } from '../support/node-red/installed-package';

before(useNewerServers);

const run = promisify(execFile);
const program = readFileSync(join(projectDir, 'test/support/home-assistant/read-with-cemm.py'), 'utf8');
/** The client knows no port: the simulator has port 80 of an address of its own. */
const address = '127.0.0.2';
const now = millis(Date.parse('2026-06-15T10:30:42.700Z'));

async function read(...call: string[]): Promise<unknown> {
  const { stdout } = await run('python-with-cemm', ['-c', program, address, ...call], { cwd: tmpdir() });
  return JSON.parse(stdout) as unknown;
}

describe('the Python client cemm', function () {
  this.timeout(120_000);
  let monitor: Simulator;

  before(async () => {
    monitor = await startSimulator({ localPort: 80, address, clock: { speed: 1, now: () => now } });
  });
  after(() => monitor.close());

  const household = () => {
    const [first] = monitor.monitors;
    if (first === undefined) throw new Error('no monitor');
    return first.household;
  };

  it('reads the monitor and its meters', async () => {
    const [first] = monitor.monitors;
    should(await read('device')).containEql({ mac: first?.mac, model: 'CEMM Basic' });
    should(await read('all_connections')).deepEqual([
      { io_id: 1, io_type: 'p1', alias: 'p1' },
      { io_id: 2, io_type: 'gas', alias: 'p1-gas' },
      { io_id: 3, io_type: 'solar_energy', alias: 's01' },
      { io_id: 4, io_type: 'solar_energy', alias: 'mb5' },
      { io_id: 5, io_type: 'water', alias: 'pulse-2' },
    ]);
  });

  it('reads power, tariffs and gas of the smart meter', async () => {
    // The last telegram, and the last full five minutes of gas.
    const time = millis(Date.parse('2026-06-15T10:30:37Z'));
    const { importT1Kwh, importT2Kwh, exportT1Kwh, exportT2Kwh } = household().registers(time);
    should(await read('smartmeter', 'p1')).containEql({
      power_flow: household().step(time).gridW,
      energy_consumption_low: importT1Kwh,
      energy_consumption_high: importT2Kwh,
      energy_returned_low: exportT1Kwh,
      energy_returned_high: exportT2Kwh,
      gas_consumption: household().registers(millis(Date.parse('2026-06-15T10:30:00Z'))).gasM3,
      energy_tariff_period: 2,
    });
  });

  it('reads both inverters and the water meter', async () => {
    for (const alias of ['s01', 'mb5']) {
      const panel = (await read('solarpanel', alias)) as Record<string, number>;
      should(panel['power_flow']).be.above(0, alias);
      const net = (panel['gross_production_total'] ?? NaN) - (panel['device_consumption_total'] ?? NaN);
      should(panel['net_production_total']).be.approximately(net, 0.02, alias);
    }
    const water = (await read('watermeter', 'pulse-2')) as Record<string, number>;
    should(water['volume']).be.approximately(household().registers(now).waterM3, 0.01);
    should(water['flow']).be.aboveOrEqual(0);
  });

  it('gets the error of a monitor for an alias that it does not have', async () => {
    await read('smartmeter', 'p2').should.be.rejectedWith(/CEMMConnectionError/);
  });
});

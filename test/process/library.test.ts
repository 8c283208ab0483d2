/** The library alone, as another program gets it: the installed package without Node-RED. */
import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import should from 'should';
import { installedModules } from '../support/installed-package';

const run = promisify(execFile);

const program = `
  const cemm = require('node-red-contrib-cemm');
  (async () => {
    const simulator = await cemm.startSimulator({ localPort: 0, remotePort: 0, timezone: 'Europe/Lisbon' });
    const clients = [
      cemm.createLocalClient({ host: simulator.local, allowLoopback: true }),
      cemm.createRemoteClient({ baseUrl: simulator.remote, apiKey: 'demo' }),
    ];
    const lines = [];
    for (const client of clients) {
      const { transport } = client;
      const house = cemm.createInstallation({ client, timezone: 'Europe/Lisbon', transport, deadlineMs: 25000 });
      const target = { monitor: null, alias: 'p1', role: 'auto' };
      const [reading] = await house.readRealtime(target, { signal: new AbortController().signal });
      const [{ payload }] = cemm.createFormatter('values')({ payload: reading });
      lines.push({ transport: reading.source.transport, gas: payload.gas_m3 });
      await house.close();
    }
    const host = simulator.local;
    const today = cemm.createPublicInstallation({
      client: cemm.createPublicClient({ host, allowLoopback: true }), timezone: null, deadlineMs: 25000,
    });
    await today.listMeters(null, { signal: new AbortController().signal });
    lines.push({ transport: 'public', zone: today.timezone });
    await today.close();
    await simulator.close();
    const loaded = Object.keys(require.cache).filter((file) => file.includes('node-red/') || file.includes('@node-red'));
    console.log(JSON.stringify({ lines, loaded }));
  })();
`;

describe('the library, installed', function () {
  this.timeout(115_000);

  it('reads all three interfaces without Node-RED', async () => {
    const { stdout } = await run(process.execPath, ['-e', program], { cwd: dirname(await installedModules()) });
    const { lines, loaded } = JSON.parse(stdout) as { lines: Record<string, unknown>[]; loaded: string[] };
    loaded.should.be.empty();
    should(lines.map(({ transport }) => transport)).eql(['local', 'remote', 'public']);
    should(lines[0]?.['gas']).be.a.Number();
    should(lines[1]?.['gas']).equal(lines[0]?.['gas']);
    should(lines[2]?.['zone']).equal('Europe/Lisbon');
  });
});

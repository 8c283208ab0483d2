/** At which ports a new Home Assistant answers, without a configuration of its own: in a network of its own, where all of them are free. */
import 'should';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { type Chroot, chroots, folderOf, inFolder, testedChroots } from '../../scripts/home-assistant/chroots';
import { until } from '../support/until';

const listening = '0A';

/** The ports at which a process with a network of its own listens. */
async function portsOf(pid: number): Promise<number[]> {
  const [own, ours] = [await readlink(`/proc/${pid}/ns/net`), await readlink('/proc/self/ns/net')];
  if (own === ours) return [];
  const lines = (await readFile(`/proc/${pid}/net/tcp`, 'utf8')).split('\n').slice(1);
  const ports = lines
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state]) => state === listening)
    .map(([, address = '']) => parseInt(address.split(':')[1] ?? '', 16));
  // A port that listens at two addresses stands twice.
  return [...new Set(ports)].sort((a, b) => a - b);
}

/** @param variables of the environment */
async function portsOfNew(chroot: Chroot, variables: readonly string[], count: number): Promise<number[]> {
  const folder = await mkdtemp(join(tmpdir(), 'cemm-home-assistant-'));
  await writeFile(join(folder, 'configuration.yaml'), 'config:\nfrontend:\n');
  const hass = ['env', ...variables, '/opt/home-assistant/bin/hass', '-c', '/mnt', '--skip-pip'];
  const { program, args } = inFolder(folderOf(chroot), hass, folder);
  const network = ['--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh', program, ...args];
  const child = spawn('unshare', network, { stdio: 'ignore' });
  const ended = once(child, 'exit');
  try {
    return await until('a listening Home Assistant', async () => {
      if (child.pid === undefined || child.exitCode !== null) throw new Error('Home Assistant ended');
      const ports = await portsOf(child.pid);
      return ports.length >= count && ports;
    });
  } finally {
    child.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true, force: true });
  }
}

for (const chroot of testedChroots) {
  describe(`a new Home Assistant ${chroot.homeAssistant}`, function () {
    this.timeout(180_000);

    it('answers at 8123', async () => {
      (await portsOfNew(chroot, [], 1)).should.deepEqual([8123]);
    });

    // In Home Assistant OS the Supervisor starts it with this variable.
    const ports = chroot === chroots[0] ? [80, 8123] : [8123];
    it(`answers in Home Assistant OS at ${ports.join(' and ')}`, async () => {
      (await portsOfNew(chroot, ['SUPERVISOR=127.0.0.1', 'SUPERVISOR_TOKEN=x'], ports.length)).should.deepEqual(ports);
    });
  });
}

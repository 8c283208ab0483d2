/** Makes the folders of chroots.ts, once: Debian by debootstrap, then the virtual environments by pip. */
import { execFile, spawn } from 'node:child_process';
import { createWriteStream, readFileSync } from 'node:fs';
import { copyFile, cp, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { findProgram } from '../../test/support/servers/server-program';
import {
  cacheFolder,
  type Chroot,
  type ChrootCommand,
  chroots,
  debianPackages,
  environments,
  folderOf,
  inFolder,
  isPrepared,
  lockFile,
  recipeOf,
} from './chroots';

const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';
const certificates = '/etc/ssl/certs/ca-certificates.crt';

type Packages = Readonly<Record<string, string>>;

/** Program → Debian package. */
const toPrepare: Packages = { debootstrap: 'debootstrap', unshare: 'util-linux', chroot: 'coreutils', mount: 'mount' };

/** Programs that the tests start outside the folders. */
const toTest: Packages = {
  influxd: 'influxdb',
  mosquitto: 'mosquitto',
  psql: 'postgresql',
  sqlite3: 'sqlite3',
  chromium: 'chromium',
};

/** A sentence that says what this machine lacks to prepare the folders; null if it has all. */
export function missing(): string | null {
  if (process.platform !== 'linux') return 'Home Assistant runs in a folder with its own Debian, which needs Linux.';
  if (process.getuid?.() !== 0) return 'This needs root, for chroot and mount: sudo npm run test:home-assistant.';
  return notInstalled(toPrepare);
}

/** The same for the tests. */
export function missingForTests(): string | null {
  const { chromium = '', ...servers } = toTest;
  return notInstalled(process.env['CHROMIUM'] === undefined ? { ...servers, chromium } : servers);
}

function notInstalled(programs: Packages): string | null {
  const lacking = Object.entries(programs).filter(([program]) => findProgram(program) === null);
  if (lacking.length === 0) return null;
  const names = lacking.map(([program]) => program).join(', ');
  return `Not installed: ${names}. Debian: apt-get install ${lacking.map(([, name]) => name).join(' ')}`;
}

/** Both at once; nothing where the folders are there already. */
export async function prepareChroots(): Promise<void> {
  await mkdir(cacheFolder(), { recursive: true });
  await Promise.all(chroots.map((chroot) => (isPrepared(chroot) ? Promise.resolve() : prepareOne(chroot))));
}

async function prepareOne(chroot: Chroot): Promise<void> {
  const { suite, homeAssistant } = chroot;
  const began = performance.now();
  console.log(`Debian ${suite} with Home Assistant ${homeAssistant}: prepared in ${folderOf(chroot)}, some minutes.`);
  const log = join(cacheFolder(), `${suite}.log`);
  // Under another name until it is whole: a run that was stopped leaves nothing that looks ready.
  const folder = await mkdtemp(join(cacheFolder(), `${suite}-`));
  try {
    await debian(chroot, folder, log);
    for (const name of environments) {
      const lock = lockFile(name, chroot);
      await copyFile(lock, join(folder, 'tmp', 'lock.txt'));
      await environment(chroot, folder, name, ['--no-deps', '-r', '/tmp/lock.txt'], log);
    }
    await writeFile(join(folder, 'recipe'), recipeOf(chroot));
    await rm(folderOf(chroot), { recursive: true, force: true });
    await rename(folder, folderOf(chroot));
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw new Error(`${String(error)}; the end of ${log}:\n${readFileSync(log, 'utf8').slice(-2000)}`, {
      cause: error,
    });
  }
  console.log(`Debian ${suite} is ready after ${Math.round((performance.now() - began) / 1000)} s.`);
}

/** A small Debian with the packages. The keyring of the machine's own Debian verifies the newer one. */
export async function debian(chroot: Chroot, folder: string, log: string): Promise<void> {
  const { suite } = chroot;
  const options = ['--variant=minbase', `--keyring=${keyring}`, '--include=ca-certificates'];
  // An older debootstrap has no script for a newer suite; all newer ones are made as `sid`.
  const script = '/usr/share/debootstrap/scripts/sid';
  await runInChroot({ program: 'debootstrap', args: [...options, suite, folder, await mirror(), script] }, log);
  await machineSettings(folder);
  // No service may start: the tests start their own.
  await writeFile(join(folder, 'usr/sbin/policy-rc.d'), '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  const install = ['apt-get', 'install', '--yes', '--no-install-recommends', ...debianPackages(chroot)];
  await runInChroot(inFolder(folder, ['env', 'DEBIAN_FRONTEND=noninteractive', ...install]), log);
  await runInChroot(inFolder(folder, ['apt-get', 'clean']), log);
}

/** Names, certificates and the configuration of pip as on the machine. */
async function machineSettings(folder: string): Promise<void> {
  for (const file of ['/etc/resolv.conf', '/etc/hosts', certificates, '/etc/pip.conf']) {
    await copyFile(file, join(folder, file)).catch(ignoreMissing);
  }
  await cp(join(homedir(), '.config', 'pip'), join(folder, 'root/.config/pip'), { recursive: true }).catch(
    ignoreMissing,
  );
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'ENOENT') throw error;
}

/** Installs into the virtual environment `/opt/NAME`. */
export async function environment(
  { python }: Chroot,
  folder: string,
  name: string,
  requirements: readonly string[],
  log: string,
): Promise<void> {
  await runInChroot(inFolder(folder, [`python${python}`, '-m', 'venv', `/opt/${name}`]), log);
  const pip = [`/opt/${name}/bin/python`, '-m', 'pip', '-qq', '--no-cache-dir'];
  await runInChroot(inFolder(folder, [...pip, 'install', ...requirements]), log);
}

/** The mirror that the machine itself uses. */
async function mirror(): Promise<string> {
  const list = ['indextargets', '--format', '$(REPO_URI)', 'Created-By: Packages', 'Origin: Debian'];
  const { stdout } = await promisify(execFile)('apt-get', list).catch(() => ({ stdout: '' }));
  const [first = 'http://deb.debian.org/debian'] = stdout.split('\n').filter(Boolean);
  return first;
}

/** Output goes to the end of a file. */
export async function runInChroot({ program, args }: ChrootCommand, log: string): Promise<void> {
  const output = createWriteStream(log, { flags: 'a' });
  await once(output, 'open');
  const child = spawn(program, args, { stdio: ['ignore', output, output] });
  const [status] = (await once(child, 'close')) as unknown[];
  output.end();
  if (status !== 0) throw new Error(`${program} ended with ${String(status)}: ${args.slice(-8).join(' ')}`);
}

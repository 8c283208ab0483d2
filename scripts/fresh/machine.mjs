/**
 * A machine that has nothing but Debian, git, Node.js and npm: a folder for chroot. Debian is unpacked from a file in the cache, so each
 * run begins with the same; its first run makes the file, in about a minute.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

/** One version of each supported Node.js, the very oldest of the first, and the npm that comes with it. */
export const versions = {
  20: { node: '20.19.0', npm: '10.8.2' },
  22: { node: '22.23.3', npm: '10.9.4' },
  24: { node: '24.21.0', npm: '11.6.2' },
  26: { node: '26.10.0', npm: '11.12.1' },
};

/** The ordinary user. session.sh has the same. */
export const user = { id: 1000, home: '/home/somebody' };

const suite = 'bookworm';
/** libatomic1: a shared library that the program of Node.js 26 needs, so that every package of Node.js brings it. */
const packages = ['ca-certificates', 'git', 'libatomic1'];
const cache = join(homedir(), '.cache', 'node-red-contrib-cemm');
const certificates = '/etc/ssl/certs/ca-certificates.crt';
/** The global configuration of npm. */
const npmrc = 'usr/local/etc/npmrc';

/** A sentence that says what this machine lacks; null if it can make another one. */
export function missing() {
  if (process.platform !== 'linux' || process.getuid() !== 0) return 'This needs Linux and root, for chroot and mount.';
  const folders = (process.env.PATH ?? '').split(delimiter);
  for (const program of ['debootstrap', 'unshare', 'git', 'npm']) {
    if (!folders.some((folder) => isProgram(join(folder, program)))) {
      return `${program} is not installed (Debian: apt-get install debootstrap util-linux git npm).`;
    }
  }
  return null;
}

function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** A new folder with the machine. */
export function newMachine(major) {
  mkdirSync(cache, { recursive: true });
  const tarball = debianTarball();
  const folder = mkdtempSync(join(cache, 'fresh-'));
  runCommand('tar', ['--extract', '--file', tarball, '--directory', folder]);
  chmodSync(folder, 0o755);
  installNode(folder, versions[major]);
  settings(folder);
  return folder;
}

/** Fails where something is mounted in it, so that nothing else than the folder is removed. */
export function remove(folder) {
  if (readFileSync('/proc/self/mountinfo', 'utf8').includes(` ${folder}/`))
    throw new Error(`Something is mounted in ${folder}.`);
  runCommand('rm', ['--recursive', '--force', '--one-file-system', folder]);
}

function debianTarball() {
  const recipe = JSON.stringify([suite, packages, user, process.arch]);
  const tarball = join(cache, `fresh-${suite}-${createHash('sha256').update(recipe).digest('hex').slice(0, 12)}.tar`);
  if (existsSync(tarball)) return tarball;
  console.log(`Debian ${suite} is prepared in ${tarball}, about a minute.`);
  const folder = mkdtempSync(join(cache, 'fresh-debian-'));
  try {
    // Its mounts end with the namespace.
    const debootstrap = [
      'debootstrap',
      '--variant=minbase',
      `--include=${packages.join(',')}`,
      suite,
      folder,
      mirror(),
    ];
    runCommand('unshare', ['--mount', ...debootstrap]);
    const account = ['--no-create-home', '--uid', String(user.id), '--user-group', '--shell', '/bin/bash', 'somebody'];
    runCommand('chroot', [folder, 'useradd', ...account]);
    const home = ['--directory', `--owner=${user.id}`, `--group=${user.id}`, join(folder, user.home)];
    runCommand('install', home);
    // Under another name until it is whole.
    runCommand('tar', [
      '--create',
      '--file',
      `${folder}.tar`,
      '--exclude=./var/cache/apt/archives/*.deb',
      '--directory',
      folder,
      '.',
    ]);
    renameSync(`${folder}.tar`, tarball);
  } finally {
    remove(folder);
  }
  return tarball;
}

/** The mirror of Debian that this machine uses. */
function mirror() {
  try {
    const [first] = output('apt-get', [
      'indextargets',
      '--format',
      '$(REPO_URI)',
      'Created-By: Packages',
      'Origin: Debian',
    ]);
    if (first !== undefined) return first;
  } catch {
    // Not a Debian.
  }
  return 'http://deb.debian.org/debian';
}

/** From the registry of npm, as this machine is configured to use it. */
function installNode(folder, { node, npm }) {
  const lib = join(folder, 'usr/local/lib/node_modules/npm');
  mkdirSync(lib, { recursive: true });
  const place = join(folder, 'tmp');
  const names = [`node-linux-${process.arch}@${node}`, `npm@${npm}`];
  const [nodeFile = '', npmFile = ''] = output('npm', ['pack', '--silent', '--pack-destination', place, ...names]);
  const unpack = ['--extract', '--no-same-owner', '--strip-components=1', '--file'];
  runCommand('tar', [...unpack, join(place, nodeFile), '--directory', join(folder, 'usr/local'), 'package/bin/node']);
  runCommand('tar', [...unpack, join(place, npmFile), '--directory', lib]);
  for (const name of ['npm', 'npx']) {
    runCommand('ln', ['-s', `../lib/node_modules/npm/bin/${name}-cli.js`, join(folder, 'usr/local/bin', name)]);
  }
  runCommand('rm', [join(place, nodeFile), join(place, npmFile)]);
}

/** Names, certificates and the configuration of npm as on this machine. */
function settings(folder) {
  for (const file of ['/etc/resolv.conf', '/etc/hosts']) if (existsSync(file)) copyFileSync(file, join(folder, file));
  const values = ['registry', 'proxy', 'https-proxy', 'noproxy', 'strict-ssl'].map((key) => [
    key,
    output('npm', ['config', 'get', key])[0],
  ]);
  const [own] = output('npm', ['config', 'get', 'cafile']);
  const authorities = process.env.NODE_EXTRA_CA_CERTS ?? (own === 'null' ? undefined : own);
  if (authorities !== undefined) {
    copyFileSync(authorities, join(folder, certificates));
    values.push(['cafile', certificates]);
  }
  // A spinner fills the log.
  values.push(['progress', 'false']);
  const lines = values.filter(([, value]) => value !== undefined && value !== 'null' && value !== '');
  mkdirSync(join(folder, 'usr/local/etc'), { recursive: true });
  writeFileSync(join(folder, npmrc), lines.map(([key, value]) => `${key}=${value}\n`).join(''));
}

export function runCommand(program, args, options = {}) {
  execFileSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'], ...options });
}

/** The lines that it prints. */
function output(program, args) {
  return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], cwd: '/' })
    .split('\n')
    .filter(Boolean);
}

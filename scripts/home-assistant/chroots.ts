/**
 * The Debian systems in which tests run programs that need a newer Debian: the real Home Assistant, and other clients. Each is a folder
 * outside the repository, with its own Python; it shares the loopback network with the machine.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export interface Chroot {
  /** Suite of Debian, and name of the folder. */
  readonly suite: 'forky' | 'trixie';
  readonly python: string;
  /** Version of Home Assistant, in `/opt/home-assistant`. */
  readonly homeAssistant: string;
  /** Further packages of Debian. */
  readonly packages: readonly string[];
}

export const chroots: readonly Chroot[] = [
  { suite: 'forky', python: '3.14', homeAssistant: '2026.11.0', packages: ['prometheus', 'victoria-metrics'] },
  { suite: 'trixie', python: '3.13', homeAssistant: '2026.2.3', packages: ['postgresql-17-timescaledb'] },
];

/** Systems whose Home Assistant is tested: with CEMM_HOME_ASSISTANT=newest only the first one. The others are needed for other programs. */
export const testedChroots: readonly Chroot[] =
  process.env['CEMM_HOME_ASSISTANT'] === 'newest' ? chroots.slice(0, 1) : chroots;

/** For Home Assistant: ffmpeg and turbojpeg are looked for at each start; the compiler builds two packages that have no wheel. */
export function debianPackages({ python, packages }: Chroot): readonly string[] {
  const names = ['venv', 'dev'].map((part) => `python${python}-${part}`);
  return [...names, 'build-essential', 'ffmpeg', 'libturbojpeg0', 'libpcap0.8t64', 'tzdata', ...packages];
}

/** The virtual environments: what is in `/opt/NAME`, with exact versions. */
export const environments = ['home-assistant', 'clients'] as const;

export function lockFile(name: (typeof environments)[number], { homeAssistant, suite }: Chroot): string {
  return join(__dirname, 'locks', `${name}-${name === 'clients' ? suite : homeAssistant}.txt`);
}

/** `CEMM_HOME_ASSISTANT_CACHE` moves it. */
export function cacheFolder(): string {
  const moved = process.env['CEMM_HOME_ASSISTANT_CACHE'] ?? '';
  return moved === '' ? join(homedir(), '.cache', 'node-red-contrib-cemm') : moved;
}

export function folderOf({ suite }: Chroot): string {
  return join(cacheFolder(), suite);
}

/** Changes with all that a prepared folder is made of. */
export function recipeOf(chroot: Chroot): string {
  const locks = environments.map((name) => readFileSync(lockFile(name, chroot), 'utf8'));
  const recipe = JSON.stringify([chroot, debianPackages(chroot), locks]);
  return createHash('sha256').update(recipe).digest('hex');
}

export function isPrepared(chroot: Chroot): boolean {
  try {
    return readFileSync(join(folderOf(chroot), 'recipe'), 'utf8') === recipeOf(chroot);
  } catch {
    return false;
  }
}

export interface ChrootCommand {
  readonly program: string;
  readonly args: readonly string[];
}

/**
 * A command inside a folder, as the same process: a signal reaches the program. Mounts exist for it alone, and end with it.
 * @param shared a folder of the machine that the program sees as `/mnt`
 */
export function inFolder(folder: string, command: readonly string[], shared: string | null = null): ChrootCommand {
  const mounts = [
    ['--rbind', '/proc', join(folder, 'proc')],
    ['--rbind', '/dev', join(folder, 'dev')],
    ...(shared === null ? [] : [['--bind', shared, join(folder, 'mnt')]]),
  ];
  const script = [...mounts.map((mount) => `mount ${mount.map(quoted).join(' ')}`), 'exec "$@"'].join(' && ');
  return { program: 'unshare', args: ['--mount', 'sh', '-c', script, 'sh', 'chroot', folder, ...command] };
}

/** For a shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Servers of other projects that a test starts: installed from Debian's packages, or missing. */
import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { until } from '../until';

export interface Server {
  readonly pid: number;
  readonly stop: () => Promise<void>;
  /** The end of what it wrote to its standard outputs. */
  readonly output: () => string;
}

export interface Launch {
  readonly program: string;
  readonly folder: string;
  readonly args: readonly string[];
  readonly isReady: () => Promise<boolean>;
}

/** The path of a program; null if it is not installed. Debian keeps servers where only root looks by default. */
export function findProgram(name: string): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  for (const folder of folders) {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return join(folder, name);
    } catch {
      // Not in this folder.
    }
  }
  return null;
}

/** Fails with the Debian package that has it. */
export function programPath(name: string, debianPackage: string): string {
  return findProgram(name) ?? failMissing(name, debianPackage);
}

/** No test is skipped: a lane that needs a program has it, or is red. */
export function failMissing(program: string, debianPackage: string): never {
  throw new Error(`${program} is not installed (Debian: apt-get install ${debianPackage})`);
}

export function folderFor(name: string): Promise<string> {
  return mkdtemp(join(tmpdir(), `cemm-${name}-`));
}

/** Resolves when the server answers. Stopping it also removes its folder. */
export async function launch({ program, folder, args, isReady }: Launch): Promise<Server> {
  let output = '';
  let hasEnded = false;
  const child = spawn(program, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.on('data', (chunk: Buffer) => (output = `${output}${chunk.toString()}`.slice(-3000)));
  child.stderr.on('data', (chunk: Buffer) => (output = `${output}${chunk.toString()}`.slice(-3000)));
  child.once('error', (error) => (output += error.message));
  child.once('close', () => (hasEnded = true));

  async function stop(): Promise<void> {
    child.kill('SIGTERM');
    await until(`${program} to end`, () => hasEnded, 20_000).catch(() => child.kill('SIGKILL'));
    await rm(folder, { recursive: true, force: true });
  }

  try {
    await until(`${program} to answer`, async () => {
      if (hasEnded) throw new Error(`${program} ended`);
      return isReady();
    });
  } catch (error) {
    await stop();
    throw new Error(`${String(error)}; it said:\n${output}`, { cause: error });
  }
  return { pid: child.pid ?? 0, stop, output: () => output };
}

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
}

export interface Launch {
  readonly program: string;
  readonly folder: string;
  readonly args: readonly string[];
  readonly isReady: () => Promise<boolean>;
}

/** Its path; null if it is not installed. Debian keeps servers where only root looks by default. */
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

/** A mocha test, or a campaign that cannot continue. */
export interface CanSkip {
  skip(): never;
}

/** Skips the test with the reason; in CI, where nothing may be missing, it fails. */
export function skipMissing(context: CanSkip, program: string, debianPackage: string): never {
  const reason = `${program} is not installed (Debian: apt-get install ${debianPackage})`;
  if (process.env['CI'] === 'true') throw new Error(reason);
  console.log(`      skipped: ${reason}`);
  return context.skip();
}

/** The path of the program; without it, as skipMissing. */
export function skipWithout(context: CanSkip, program: string, debianPackage: string): string {
  return findProgram(program) ?? skipMissing(context, program, debianPackage);
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
  return { pid: child.pid ?? 0, stop };
}

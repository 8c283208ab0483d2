/** A separate PostgreSQL server on a free loopback port, queried with psql. */
import { execFile } from 'node:child_process';
import { chown } from 'node:fs/promises';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../node-red/node-red';
import { folderFor, launch, programPath, type Server } from './server-program';

const run = promisify(execFile);

export interface Postgres extends Server {
  /** Runs statements without a result. */
  execute(statements: string): Promise<void>;
  /** The rows of a SELECT. */
  query(select: string): Promise<Record<string, unknown>[]>;
}

export async function startPostgres(): Promise<Postgres> {
  const psql = programPath('psql', 'postgresql');
  // Those of a newer Debian change the user themselves (test/support/home-assistant/newer-servers.ts).
  const newer = process.env['CEMM_NEWER_POSTGRES'];
  const programs = newer ?? folderOfServer() ?? programPath('initdb', 'postgresql');
  const folder = await folderFor('postgres');
  const user = newer === undefined ? await serverUser() : null;
  if (user !== null) await chown(folder, user.uid, user.gid);
  const port = await freePort();
  const initdb = as(user, join(programs, 'initdb'), [
    '-D',
    `${folder}/data`,
    '-U',
    'cemm',
    '-A',
    'trust',
    '-E',
    'UTF8',
  ]);
  await run(initdb.program, initdb.args, { cwd: folder });
  const server = as(user, join(programs, 'postgres'), [
    ...['-D', `${folder}/data`, '-h', '127.0.0.1', '-p', String(port), '-k', ''],
    // No data has to survive the test.
    ...['-c', 'fsync=off'],
  ]);
  const psqlArgs = ['-h', '127.0.0.1', '-p', String(port), '-U', 'cemm', '-d', 'postgres', '-XqAt'];

  async function ask(statements: string): Promise<string> {
    const asked = run(psql, [...psqlArgs, '-v', 'ON_ERROR_STOP=1'], { maxBuffer: 64 * 1024 * 1024 });
    asked.child.stdin?.end(statements);
    return (await asked).stdout;
  }

  const isReady = (): Promise<boolean> =>
    ask('SELECT 1;').then(
      () => true,
      () => false,
    );
  const started = await launch({ ...server, folder, isReady });
  return {
    ...started,
    execute: async (statements) => {
      await ask(statements);
    },
    query: async (select) => {
      const rows = select.trim().replace(/;$/, '');
      return JSON.parse(await ask(`SELECT coalesce(json_agg(row), '[]') FROM (${rows}) AS row;`)) as Record<
        string,
        unknown
      >[];
    },
  };
}

/** Debian keeps the programs of the server in a folder for each version. */
function folderOfServer(): string | null {
  const root = '/usr/lib/postgresql';
  try {
    const newest = readdirSync(root)
      .sort((a, b) => Number(a) - Number(b))
      .at(-1);
    return newest === undefined ? null : join(root, newest, 'bin');
  } catch {
    return null;
  }
}

interface User {
  readonly uid: number;
  readonly gid: number;
}

/** PostgreSQL refuses to run as root, so root uses the user of its package. */
async function serverUser(): Promise<User | null> {
  if (process.getuid?.() !== 0) return null;
  const id = async (option: string) => Number((await run('id', [option, 'postgres'])).stdout);
  return { uid: await id('-u'), gid: await id('-g') };
}

function as(user: User | null, program: string, args: readonly string[]): { program: string; args: string[] } {
  if (user === null) return { program, args: [...args] };
  return {
    program: 'setpriv',
    args: [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', program, ...args],
  };
}

/** A separate InfluxDB server on a free loopback port: 1.x as packaged by Debian, queried over its HTTP API. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../node-red/node-red';
import { folderFor, launch, programPath, type Server } from './server-program';

export interface InfluxDb extends Server {
  readonly port: number;
  /** The rows of an InfluxQL statement, each with its column names; empty if there are none. Default: the first database. */
  query(statement: string, database?: string): Promise<Record<string, unknown>[]>;
}

/** A user, if the server requires one. */
export interface Login {
  readonly user: string;
  readonly password: string;
}

export interface InfluxDbOptions {
  /** Requires a login; the first statement of `setUp` has to create this user. */
  readonly admin?: Login;
  /** Initial statements; default: one that creates the database. */
  readonly setUp?: readonly string[];
}

interface Answer {
  results?: { series?: { columns: string[]; values: unknown[][] }[]; error?: string }[];
  error?: string;
}

/** Creates one empty database. */
export async function startInfluxDb(
  database: string,
  { admin, setUp = [`CREATE DATABASE "${database}"`] }: InfluxDbOptions = {},
): Promise<InfluxDb> {
  const program = programPath('influxd', 'influxdb');
  const folder = await folderFor('influxdb');
  const port = await freePort();
  const config = join(folder, 'influxdb.conf');
  await writeFile(config, settings(folder, port, await freePort(), admin !== undefined));
  const url = `http://127.0.0.1:${port}`;
  const isReady = (): Promise<boolean> =>
    fetch(`${url}/ping`).then(
      ({ status }) => status === 204,
      () => false,
    );
  const server = await launch({ program, folder, args: ['-config', config], isReady });

  async function query(statement: string, asked = database): Promise<Record<string, unknown>[]> {
    const response = await fetch(`${url}/query`, {
      method: 'POST',
      headers: admin === undefined ? {} : { authorization: basic(admin) },
      body: new URLSearchParams({ db: asked, epoch: 'ms', q: statement }),
    });
    const { results: [result] = [], error = result?.error } = (await response.json()) as Answer;
    if (error !== undefined) throw new Error(error);
    return (result?.series ?? []).flatMap(({ columns, values }) =>
      values.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]]))),
    );
  }

  for (const statement of setUp) await query(statement);
  return { ...server, port, query };
}

export function basic({ user, password }: Login): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

function settings(folder: string, http: number, rpc: number, isClosed: boolean): string {
  return `
reporting-disabled = true
bind-address = "127.0.0.1:${rpc}"
[meta]
  dir = "${folder}/meta"
[data]
  dir = "${folder}/data"
  wal-dir = "${folder}/wal"
[monitor]
  store-enabled = false
[subscriber]
  enabled = false
[http]
  bind-address = "127.0.0.1:${http}"
  log-enabled = false
  auth-enabled = ${isClosed}
`;
}

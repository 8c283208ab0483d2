/** A search by a machine in two networks, each with a monitor, of which one has lying devices. */
import should from 'should';
import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { SearchResult } from '../../../../src/discovery/search';
import { until } from '../../until';

export interface TwoNetworks {
  /** The first three numbers of the addresses of each. */
  readonly nets: readonly [string, string];
  readonly broadcasts: readonly [string, string];
  /** An address of neither network, from which a device of the second one sends. */
  readonly stranger: string;
  /** Port of the Local API. */
  readonly port: number;
  /** The networks are loopback addresses. */
  readonly isLoopback: boolean;
  /** The command that runs another one in the first or second network, or on the machine in both. */
  readonly inside: (place: 'first' | 'second' | 'us') => readonly string[];
}

/** Fails unless the search lists exactly the two true monitors. */
export async function searchTwoNetworks(networks: TwoNetworks): Promise<void> {
  const { nets, broadcasts, stranger, port, isLoopback, inside } = networks;
  const children: ChildProcess[] = [];
  const run = (place: 'first' | 'second' | 'us', script: string, options: object, required: string[] = []) => {
    const modules = [require.resolve('tsx/cjs'), ...required].flatMap((file) => ['--require', file]);
    const program = [process.execPath, ...modules, join(__dirname, script), JSON.stringify(options)];
    const [command = '', ...rest] = [...inside(place), ...program];
    const child = spawn(command, rest, { stdio: ['pipe', 'pipe', 'inherit'] });
    children.push(child);
    return child;
  };
  const [one, two] = nets;
  try {
    const devices = [
      run('first', 'devices.ts', { net: one, port, seed: 1, broadcast: broadcasts[0], liars: true }),
      run('second', 'devices.ts', { net: two, port, seed: 2, broadcast: broadcasts[1], stranger }),
    ];
    const ids: string[] = [];
    for (const child of devices) {
      const { mac } = JSON.parse(await firstLine(child, 'the devices')) as { mac: string };
      ids.push(mac.replaceAll(':', '').toLowerCase());
    }
    const redirected = isLoopback ? [join(__dirname, '../loopback-only.cjs')] : [];
    const searching = run('us', 'searcher.ts', { loopback: isLoopback ? nets : null }, redirected);
    const result = JSON.parse(await firstLine(searching, 'the search')) as SearchResult;
    const found = result.monitors.map(({ id, host, verified }) => `${id} ${host} ${String(verified)}`);
    should(found.sort()).eql([`${ids[0] ?? ''} ${one}.2 true`, `${ids[1] ?? ''} ${two}.2 true`].sort());
    should(result.dropped).be.above(0);
  } finally {
    for (const child of children) child.kill();
    await until('the devices to end', () =>
      children.every((child) => child.exitCode !== null || child.signalCode !== null),
    );
  }
}

async function firstLine(child: ChildProcess, what: string): Promise<string> {
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await until(
    what,
    () => {
      if (child.exitCode !== null && !output.includes('\n')) throw new Error(`${what}: ended with ${child.exitCode}`);
      return output.includes('\n');
    },
    60_000,
  );
  return output.slice(0, output.indexOf('\n'));
}

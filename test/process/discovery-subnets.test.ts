/**
 * A machine in two networks, each with a monitor and with lying devices: network namespaces and virtual cables (Debian package
 * iproute2, and the permission to use it). Without the permission, loopback addresses stand for the two networks, and the name
 * of the test says so.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import should from 'should';
import type { SearchResult } from '../../src/discovery/search';
import { until } from '../support/until';

const spaces = { us: 'cemm-us', first: 'cemm-first', second: 'cemm-second' } as const;
const tsx = ['--require', require.resolve('tsx/cjs')];
const scripts = join(__dirname, '../support/network/subnets');

function ip(...words: string[]): void {
  execFileSync('ip', words, { stdio: 'pipe' });
}

/** Creates a namespace for each network, and one for the machine in both. */
function lay(): void {
  for (const space of Object.values(spaces)) {
    ip('netns', 'add', space);
    ip('-n', space, 'link', 'set', 'lo', 'up');
  }
  for (const [index, space] of [spaces.first, spaces.second].entries()) {
    const [near, far] = [`cemm${index}a`, `cemm${index}b`];
    ip('-n', spaces.us, 'link', 'add', near, 'type', 'veth', 'peer', 'name', far, 'netns', space);
    const net = `10.77.${index + 1}`;
    ip('-n', spaces.us, 'addr', 'add', `${net}.1/24`, 'broadcast', `${net}.255`, 'dev', near);
    for (const host of [2, 3, 4, 5, 6]) ip('-n', space, 'addr', 'add', `${net}.${host}/24`, 'dev', far);
    ip('-n', spaces.us, 'link', 'set', near, 'up');
    ip('-n', space, 'link', 'set', far, 'up');
    ip('-n', space, 'route', 'add', 'default', 'via', `${net}.1`);
  }
  // A device of the second network sends from the address of a third one, which the machine is not in.
  ip('-n', spaces.second, 'addr', 'add', '10.99.0.9/32', 'dev', 'cemm1b');
  ip('-n', spaces.us, 'route', 'add', '10.99.0.9/32', 'via', '10.77.2.2');
}

function clear(): void {
  for (const space of Object.values(spaces)) {
    try {
      ip('netns', 'del', space);
    } catch {
      // It did not exist.
    }
  }
}

function mayLay(): boolean {
  try {
    clear();
    lay();
    return true;
  } catch {
    return false;
  } finally {
    clear();
  }
}

const allowed = mayLay();

/** Runs a program of test/support/network/subnets in a namespace. */
function run(space: string, script: string, ...words: string[]): ChildProcess {
  const program = [process.execPath, ...tsx, join(scripts, script), ...words];
  const [command = '', ...rest] = allowed ? ['ip', 'netns', 'exec', space, ...program] : program;
  return spawn(command, rest, { stdio: ['pipe', 'pipe', 'inherit'] });
}

async function lineOf(child: ChildProcess, what: string): Promise<string> {
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

const means = allowed ? 'in network namespaces' : 'on loopback addresses (network namespaces are not allowed here)';

describe(`two networks, ${means}`, function () {
  this.timeout(110_000);
  const children: ChildProcess[] = [];

  before(() => {
    if (allowed) lay();
  });

  after(async () => {
    for (const child of children) child.kill();
    await until('the devices to end', () =>
      children.every((child) => child.exitCode !== null || child.signalCode !== null),
    );
    if (allowed) clear();
  });

  it('lists exactly the true monitors among forgeries, 60 kB and 40 000 datagrams', async () => {
    const nets = allowed ? ['10.77.1', '10.77.2'] : ['127.77.1', '127.77.2'];
    const [one = '', two = ''] = nets;
    const broadcasts = nets.map((net) => (allowed ? `${net}.255` : '127.255.255.255'));
    const stranger = allowed ? '10.99.0.9' : '127.99.0.9';
    children.push(
      run(spaces.first, 'devices.ts', JSON.stringify({ net: one, seed: 1, broadcast: broadcasts[0], liars: true })),
      run(spaces.second, 'devices.ts', JSON.stringify({ net: two, seed: 2, broadcast: broadcasts[1], stranger })),
    );
    const macs: string[] = [];
    for (const child of children) macs.push((JSON.parse(await lineOf(child, 'the devices')) as { mac: string }).mac);

    const searching = run(spaces.us, 'searcher.ts', JSON.stringify({ loopback: allowed ? null : nets }));
    children.push(searching);
    const result = JSON.parse(await lineOf(searching, 'the search')) as SearchResult;
    const found = result.monitors.map(({ id, host, verified }) => `${id} ${host} ${String(verified)}`);
    const ids = macs.map((mac) => mac.replaceAll(':', '').toLowerCase());
    found.sort().should.eql([`${ids[0] ?? ''} ${one}.2 true`, `${ids[1] ?? ''} ${two}.2 true`].sort());
    should(result.dropped).be.aboveOrEqual(50);
  });
});

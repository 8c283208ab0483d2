/**
 * A machine in two networks: network namespaces and virtual cables, which need root and the Debian package iproute2.
 * test/process/discovery-subnets.test.ts is the same on loopback addresses.
 */
import { execFileSync } from 'node:child_process';
import { searchTwoNetworks } from '../../support/network/subnets/two-networks';
import { programPath } from '../../support/servers/server-program';

const spaces = { us: 'cemm-us', first: 'cemm-first', second: 'cemm-second' } as const;

function ip(...words: string[]): void {
  execFileSync(programPath('ip', 'iproute2'), words, { stdio: 'pipe' });
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

describe('two networks in network namespaces', function () {
  this.timeout(110_000);

  before(() => {
    clear();
    lay();
  });
  after(clear);

  it('lists exactly the true monitors among forgeries, 60 kB and 40 000 datagrams', async () => {
    await searchTwoNetworks({
      nets: ['10.77.1', '10.77.2'],
      broadcasts: ['10.77.1.255', '10.77.2.255'],
      stranger: '10.99.0.9',
      port: 80,
      isLoopback: false,
      inside: (place) => [programPath('ip', 'iproute2'), 'netns', 'exec', spaces[place]],
    });
  });
});

/** A machine in two networks, for which loopback addresses stand. In network namespaces: test/campaigns/servers/discovery-subnets.test.ts. */
import { portInPlaceOf80 } from '../support/network/discoverable';
import { longestTurnMs, takeNetwork } from '../support/network/only-network';
import { searchTwoNetworks } from '../support/network/subnets/two-networks';

describe('two networks on loopback addresses', function () {
  this.timeout(110_000 + longestTurnMs);

  it('lists exactly the true monitors among forgeries, 60 kB and 40 000 datagrams', async () => {
    const giveBack = await takeNetwork();
    try {
      await searchTwoNetworks({
        nets: ['127.77.1', '127.77.2'],
        broadcasts: ['127.255.255.255', '127.255.255.255'],
        stranger: '127.99.0.9',
        port: portInPlaceOf80,
        isLoopback: true,
        inside: () => [],
      });
    } finally {
      giveBack();
    }
  });
});

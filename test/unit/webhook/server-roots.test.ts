import should from 'should';
import { addressesIn } from '../../../nodes/cemm-webhook-in/routes/server-roots';

type Interfaces = Parameters<typeof addressesIn>[0];

function entry(address: string, family: 'IPv4' | 'IPv6' = 'IPv4', internal = false): NonNullable<Interfaces[string]> {
  const common = { address, netmask: '', mac: '00:00:00:00:00:00', internal, cidr: null };
  return [family === 'IPv4' ? { ...common, family } : { ...common, family, scopeid: 0 }];
}

describe('addresses of this machine for a monitor', () => {
  it('are the IPv4 addresses of its networks', () => {
    const interfaces = { eth0: [...entry('192.168.1.20'), ...entry('fd00::20', 'IPv6')], wlan0: entry('192.168.2.7') };
    should(addressesIn(interfaces)).eql([
      { address: '192.168.1.20', name: 'eth0' },
      { address: '192.168.2.7', name: 'wlan0' },
    ]);
  });

  it('leave out loopback, addresses without a network, and networks inside the machine', () => {
    const interfaces = {
      lo: entry('127.0.0.1', 'IPv4', true),
      eth1: entry('169.254.7.7'),
      docker0: entry('172.17.0.1'),
      'br-5f2c': entry('172.18.0.1'),
      veth12: entry('172.19.0.1'),
      virbr0: entry('192.168.122.1'),
    };
    should(addressesIn(interfaces)).eql([]);
  });
});

/** The networks this machine is in: where to ask, and from where an answer may come (reliability UD3, UD13). */
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

export interface Subnet {
  readonly address: string;
  readonly prefix: number;
  readonly broadcast: string;
  /** The loopback interface: searched only for tests and the simulator. */
  readonly internal: boolean;
}

/** All IPv4 networks of this machine. Point-to-point links (/31, /32) have no broadcast and are left out. */
export function localSubnets(interfaces: typeof networkInterfaces = networkInterfaces): Subnet[] {
  const found: Subnet[] = [];
  for (const addresses of Object.values(interfaces())) {
    for (const { family, address, cidr, internal } of addresses ?? []) {
      if (family !== 'IPv4' || cidr === null) continue;
      const [, prefix] = ipaddr.IPv4.parseCIDR(cidr);
      if (prefix > 30) continue;
      found.push({ address, prefix, broadcast: ipaddr.IPv4.broadcastAddressFromCIDR(cidr).toString(), internal });
    }
  }
  return found;
}

/** Whether the address lies in one of the networks. */
export function isInside(address: string, subnets: readonly Subnet[]): boolean {
  if (!ipaddr.IPv4.isValidFourPartDecimal(address)) return false;
  const parsed = ipaddr.IPv4.parse(address);
  return subnets.some((subnet) => parsed.match(ipaddr.IPv4.parse(subnet.address), subnet.prefix));
}

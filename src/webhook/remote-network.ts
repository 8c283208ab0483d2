/** Groups remote addresses by sender, for limits. */
import ipaddr from 'ipaddr.js';

/** Prefix of an IPv4 address on an IPv6 socket. */
const mappedPrefix = '::ffff:';

export function plainAddress(remote: string | undefined): string | null {
  return remote?.startsWith(mappedPrefix) ? remote.slice(mappedPrefix.length) : (remote ?? null);
}

/** The address itself, or the /64 of an IPv6 address: all its addresses belong to one sender. */
export function networkOf(remote: string | null | undefined): string {
  const address = plainAddress(remote ?? undefined) ?? '';
  if (!address.includes(':') || !ipaddr.IPv6.isValid(address)) return address;
  return ipaddr.IPv6.parse(address).parts.slice(0, 4).join(':');
}

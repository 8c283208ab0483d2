/** Whose requests count together. */
import ipaddr from 'ipaddr.js';

/** The address itself; of an IPv6 address its /64, all of whose addresses belong to one sender. */
export function networkOf(remote: string | null): string {
  if (remote === null || !remote.includes(':') || !ipaddr.IPv6.isValid(remote)) return remote ?? '';
  return ipaddr.IPv6.parse(remote).parts.slice(0, 4).join(':');
}

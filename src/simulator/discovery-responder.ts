/** Replies to discovery queries like a monitor (http://developer.cemm.nl/discovery-broadcast/). */
import dgram from 'node:dgram';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import { discoveryQuery } from '../protocol/datagram';

export interface DiscoveryResponderParts {
  /** 0 = any free port. */
  readonly port: number;
  /** IPv4 address to listen on. `0.0.0.0` receives broadcasts, too. */
  readonly address: string;
  /** Called for each reply, because faults can change the monitor. `core` is `version` of the reply. */
  readonly monitor: () => { readonly mac: string; readonly core: string };
  readonly log?: (line: Readonly<Record<string, unknown>>) => void;
}

export interface DiscoveryResponder {
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** Rejects with the error of `bind`. */
export async function startDiscoveryResponder(parts: DiscoveryResponderParts): Promise<DiscoveryResponder> {
  const socket = dgram.createSocket({ type: 'udp4', reuseAddr: true });
  socket.bind(parts.port, parts.address);
  await once(socket, 'listening');
  // A reply that cannot be sent is ignored, like a lost one.
  socket.on('error', () => undefined);
  socket.on('message', (message, sender) => {
    if (!message.equals(discoveryQuery)) return;
    const { mac, core } = parts.monitor();
    const ip = addressTowards(sender.address, parts.address);
    socket.send(
      JSON.stringify({ ip, mac, version: core, type: 'CEMM_basic', init_state: 1 }),
      sender.port,
      sender.address,
    );
    parts.log?.({ interface: 'udp', from: `${sender.address}:${sender.port}`, mac });
  });
  return {
    port: socket.address().port,
    close: async () => {
      socket.close();
      await once(socket, 'close');
    },
  };
}

/** The address in a reply: the configured one, or the address of the interface in the sender's network. */
function addressTowards(asker: string, own: string): string {
  if (own !== '0.0.0.0' || !isIPv4(asker)) return own;
  const candidates = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const near = candidates.find(
    ({ cidr, family }) =>
      family === 'IPv4' && cidr !== null && ipaddr.IPv4.parse(asker).match(ipaddr.IPv4.parseCIDR(cidr)),
  );
  return near?.address ?? asker;
}

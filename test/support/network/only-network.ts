/**
 * Reserves the loopback network for one test process at a time, because its monitors all receive the same broadcast and would
 * answer another test's search. The owner listens on an otherwise unused port, so a killed test leaves nothing behind.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { discoveryPort } from '../../../src/protocol/datagram';

/** Add it to the time limit of a test: the tests of the first hour keep the network for three minutes on a busy machine. */
export const longestTurnMs = 300_000;

const place = { host: '127.255.255.254', port: discoveryPort };

let users = 0;
let held: Promise<Server> | null = null;

/** Waits until no other process has the network. The returned function releases it; monitors of one test share it. */
export async function takeNetwork(): Promise<() => void> {
  users += 1;
  held ??= listen();
  const server = await held;
  return () => {
    users -= 1;
    if (users > 0) return;
    held = null;
    server.close();
  };
}

async function listen(): Promise<Server> {
  for (;;) {
    const server = createServer();
    server.listen(place);
    try {
      await once(server, 'listening');
      return server;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
      await sleep(200);
    }
  }
}

/**
 * Every endpoint of both Open APIs: deadlines on a fake clock, promises, and every status at the root and the list of a
 * local monitor. See also fault-matrix.test.ts.
 */
import should from 'should';
import type { MonitorClient } from '../../../src/clients/client';
import type { Clock } from '../../../src/time/clock';
import { FakeClock } from '../../support/time/fake-clock';
import type { ErrorCode } from '../../../src/errors';
import { createLocalClient } from '../../../src/clients/local-client';
import { createRemoteClient } from '../../../src/clients/remote-client';
import {
  type Act,
  answer,
  faults,
  type FaultServer,
  head,
  json,
  sendBytes,
  startFaultServer,
} from '../../support/network/fault-server';
import { until } from '../../support/until';
import {
  apiKey,
  askOptions,
  behindRoot,
  type Endpoint,
  errorOf,
  leaks,
  localAt,
  localEndpoints,
  remoteEndpoints,
} from '../../support/clients/harness';

const deadlineMs = 400;

interface Side {
  readonly name: string;
  readonly endpoints: readonly Endpoint[];
  serve(act: Act, endpoint: Endpoint): Promise<FaultServer>;
  open(server: FaultServer, clock: Clock): MonitorClient;
}

const sides: readonly Side[] = [
  {
    name: 'remote',
    endpoints: remoteEndpoints,
    serve: (act) => startFaultServer(() => act),
    open: ({ origin }, clock) => createRemoteClient({ baseUrl: `${origin}/v1`, apiKey, random: () => 0, clock }),
  },
  {
    name: 'local',
    endpoints: localEndpoints,
    serve: (act, { path }) => startFaultServer(path === '' ? () => act : behindRoot(() => act)),
    open: ({ origin }, clock) => createLocalClient({ host: origin, allowLoopback: true, clock }),
  },
];

/** Faults that only the deadline ends. */
const endless = {
  silence: faults.silence,
  'dripping headers': faults['dripping headers'],
  'dripping body': faults['dripping body'],
  'headers, then silence': faults['headers, then silence'],
  'silence in mid-body': faults['silence in mid-body'],
  'promises without end': json({ promise: 'never' }, 202),
};

describe('deadlines of every endpoint', () => {
  for (const side of sides) {
    for (const [name, act] of Object.entries(endless)) {
      if (name === 'promises without end' && side.name === 'local') continue;
      it(`${side.name}, ${name}: ends at the deadline, not before and not 200 ms after`, async () => {
        await Promise.all(
          side.endpoints.map(async (endpoint) => {
            const server = await side.serve(act, endpoint);
            const clock = new FakeClock();
            const client = side.open(server, clock);
            try {
              let settled = false;
              const question = errorOf(endpoint.ask(client, askOptions(deadlineMs))).finally(() => (settled = true));
              const expected = side.name === 'local' && endpoint.path !== '' ? 2 : 1;
              await until('the question', () => server.requests.length >= expected);
              clock.tick(deadlineMs - 1);
              // Everything that could end it early has run.
              await new Promise((resolve) => setTimeout(resolve, 20));
              should(settled).equal(false, endpoint.name);
              clock.tick(1);
              const error = await question;
              should(error.code).equal('DEADLINE');
              should(error.elapsedMs).be.within(deadlineMs, deadlineMs + 200);
              should(error.endpoint).equal(endpoint.name);
              should(leaks(error, apiKey)).eql([]);
              // A connection stays open after a complete response.
              if (name !== 'promises without end') await until('the connection to close', () => server.open === 0);
            } finally {
              client.close();
              await server.close();
            }
          }),
        );
      });
    }
  }
});

describe('promises of every remote endpoint', () => {
  for (const endpoint of remoteEndpoints) {
    it(`${endpoint.name}: 202, 202, and the data`, async () => {
      let asked = 0;
      const server = await startFaultServer(() => (++asked < 3 ? json({ promise: 'p' }, 202) : json(endpoint.body)));
      const clock = new FakeClock();
      const client = createRemoteClient({ baseUrl: `${server.origin}/v1`, apiKey, random: () => 0.5, clock });
      try {
        const done = endpoint.ask(client, askOptions());
        for (let repeat = 1; repeat <= 2; repeat += 1) {
          await until('the question', () => server.requests.length === repeat);
          // The idle timeout is 5 s, and each pause is shorter.
          await until('the pause', () => clock.msToNextTimer < 3000);
          clock.tick(clock.msToNextTimer);
        }
        const { requests, promises } = await done;
        should([requests, promises]).eql([3, 2]);
      } finally {
        client.close();
        await server.close();
      }
    });
  }
});

describe('a local monitor whose root or list answers with a status', () => {
  const cases: readonly (readonly [number, ErrorCode, ErrorCode])[] = [
    [202, 'BAD_PAYLOAD', 'BAD_PAYLOAD'],
    [204, 'BAD_PAYLOAD', 'BAD_PAYLOAD'],
    [400, 'NOT_A_MONITOR', 'UNSUPPORTED'],
    [403, 'NOT_A_MONITOR', 'AUTH'],
    [408, 'UPSTREAM_TIMEOUT', 'UPSTREAM_TIMEOUT'],
    [429, 'RATE', 'RATE'],
    [500, 'UPSTREAM', 'UPSTREAM'],
    [502, 'MONITOR_OFFLINE', 'MONITOR_OFFLINE'],
    [503, 'UPSTREAM', 'UPSTREAM'],
  ];
  for (const [status, atRoot, atList] of cases) {
    it(`${status}: ${atRoot} at the root, ${atList} at the list`, async () => {
      for (const endpoint of localEndpoints.filter(({ path }) => path === '' || path === 'io')) {
        const act = status === 204 ? sendBytes(head(204)) : answer(status);
        const server = await startFaultServer(endpoint.path === '' ? () => act : behindRoot(() => act));
        const client = localAt(server);
        try {
          const error = await errorOf(endpoint.ask(client, askOptions()));
          should(error.code).equal(endpoint.path === '' ? atRoot : atList, error.message);
          should(error.endpoint).equal(endpoint.name);
        } finally {
          client.close();
          await server.close();
        }
      }
    });
  }
});

/** A host that does not answer the first packet, such as one behind a firewall (RA16 of test/faults.json). */
import should from 'should';
import { systemClock } from '../../../src/time/clock';
import type { CheckedConnection } from '../../../src/diagnostics/check-target';
import { checkConnection } from '../../../src/diagnostics/connection-check';
import { startBlackHole, type BlackHole } from '../../support/network/black-hole';
import { until } from '../../support/until';
import {
  apiKey,
  askOptions,
  errorOf,
  leaks,
  localAt,
  localEndpoints,
  publicAt,
  publicEndpoints,
  remoteAt,
  remoteEndpoints,
  type Endpoint,
} from '../../support/clients/harness';

const deadlineMs = 1200;

/** Connections of this process that are not established. */
const knocking = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;

describe('a host that accepts no packets', function () {
  this.timeout(60_000);
  let hole: BlackHole;

  before(async () => {
    hole = await startBlackHole();
  });

  after(() => hole.close());

  function tests<C extends { close(): void }>(
    name: string,
    endpoints: readonly Endpoint<C>[],
    open: (server: { origin: string }) => C,
  ): void {
    it(`RA16: ends every request of a ${name} client at its deadline, and closes the connection`, async () => {
      const before = knocking();
      await Promise.all(
        endpoints.map(async (endpoint) => {
          const client = open({ origin: `http://127.0.0.1:${hole.port}` });
          const started = systemClock.monotonic();
          const error = await errorOf(endpoint.ask(client, askOptions(deadlineMs)));
          should([error.code, error.retryable]).eql(['DEADLINE', true], endpoint.name);
          should(systemClock.monotonic() - started).be.aboveOrEqual(deadlineMs - 1);
          should(leaks(error, apiKey)).be.empty();
          client.close();
        }),
      );
      await until('no connection to be left', () => knocking() <= before);
    });
  }
  tests('remote', remoteEndpoints, remoteAt);
  tests('local', localEndpoints, localAt);
  tests('public', publicEndpoints, publicAt);

  it('RA16: is reported by the connection check at the port step', async () => {
    const before = knocking();
    for (const checked of [
      { mode: 'local', host: `127.0.0.1:${hole.port}`, mac: null, allowLoopback: true },
      { mode: 'remote', baseUrl: `https://127.0.0.1:${hole.port}/v1/`, apiKey },
    ] satisfies CheckedConnection[]) {
      const rungs = await checkConnection(checked, { signal: new AbortController().signal, deadlineMs });
      const failed = rungs.filter(({ state }) => state === 'failed');
      should(failed.map(({ step, word }) => `${step} ${String(word)}`)).eql(['tcp NETWORK_timeout']);
    }
    await until('no connection to be left', () => knocking() <= before);
  });
});

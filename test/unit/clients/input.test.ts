/** Validation of the arguments that a flow may pass (RA29 to RA31 of test/faults.json). */
import fc from 'fast-check';
import should from 'should';
import type { MonitorClient } from '../../../src/clients/client';
import { CemmError } from '../../../src/errors';
import { createRemoteClient } from '../../../src/clients/remote-client';
import type { MonitorId } from '../../../src/protocol/mac';
import type { Seconds } from '../../../src/time/units';
import { type FaultServer, json, startFaultServer } from '../../support/network/fault-server';
import { askOptions, errorOf, localAt, monitor, noon, remoteAt, root } from '../../support/clients/harness';

describe('input of both clients', () => {
  let server: FaultServer;
  let clients: MonitorClient[];
  before(async () => {
    server = await startFaultServer(({ path }) => json(path === '/open-api/v1/' ? root : { data: {} }));
    clients = [remoteAt(server), localAt(server)];
  });
  after(async () => {
    for (const client of clients) client.close();
    await server.close();
  });

  async function refusals(ask: (client: MonitorClient) => Promise<unknown>): Promise<void> {
    const before = server.requests.length;
    for (const client of clients) {
      const error = await errorOf(ask(client));
      should([error.code, error.retryable, error.requests]).eql(['INPUT', false, 0]);
      should(error.message.length).be.below(200);
      should(error.message).not.match(/[\p{Cc}]/u);
      should(error.alias === null || /^[\w-]{1,32}$/.test(error.alias)).be.true();
    }
    should(server.requests.length).equal(before);
  }

  for (const alias of [
    '',
    'p1/',
    '../p1',
    'p1?x',
    'p1#x',
    'p1%2f',
    'p1\r\nHost: x',
    ' p1',
    'p 1',
    '.',
    '..',
    'p1\u0000',
    '①',
    '\ud800',
    'x'.repeat(10_000),
  ]) {
    it(`refuses the alias ${JSON.stringify(alias).slice(0, 20)}`, async () => {
      await refusals((client) => client.request({ kind: 'realtime', monitor, alias }, askOptions()));
      await refusals((client) =>
        client.request({ kind: 'series', monitor, alias, unit: 'day', time: noon }, askOptions()),
      );
      await refusals((client) => client.request({ kind: 'meter', monitor, alias }, askOptions()));
      await refusals((client) => client.request({ kind: 'totals', monitor, alias, time: noon }, askOptions()));
    });
  }

  for (const text of [
    '',
    '..',
    '001EC08596CC',
    '00-1e-c0-85-96-cc',
    '001ec08596c',
    '001ec08596cc/',
    '001ec08596cc\n',
    'g'.repeat(12),
  ]) {
    it(`refuses the monitor ${JSON.stringify(text)}`, async () => {
      await refusals((client) => client.request({ kind: 'meters', monitor: text as MonitorId }, askOptions()));
      await refusals((client) =>
        client.request({ kind: 'realtime', monitor: text as MonitorId, alias: 'p1' }, askOptions()),
      );
    });
  }

  for (const time of [
    0,
    -1,
    NaN,
    Infinity,
    1_700_000_000.5,
    1_700_000_000_000,
    1_000_000_000,
    '1700000000' as unknown as number,
  ]) {
    it(`RA31, TD7: refuses the time ${JSON.stringify(time)} (${typeof time})`, async () => {
      await refusals((client) =>
        client.request({ kind: 'series', monitor, alias: 'p1', unit: 'day', time: time as Seconds }, askOptions()),
      );
      await refusals((client) =>
        client.request({ kind: 'totals', monitor, alias: 'p1', time: time as Seconds }, askOptions()),
      );
    });
  }

  it('RA29, LA12: accepts aliases that no specification lists, as one segment of the path', async () => {
    await fc.assert(
      fc.asyncProperty(fc.stringMatching(/^[a-z0-9][a-z0-9_-]{0,31}$/), async (alias) => {
        for (const client of clients) {
          await client.request({ kind: 'realtime', monitor, alias }, askOptions());
          should(server.requests.at(-1)?.path.endsWith(`/${alias}/realtime/`)).be.true();
        }
      }),
      { numRuns: 30 },
    );
  });

  it('CL8: refuses a missing key', () => {
    for (const apiKey of ['', '  ', '\n']) {
      should(() => createRemoteClient({ baseUrl: 'https://x/v1', apiKey })).throw(CemmError, {
        code: 'CONFIG',
        reason: 'no_key',
      });
    }
  });
});

/** Requests of a client that closes or is closed, and stale keep-alive sockets. */
import should from 'should';
import { systemClock } from '../../../src/time/clock';
import { createHttp, type Http } from '../../../src/clients/http';
import { RequestContexts } from '../../../src/clients/request-context';
import { json, sendAndReset, silent, startFaultServer, type FaultServer } from '../../support/network/fault-server';
import { until } from '../../support/until';
import { apiKey, askOptions, errorOf, leaks } from '../../support/clients/harness';

const about = { endpoint: 'realtime' } as const;

describe('a connection that closes', () => {
  const servers: FaultServer[] = [];
  const clients: Http[] = [];

  afterEach(async () => {
    for (const client of clients.splice(0)) client.close();
    await Promise.all(servers.splice(0).map((server) => server.close()));
  });

  async function serve(script: Parameters<typeof startFaultServer>[0]): Promise<FaultServer> {
    const server = await startFaultServer(script);
    servers.push(server);
    return server;
  }

  function open({ origin }: FaultServer): Http {
    const client = createHttp({ baseUrl: `${origin}/`, clock: systemClock, sockets: 2, proxy: 'none' });
    clients.push(client);
    return client;
  }

  const request = () => ({ path: 'x', timeoutMs: 20_000, signal: new AbortController().signal });

  it('fails with a broken connection after two stale sockets', async () => {
    const server = await serve(({ earlierOnSocket }) => (earlierOnSocket === 0 ? json({}) : sendAndReset()));
    const client = open(server);
    // Two at once, so that two sockets stay open.
    await Promise.all([client.get(request()), client.get(request())]);
    should(await client.get(request())).eql({
      kind: 'failure',
      failure: { code: 'NETWORK', reason: 'reset' },
      retryAfterMs: null,
      sent: 2,
    });
    should([server.requests.length, server.connections]).eql([4, 2]);
  });

  it('cancels requests in flight, and sends no more', async () => {
    const server = await serve(() => silent);
    const client = open(server);
    const asked = client.get(request());
    await until('the question', () => server.requests.length === 1);
    client.close();
    const broken = { kind: 'failure', failure: { code: 'NETWORK', reason: 'reset' } };
    should(await asked).match(broken);
    should(await client.get(request())).match(broken);
    await until('the connection to close', () => server.open === 0);
    should(server.requests).have.length(1);
  });

  it('rejects later requests as closed', async () => {
    const inquiries = new RequestContexts({ clock: systemClock, secrets: [] });
    inquiries.close();
    const error = await errorOf(inquiries.run(about, askOptions(), (inquiry) => inquiry.pause(60_000)));
    should([error.code, error.reason]).eql(['CANCELLED', 'closed']);
  });

  it('reports the class of an internal error, and not its text', async () => {
    const inquiries = new RequestContexts({ clock: systemClock, secrets: [] });
    for (const [thrown, kind] of [
      [new TypeError(`no ${apiKey}`), 'TypeError'],
      [apiKey, 'string'],
    ] as const) {
      const error = await errorOf(inquiries.run(about, askOptions(), () => Promise.reject(thrown as Error)));
      should([error.code, error.reason, error.retryable, error.params.kind]).eql([
        'UNSUPPORTED',
        'unexpected',
        false,
        kind,
      ]);
      should(leaks(error, apiKey)).be.empty();
    }
  });
});

/** Connections of the clients: keep-alive, stale, refused, TLS, and closed. */
import { createServer as createTlsServer } from 'node:tls';
import { createServer } from 'node:net';
import should from 'should';
import { systemClock } from '../../../src/time/clock';
import { CemmError } from '../../../src/errors';
import { createHttp } from '../../../src/clients/http';
import { createLocalClient } from '../../../src/clients/local-client';
import { createRemoteClient } from '../../../src/clients/remote-client';
import { retryAfter, socketFailure, statusFailure } from '../../../src/clients/http-failures';
import { millis } from '../../../src/time/units';
import {
  type Act,
  type FaultServer,
  json,
  type ReceivedRequest,
  sendBytes,
  sendAndReset,
  silent,
  startFaultServer,
} from '../../support/network/fault-server';
import { until } from '../../support/until';
import { selfSigned } from '../../support/network/certificate';
import {
  apiKey,
  askOptions,
  errorOf,
  leaks,
  localAt,
  monitor,
  noon,
  remoteAt,
  root,
} from '../../support/clients/harness';
import { listenOnLoopback } from '../../support/network/loopback';

const realtime = { data: { t1: [1_700_000_000_000, 1] } };
const meter = { monitor, alias: 'p1' };

describe('connections', () => {
  const servers: FaultServer[] = [];
  async function serve(script: (request: ReceivedRequest) => Act): Promise<FaultServer> {
    const server = await startFaultServer(script);
    servers.push(server);
    return server;
  }
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()));
  });

  it('LC10: uses one connection for consecutive requests, and closes it when closed', async () => {
    const server = await serve(() => json(realtime));
    const client = remoteAt(server);
    for (let question = 0; question < 5; question++) await client.request({ kind: 'realtime', ...meter }, askOptions());
    should([server.requests.length, server.connections, server.open]).eql([5, 1, 1]);
    client.close();
    await until('the connection to close', () => server.open === 0);
  });

  it('RA21: retries once at once when a keep-alive connection was closed', async () => {
    const server = await serve(({ earlierOnSocket }) => (earlierOnSocket === 0 ? json(realtime) : sendAndReset()));
    const client = remoteAt(server);
    try {
      await client.request({ kind: 'realtime', ...meter }, askOptions());
      const answer = await client.request({ kind: 'realtime', ...meter }, askOptions());
      should([answer.requests, server.requests.length, server.connections]).eql([2, 3, 2]);
    } finally {
      client.close();
    }
  });

  it('retries once on a stale connection of a local monitor, too', async () => {
    let fresh = 0;
    const server = await serve(({ path, earlierOnSocket }) => {
      if (path === '/open-api/v1/') return json(root);
      return earlierOnSocket === 0 ? json(realtime) : (fresh++, sendAndReset());
    });
    const client = localAt(server);
    try {
      should((await client.request({ kind: 'realtime', ...meter }, askOptions())).requests).equal(3);
      should(fresh).equal(1);
    } finally {
      client.close();
    }
  });

  it('RA14: does not retry when a new connection breaks', async () => {
    const server = await serve(() => sendAndReset());
    const client = localAt(server);
    try {
      const error = await errorOf(client.request({ kind: 'monitors' }, askOptions()));
      should([error.code, error.reason, error.requests, server.requests.length]).eql(['NETWORK', 'reset', 1, 1]);
    } finally {
      client.close();
    }
  });

  it('closes the connection when a request is cancelled', async () => {
    const server = await serve(() => silent);
    const client = remoteAt(server);
    try {
      const stop = new AbortController();
      const question = errorOf(
        client.request({ kind: 'realtime', ...meter }, { ...askOptions(), signal: stop.signal }),
      );
      await until('the request', () => server.requests.length === 1);
      stop.abort();
      should((await question).code).equal('CANCELLED');
      await until('the connection to close', () => server.open === 0);
    } finally {
      client.close();
    }
  });

  it('closes every connection when closed during a response', async () => {
    for (const side of [remoteAt, localAt]) {
      const server = await serve(() => sendBytes('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{'));
      const client = side(server);
      const question = errorOf(client.request({ kind: 'monitors' }, askOptions()));
      await until('the request', () => server.requests.length === 1);
      client.close();
      const error = await question;
      should([error.code, error.reason]).eql(['CANCELLED', 'closed']);
      await until('the connection to close', () => server.open === 0);
      should((await errorOf(client.request({ kind: 'monitors' }, askOptions()))).code).equal('CANCELLED');
      should(server.requests.length).equal(1);
    }
  });

  it('ends a response that stops sending data', async () => {
    const server = await serve(() => sendBytes('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{'));
    const http = createHttp({
      baseUrl: `${server.origin}/`,
      clock: systemClock,
      sockets: 1,
      proxy: 'none',
      idleMs: 100,
    });
    const outcome = await http.get({ path: '', timeoutMs: 60_000, signal: new AbortController().signal });
    should(outcome).match({ kind: 'failure', failure: { code: 'NETWORK', reason: 'timeout' } });
    http.close();
    await until('the connection to close', () => server.open === 0);
  });

  it('RA15: limits the whole time of a request, not the time between its bytes', async () => {
    const server = await serve(() => (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n');
      const timer = setInterval(() => socket.write(' '), 10);
      socket.on('close', () => {
        clearInterval(timer);
      });
    });
    const http = createHttp({ baseUrl: `${server.origin}/`, clock: systemClock, sockets: 1, proxy: 'none' });
    const outcome = await http.get({ path: '', timeoutMs: 200, signal: new AbortController().signal });
    should(outcome).match({ kind: 'failure', failure: { code: 'NETWORK', reason: 'timeout' } });
    http.close();
  });

  it('RA17: distinguishes a refused connection, an unknown name and a name outside the local network', async () => {
    const server = await startFaultServer(() => silent);
    await server.close();
    const refused = localAt(server);
    should((await errorOf(refused.request({ kind: 'monitors' }, askOptions()))).reason).equal('refused');
    refused.close();
    for (const [reason, resolve] of [
      ['name_not_found', (done: Done) => { done(Object.assign(new Error('no'), { code: 'ENOTFOUND' }), []); }], // prettier-ignore
      ['name_service', (done: Done) => { done(Object.assign(new Error('no'), { code: 'EAI_AGAIN' }), []); }], // prettier-ignore
      ['address_refused', (done: Done) => { done(null, [{ address: '8.8.8.8', family: 4 }]); }], // prettier-ignore
      ['address_refused', (done: Done) => { done(null, [{ address: '127.0.0.1', family: 4 }]); }], // prettier-ignore
    ] as const) {
      const client = createLocalClient({
        host: 'cemm.local',
        resolve: (_host, _options, done) => {
          resolve(done);
        },
      });
      const error = await errorOf(client.request({ kind: 'monitors' }, askOptions()));
      should([error.code, error.reason, error.retryable]).eql(['NETWORK', reason, true]);
      client.close();
    }
  });

  it('RA17, LA3: resolves a name for each connection, and connects to the allowed address', async () => {
    const server = await serve(() => json(root));
    let lookups = 0;
    const client = createLocalClient({
      host: `cemm.local:${server.port}`,
      allowLoopback: true,
      resolve: (_host, _options, done) => {
        lookups += 1;
        done(null, [
          { address: '8.8.8.8', family: 4 },
          { address: lookups === 1 ? '127.0.0.1' : '0.0.0.0', family: 4 },
        ]);
      },
    });
    try {
      await client.request({ kind: 'monitors' }, askOptions());
      client.setHost(`cemm.local:${server.port}`);
      should((await errorOf(client.request({ kind: 'monitors' }, askOptions()))).reason).equal('address_refused');
      should([lookups, server.connections]).eql([2, 1]);
    } finally {
      client.close();
    }
  });

  it('LA3: refuses an IP address outside the local network before any request', () => {
    for (const host of ['8.8.8.8', '127.0.0.1', '[::1]', '169.254.169.254', '[::ffff:127.0.0.1]', '0.0.0.0']) {
      should(() => createLocalClient({ host })).throw(CemmError, { code: 'CONFIG', reason: 'host_not_local' });
    }
  });

  it('RA40: sends no key over plain HTTP when one address of the name is not private', async () => {
    const server = await serve(() => json({ data: [] }));
    const resolving = (...addresses: string[]) =>
      createRemoteClient({
        baseUrl: `http://service.lan:${server.port}/v1`,
        apiKey,
        random: () => 0,
        resolve: (_host, _options, done) => {
          done(
            null,
            addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
          );
        },
      });
    for (const addresses of [
      ['127.0.0.1', '8.8.8.8'],
      ['2001:db8::1'],
      ['100.64.0.1'],
      ['127.0.0.1', 'fd00:ec2::23'],
    ]) {
      const client = resolving(...addresses);
      const error = await errorOf(client.request({ kind: 'monitors' }, askOptions()));
      should([error.code, error.reason, error.retryable]).eql(['CONFIG', 'base_scheme', false]);
      client.close();
    }
    should(server.connections).equal(0);
    const home = resolving('127.0.0.1');
    await home.request({ kind: 'monitors' }, askOptions());
    home.close();
    should(server.requests).have.length(1);
    should(() => createRemoteClient({ baseUrl: 'http://8.8.8.8/v1', apiKey })).throw(CemmError, {
      code: 'CONFIG',
      reason: 'base_scheme',
    });
  });

  it('RA18: refuses an untrusted certificate, and does not retry', async () => {
    let connections = 0;
    const server = createTlsServer(selfSigned('localhost'), (socket) => socket.on('error', () => undefined));
    server.on('connection', () => (connections += 1));
    server.on('tlsClientError', () => undefined);
    const port = await listenOnLoopback(server);
    const client = createRemoteClient({
      baseUrl: `https://127.0.0.1:${port}/v1`,
      apiKey,
    });
    try {
      const error = await errorOf(client.request({ kind: 'monitors' }, askOptions()));
      should([error.code, error.reason, error.retryable, connections]).eql(['TLS', 'self_signed', false, 1]);
      should(leaks(error, apiKey)).eql([]);
    } finally {
      client.close();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it('reports a plain HTTP server behind an https address', async () => {
    const server = createServer((socket) => {
      // The client starts the TLS handshake; the server answers it in plain HTTP.
      socket.on('error', () => undefined).once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    });
    const port = await listenOnLoopback(server);
    const client = createRemoteClient({
      baseUrl: `https://127.0.0.1:${port}/v1`,
      apiKey,
    });
    try {
      const error = await errorOf(client.request({ kind: 'monitors' }, askOptions()));
      should([error.code, error.reason]).eql(['TLS', 'handshake']);
    } finally {
      client.close();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it('RA27: uses no proxy on the local network, nor for the key on plain HTTP', async () => {
    const proxy = await serve(() => json({}));
    const server = await serve(({ path }) => json(path === '/open-api/v1/' ? root : { data: [] }));
    const names = ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy'];
    const before = names.map((name) => process.env[name]);
    for (const name of names) process.env[name] = proxy.origin;
    try {
      for (const client of [localAt(server), remoteAt(server)]) {
        await client.request({ kind: 'monitors' }, askOptions());
        client.close();
      }
      should([proxy.connections, server.requests.length]).eql([0, 2]);
    } finally {
      for (const [index, name] of names.entries()) {
        const value = before[index];
        if (value === undefined) Reflect.deleteProperty(process.env, name);
        else process.env[name] = value;
      }
    }
  });

  it('RA27: sends the key to a proxy through a tunnel only', async () => {
    const proxy = await serve(() => sendBytes('HTTP/1.1 502 No\r\nContent-Length: 0\r\n\r\n'));
    const before = process.env['HTTPS_PROXY'];
    process.env['HTTPS_PROXY'] = proxy.origin;
    const client = createRemoteClient({ baseUrl: 'https://service.invalid/v1', apiKey, random: () => 0 });
    try {
      const error = await errorOf(client.request({ kind: 'monitors' }, askOptions()));
      should(leaks(error, apiKey)).eql([]);
      should(proxy.requests.length).be.aboveOrEqual(1);
      for (const { method, target, headers } of proxy.requests) {
        should([method, target]).eql(['CONNECT', 'service.invalid:443']);
        should([...headers.values()].join(' ')).not.containEql(encodeURIComponent(apiKey));
      }
    } finally {
      client.close();
      if (before === undefined) delete process.env['HTTPS_PROXY'];
      else process.env['HTTPS_PROXY'] = before;
    }
  });
});

type Done = (error: NodeJS.ErrnoException | null, addresses: { address: string; family: number }[]) => void;

describe('requests', () => {
  it('RA30, CL2: contain the key once, encoded, in the query only, and accept uncompressed JSON', async () => {
    const server = await startFaultServer(() => json({ io_id: 1, data: {} }));
    const client = remoteAt(server);
    try {
      await client.request({ kind: 'series', ...meter, unit: 'day', time: noon }, askOptions());
      const [request] = server.requests;
      should(request?.method).equal('GET');
      should(request?.target).equal(
        `/v1/cemm/00-1E-C0-85-96-CC/p1/data/day/?api_key=${encodeURIComponent(apiKey)}&time=${noon}`,
      );
      should(request?.query.get('api_key')).equal(apiKey);
      should(request?.headers.get('accept-encoding')).equal('identity');
      should([...(request?.headers.values() ?? [])].join('\n')).not.containEql(encodeURIComponent(apiKey));
    } finally {
      client.close();
      await server.close();
    }
  });

  it('spell a monitor like the service', async () => {
    const server = await startFaultServer(({ path }) =>
      json({ data: path.endsWith('/cemm/') ? [{ uid: '00-1e-c0-85-96-cc' }] : [] }),
    );
    const client = remoteAt(server);
    try {
      await client.request({ kind: 'meters', monitor }, askOptions());
      should((await client.request({ kind: 'monitors' }, askOptions())).value).eql([
        { id: monitor, name: null, type: null, version: null, core: null },
      ]);
      await client.request({ kind: 'meters', monitor }, askOptions());
      should(server.requests.map(({ path }) => path)).eql([
        '/v1/cemm/00-1E-C0-85-96-CC/io/',
        '/v1/cemm/',
        '/v1/cemm/00-1e-c0-85-96-cc/io/',
      ]);
    } finally {
      client.close();
      await server.close();
    }
  });
});

describe('status and socket failures', () => {
  const now = millis(1_700_000_000_000);

  it('RA9: reads Retry-After as seconds or as a date, limited to 1 s to 5 min', () => {
    const cases: [string | null, number | null][] = [
      ['7', 7000],
      [' 60 ', 60_000],
      ['0', 1000],
      ['315360000', 300_000],
      ['99999999999999999999', 300_000],
      [new Date(now + 30_000).toUTCString(), 30_000],
      [new Date(now - 30_000).toUTCString(), 1000],
      ['Fri, 31 Dec 2099 23:59:59 GMT', 300_000],
      ['-5', null],
      ['1.5', null],
      ['soon', null],
      ['soon GMT', null],
      ['2026-01-01', null],
      ['', null],
      [null, null],
    ];
    for (const [header, delay] of cases) should(retryAfter(header, now)).equal(delay, String(header));
  });

  it('RA10: has a failure for every status except success', () => {
    for (let status = 100; status < 1000; status++) {
      const failure = statusFailure(status);
      if (status >= 200 && status < 300) should(failure).be.null();
      else should(failure?.status).equal(status);
    }
  });

  for (const [code, told, reason] of [
    ['CERT_HAS_EXPIRED', 'TLS', 'expired'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'TLS', 'wrong_host'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'TLS', 'unknown_issuer'],
    ['CERT_REVOKED', 'TLS', 'handshake'],
    ['EHOSTUNREACH', 'NETWORK', 'unreachable'],
    ['EPIPE', 'NETWORK', 'reset'],
    ['EMFILE', 'NETWORK', 'other'],
  ] as const) {
    it(`reports ${code} as ${told} ${reason}`, () => {
      const failure = socketFailure(Object.assign(new Error('x'), { code }));
      should([failure.code, failure.reason]).eql([told, reason]);
    });
  }

  it('CL11: quotes no invalid error code', () => {
    for (const thrown of [
      null,
      undefined,
      'x',
      {},
      { code: 7 },
      { code: `GET /?api_key=${apiKey}` },
      { code: '__proto__' },
    ]) {
      should(socketFailure(thrown)).eql({ code: 'NETWORK', reason: 'other', params: { errno: '?' } });
    }
  });
});

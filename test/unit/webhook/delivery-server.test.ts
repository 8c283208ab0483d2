import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { request as requestSecurely } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { setTimeout as sleep } from 'node:timers/promises';
import should from 'should';
import { DeliveryServer, type Certificate, type DeliveryRoute } from '../../../src/webhook/delivery-server';
import { listenError, mostPerAddress, OwnPorts } from '../../../nodes/cemm-webhook-in/routes/own-ports';
import { listenFailureOf } from '../../../src/webhook/port-listener';
import { freePort } from '../../support/node-red/node-red';
import { until } from '../../support/until';
import { selfSigned } from '../../support/network/certificate';

/** Data received on a raw connection until it was closed. */
interface Conversation {
  readonly socket: Socket;
  text: string;
  isClosed: boolean;
}

function converse(socket: Socket): Conversation {
  const conversation = { socket, text: '', isClosed: false };
  socket.on('data', (chunk: Buffer) => (conversation.text += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  socket.on('close', () => (conversation.isClosed = true));
  return conversation;
}

describe('the webhook port', function () {
  this.timeout(60_000);
  let port = 0;
  let server: DeliveryServer;
  let changes = 0;
  let isReady = true;
  let held: ServerResponse[] = [];

  const route: DeliveryRoute = {
    matches: (url) => url.startsWith('/cemm'),
    get isReady() {
      return isReady;
    },
    handle: (req: IncomingMessage, res: ServerResponse) => {
      if (req.url === '/cemm/held') held.push(res);
      else req.on('end', () => res.end('received')).resume();
    },
  };

  beforeEach(async () => {
    port = await freePort();
    changes = 0;
    isReady = true;
    held = [];
    server = new DeliveryServer({ port, bind: '127.0.0.1' }, () => (changes += 1));
    server.add(route);
  });

  afterEach(() => {
    server.close();
  });

  async function open(certificate: Certificate | null = null): Promise<void> {
    server.open(certificate);
    await until('an open port', () => server.isOpen);
  }

  function speak(text = '', localAddress = '127.0.0.1'): Conversation {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    const conversation = converse(socket);
    socket.write(text);
    return conversation;
  }

  function ask(path: string, method = 'GET'): Promise<Response> {
    return fetch(`http://127.0.0.1:${port}${path}`, { method });
  }

  it('answers its routes, /health, and 404 in JSON for everything else', async () => {
    await open();
    (await (await ask('/cemm', 'POST')).text()).should.equal('received');
    for (const [path, method] of [
      ['/', 'GET'],
      ['/flows', 'POST'],
      ['/healthy', 'GET'],
      ['//cemm', 'POST'],
    ] as const) {
      const reply = await ask(path, method);
      reply.status.should.equal(404);
      should(reply.headers.get('content-type')).equal('application/json');
      should(await reply.json()).containDeep({ error: 'not_found' });
    }
    (await ask('/health')).status.should.equal(204);
    (await ask('/health/?verbose', 'HEAD')).status.should.equal(204);
    const posted = await ask('/health', 'POST');
    posted.status.should.equal(405);
    should(posted.headers.get('allow')).equal('GET, HEAD');
    isReady = false;
    const unready = await ask('/health');
    unready.status.should.equal(503);
    should(await unready.json()).containDeep({ error: 'busy' });
    server.remove(route);
    (await ask('/health')).status.should.equal(503);
    (await ask('/cemm', 'POST')).status.should.equal(404);
  });

  it('WT1: closes a connection with slow headers after 3 seconds, and serves others meanwhile', async () => {
    await open();
    const slow = Array.from({ length: 20 }, () => speak('POST /cemm HTTP/1.1\r\n'));
    const silent = speak();
    const started = performance.now();
    while (slow.some(({ isClosed }) => !isClosed) && performance.now() - started < 20_000) {
      for (const { socket, isClosed } of slow) if (!isClosed && socket.writable) socket.write('X-Slow: 1\r\n');
      (await ask('/cemm', 'POST')).status.should.equal(200);
      await sleep(200);
    }
    for (const { isClosed, text } of slow) {
      isClosed.should.be.true();
      text.should.match(/^HTTP\/1\.1 408 .*"error":"too_slow"/s);
    }
    should(performance.now() - started).be.above(2500);
    await until('the end of a silent connection', () => silent.isClosed);
  });

  it('ends a request that is not complete after 5 seconds', async () => {
    await open();
    const slow = speak('POST /cemm/held HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{');
    await until('the end of the connection', () => slow.isClosed);
    slow.text.should.match(/^HTTP\/1\.1 408 /);
  });

  it('WT8: refuses more than 8 kB of headers, and anything but HTTP, with JSON', async () => {
    await open();
    const large = speak(`GET /cemm HTTP/1.1\r\nHost: a\r\nX-Large: ${'x'.repeat(9000)}\r\n\r\n`);
    await until('the end of the connection', () => large.isClosed);
    large.text.should.match(/^HTTP\/1\.1 431 .*"error":"too_large"/s);
    const nonsense = speak('nonsense\r\n\r\n');
    await until('the end of the connection', () => nonsense.isClosed);
    nonsense.text.should.match(/^HTTP\/1\.1 400 .*"error":"bad_request"/s);
  });

  it('answers a complete request before the garbage behind it ends the connection', async () => {
    await open();
    const good = 'POST /cemm HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}';
    for (const [text, answers] of [
      [`${good}\0garbage\r\n\r\n`, ['200']],
      [`${good}${good}NO SUCH THING\r\n\r\n`, ['200', '200']],
      // Held until the garbage has arrived.
      [`${good.replace('/cemm', '/cemm/held')}garbage\r\n\r\n`, ['200']],
    ] as const) {
      const caller = speak(text);
      if (text.includes('held')) {
        const [response] = await until('the request', () => held.length === 1 && held);
        caller.socket.write('more garbage');
        await new Promise((resolve) => setImmediate(resolve));
        response?.end('received');
      }
      await until('the end of the connection', () => caller.isClosed);
      should([...caller.text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).eql(answers);
      should(caller.text.endsWith('received')).be.true();
    }
    // Inside its own body it makes the request itself unreadable.
    const own = speak(
      'POST /cemm/held HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\nno chunk\r\n',
    );
    await until('the end of the connection', () => own.isClosed);
    own.text.should.match(/^HTTP\/1\.1 400 .*"error":"bad_request"/s);
  });

  it('sends no second response during the first', async () => {
    await open();
    const caller = speak('POST /cemm/held HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n');
    const [response] = await until('the request', () => held.length === 1 && held);
    response?.writeHead(200, { 'content-length': 100 });
    response?.write('{');
    await until('half an answer', () => caller.text.includes('{'));
    caller.socket.write('no chunk\r\n');
    await until('the end of the connection', () => caller.isClosed);
    caller.text.should.not.containEql('bad_request');
  });

  it('WT24: serves 1,000 connections and closes further ones at once', async () => {
    await open();
    const from = (index: number) => `127.0.0.${1 + (index % 5)}`;
    const asking = 'GET /health HTTP/1.1\r\nHost: a\r\n\r\n';
    const first = Array.from({ length: 1000 }, (_, index) => speak(asking, from(index)));
    await until('a thousand answers', () => first.every(({ text }) => text.includes('204')));
    const more = Array.from({ length: 20 }, () => speak(asking, '127.0.0.9'));
    await until('the end of those above', () => more.every(({ isClosed }) => isClosed));
    more.every(({ text }) => text === '').should.be.true();
    first.some(({ isClosed }) => isClosed).should.be.false();
    first[0]?.socket.destroy();
    await until('a free place', async () => {
      const next = speak(asking, '127.0.0.9');
      await until('an answer or an end', () => next.isClosed || next.text.includes('204'));
      return next.text.includes('204');
    });
    for (const { socket } of first) socket.destroy();
  });

  it('keeps an address from holding all connections, and closes those that it used least recently', async () => {
    await open();
    const used = speak('GET /health HTTP/1.1\r\nHost: a\r\n\r\n', '127.0.0.7');
    await until('an answer', () => used.text.includes('204'));
    const many = Array.from({ length: 1000 }, () => speak('POST /cemm HTTP/1.1\r\n', '127.0.0.8'));
    await until('all to be connected', () => many.every(({ socket }) => !socket.connecting));
    for (const address of ['127.0.0.7', '127.0.0.8']) {
      const good = speak('GET /health HTTP/1.1\r\nHost: a\r\n\r\n', address);
      await until('an answer', () => good.text.includes('204') || good.isClosed);
      should(good.text).match(/ 204 /);
    }
    used.isClosed.should.be.false();
    many.filter(({ isClosed }) => !isClosed).length.should.be.belowOrEqual(249);
    for (const { socket } of many) socket.destroy();
  });

  it('counts a connection as used with each request, and has another limit for a balancer', async () => {
    server = new DeliveryServer({ port, bind: '127.0.0.1' }, () => undefined, 3);
    server.add(route);
    await open();
    const asking = 'GET /health HTTP/1.1\r\nHost: a\r\n\r\n';
    const [first, second, third] = [speak(asking), speak(asking), speak(asking)];
    await until('three answers', () => [first, second, third].every(({ text }) => text.includes('204')));
    first.socket.write(asking);
    await until('another answer', () => first.text.split('204').length === 3);
    const fourth = speak(asking);
    await until('its answer', () => fourth.text.includes('204'));
    await until('the end of the one that rested', () => second.isClosed);
    should([first, third, fourth].map(({ isClosed }) => isClosed)).eql([false, false, false]);
  });

  it('takes the limit for a balancer from CEMM_RECEIVER_CONNECTIONS, where that is a number', () => {
    should(mostPerAddress({})).equal(250);
    should(mostPerAddress({ CEMM_RECEIVER_CONNECTIONS: ' 1000 ' })).equal(1000);
    for (const text of ['', '0', '-1', '1e3', 'all', '1.5']) {
      should(mostPerAddress({ CEMM_RECEIVER_CONNECTIONS: text })).equal(250);
    }
  });

  it('LC11: reports once why a port cannot be opened, and opens it when it is free', async () => {
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(port, '127.0.0.1', resolve));
    server.open(null);
    should(server.failure).be.null();
    await until('the failure', () => server.failure === 'port_in_use');
    changes.should.equal(1);
    await sleep(2500);
    changes.should.equal(1);
    await new Promise((resolve) => blocker.close(resolve));
    await until('an open port', () => server.isOpen);
    should(server.failure).be.null();
    changes.should.equal(2);
  });

  it('names an address that this machine does not have, and stops trying when it is closed', async () => {
    const unavailable = new DeliveryServer({ port, bind: '192.0.2.1' }, () => (changes += 1));
    unavailable.open(null);
    await until('the failure', () => unavailable.failure === 'bind_unavailable');
    unavailable.close();
    should(unavailable.failure).be.null();
    changes.should.equal(1);
  });

  it('names an address whose zone is no interface of this machine, also beside another address of the port', async () => {
    const ports = new OwnPorts(
      () => ({}),
      () => undefined,
    );
    const open = (bind: string, user: string): DeliveryServer =>
      ports.use({ kind: 'own', port, bind, tls: '' }, user, () => undefined);
    const binds = ['fe80::1%br-none', 'fe80::1%none0.100', 'fe80::2%br-none'];
    const servers = binds.map((bind) => open(bind, bind));
    should(open('FE80:0::1%br-none', 'another')).equal(servers[0]);
    should(() => open('::', 'every')).throw({ reason: 'webhook_bind_overlaps' });
    for (const [index, opened] of servers.entries()) {
      await until('the failure', () => opened.failure !== null);
      should(listenError(opened)).match({
        reason: 'webhook_bind_unavailable',
        params: { port: String(port), bind: binds[index] },
      });
    }
    for (const user of [...binds, 'another']) for (const opened of servers) ports.removeUser(opened, user);
    ports.forgetUnused();
  });

  it('tells the failures of listening apart', () => {
    const failure = (code: string): string => listenFailureOf(Object.assign(new Error(code), { code }));
    failure('EADDRINUSE').should.equal('port_in_use');
    failure('EACCES').should.equal('port_privileged');
    failure('EADDRNOTAVAIL').should.equal('bind_unavailable');
    failure('EMFILE').should.equal('listen_failed');
  });

  it('closes idle connections at once and all others soon, and its port is free then', async () => {
    await open();
    const idle = speak('GET /health HTTP/1.1\r\nHost: a\r\n\r\n');
    const busy = speak('POST /cemm/held HTTP/1.1\r\nHost: a\r\n\r\n');
    await until('both requests', () => idle.text.includes('204') && held.length === 1);
    server.close();
    await until('the end of both', () => idle.isClosed && busy.isClosed);
    const next = createServer();
    await new Promise<void>((resolve) => next.listen(port, '127.0.0.1', resolve));
    (next.address() as AddressInfo).port.should.equal(port);
    await new Promise((resolve) => next.close(resolve));
  });

  describe('with a certificate', () => {
    const certificate = (): Certificate => selfSigned('localhost');

    function askSecurely(): Promise<number> {
      return new Promise((resolve, reject) => {
        const call = requestSecurely(
          { port, host: '127.0.0.1', path: '/health', rejectUnauthorized: false, agent: false },
          (response) => {
            response.resume();
            resolve(response.statusCode ?? 0);
          },
        );
        call.on('error', reject);
        call.end();
      });
    }

    it('WT14: uses TLS, and ends stalled handshakes', async () => {
      await open(certificate());
      server.isSecure.should.be.true();
      const stalled = speak();
      (await askSecurely()).should.equal(204);
      await until('the end of the handshake', () => stalled.isClosed);
      const slow = converse(connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false }));
      slow.socket.write('GET /health HTTP/1.1\r\n');
      await until('the end of slow headers', () => slow.isClosed);
      slow.text.should.match(/^HTTP\/1\.1 408 /);
    });

    it('changes its certificate, or to plain HTTP and back, with its routes', async () => {
      await open(certificate());
      server.open(certificate());
      (await askSecurely()).should.equal(204);
      server.open(null);
      await until('plain HTTP', async () => (await ask('/health').catch(() => null))?.status === 204);
      server.open(certificate());
      await until('TLS', async () => (await askSecurely().catch(() => 0)) === 204);
    });

    it('refuses a certificate that cannot be used, and leaves the port as it was', async () => {
      await open();
      (() => {
        server.open({ key: 'no key', cert: 'no certificate' });
      }).should.throw();
      (await ask('/health')).status.should.equal(204);
    });
  });

  it('answers several requests on one connection, in order', async () => {
    await open();
    const statuses = await new Promise<string>((resolve) => {
      const caller = speak(
        'GET /health HTTP/1.1\r\nHost: a\r\n\r\nGET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n' +
          'POST /cemm HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
      );
      caller.socket.on('close', () => {
        resolve([...caller.text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status).join(' '));
      });
    });
    statuses.should.equal('204 404 200');
  });
});

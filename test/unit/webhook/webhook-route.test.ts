import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import express from 'express';
import type { NodeAPI } from 'node-red';
import should from 'should';
import { WebhookRoute } from '../../../nodes/cemm-webhook-in/routes/webhook-route';
import { SharedMount } from '../../../nodes/cemm-webhook-in/routes/shared-mount';
import { isUsablePath, normalizePath } from '../../../nodes/cemm-webhook-in/config';
import { readWebhookSettings, type StoredWebhook } from '../../../nodes/cemm-webhook-in/settings';
import { CemmError } from '../../../src/errors';
import type { Clock } from '../../../src/time/clock';
import { until } from '../../support/until';
import { FakeClock } from '../../support/time/fake-clock';
import { listenOnLoopback } from '../../support/network/loopback';

type Next = () => void;
type Handle = (req: IncomingMessage, res: ServerResponse, next: Next) => void;

function redWith(httpNode: unknown, settings: object = {}): NodeAPI {
  return { httpNode, settings } as unknown as NodeAPI;
}

/** A route on Node-RED's own port. */
function hookIn(RED: NodeAPI, path: string, clock?: Clock): WebhookRoute {
  const mountAt = (hook: WebhookRoute): SharedMount =>
    new SharedMount(RED, path, (req, res, url) => {
      hook.handle(req, res, url);
    });
  return new WebhookRoute(path, mountAt, clock);
}

/** A receiver that answers with the body that it can still read. */
function echo(hook: WebhookRoute): void {
  hook.owner = {
    id: 'hook',
    lookUpKeys: null,
    recording: null,
    receiver: () => ({
      handle: (req, res, sender) => {
        const chunks: Buffer[] = [];
        req.on('data', (chunk: Buffer) => chunks.push(chunk));
        req.on('end', () => {
          res.end(
            JSON.stringify({
              read: Buffer.concat(chunks).toString(),
              type: req.headers['content-type'] ?? null,
              ...(sender ? { sender } : {}),
            }),
          );
        });
      },
      close: () => undefined,
    }),
  };
}

async function call(
  app: RequestListener,
  path: string,
  body: string,
  method = 'POST',
): Promise<{ status: number; text: string }> {
  const server = createServer(app);
  const port = await listenOnLoopback(server);
  try {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(method === 'GET' ? {} : { body }),
    });
    return { status: response.status, text: await response.text() };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** Node-RED with its default roots: the admin app with its parsers first, both at `/`. */
function nodeRedLike(root = '/') {
  const server = express();
  const admin = express();
  admin.use(express.json());
  admin.post('/echo', (req, res) => res.json(req.body));
  const httpNode = express();
  server.use('/', admin);
  server.use(root, httpNode);
  return { server, httpNode };
}

describe('a webhook route', () => {
  it('WA10: receives the unread body behind a parser that reads all others', async () => {
    const { server, httpNode } = nodeRedLike();
    const hook = hookIn(redWith(httpNode), '/cemm');
    hook.mount.put();
    echo(hook);
    const strange = ' {"a" :1}\n';
    should(JSON.parse((await call(server, '/cemm', strange)).text)).deepEqual({
      read: strange,
      type: 'application/json',
    });
    should(JSON.parse((await call(server, '/CEMM/', '{bad')).text)).containDeep({ read: '{bad' });
    (await call(server, '/echo', strange)).text.should.equal('{"a":1}');
    (await call(server, '/cemm/other', '{}')).status.should.equal(404);
  });

  it('tells the parameters of its path, also under a moved root, and leaves other paths alone', async () => {
    for (const root of ['/', '/api']) {
      const { server, httpNode } = nodeRedLike(root);
      const hook = hookIn(redWith(httpNode), '/cemm/:street/:cemm');
      hook.mount.put();
      echo(hook);
      const at = root === '/' ? '' : root;
      const strange = ' {"a" :1}\n';
      const reply = await call(server, `${at}/CEMM/north-5/24000001/?a=b`, strange);
      should(JSON.parse(reply.text)).deepEqual({
        read: strange,
        type: 'application/json',
        sender: {
          kind: 'installation',
          installation: 'north-5/24000001',
          path: '/cemm/north-5/24000001',
          params: { street: 'north-5', cemm: '24000001' },
          cemm: 24000001,
        },
      });
      should(JSON.parse((await call(server, `${at}/cemm/a%20b/1`, '{}')).text)).containDeep({
        sender: { kind: 'invalid' },
      });
      (await call(server, `${at}/cemm/north-5`, '{}')).status.should.equal(404);
      (await call(server, `${at}/cemm/north-5/1/2`, '{}')).status.should.equal(404);
      (await call(server, '/echo', strange)).text.should.equal('{"a":1}');
      hook.mount.remove();
      (await call(server, `${at}/cemm/north-5/24000001`, '{}')).status.should.equal(404);
    }
  });

  it('WT19: works under a moved root and runs one or several middlewares of the settings', async () => {
    let seen = 0;
    const see = (_req: unknown, _res: unknown, next: Next): void => {
      seen += 1;
      setTimeout(next, 1);
    };
    for (const middleware of [see, [see, see]]) {
      const { server, httpNode } = nodeRedLike('/api');
      const hook = hookIn(redWith(httpNode, { httpNodeMiddleware: middleware }), '/cemm');
      hook.mount.put();
      echo(hook);
      hook.fullPath.should.equal('/api/cemm');
      should(JSON.parse((await call(server, '/api/cemm', '{ }')).text)).containDeep({ read: '{ }' });
      (await call(server, '/cemm', '{}')).status.should.equal(404);
    }
    seen.should.equal(3);
  });

  it('WT10: removes exactly its own layers, and restores them when another node removes them', async () => {
    const { server, httpNode } = nodeRedLike();
    httpNode.post('/neighbour', (_req, res) => res.send('neighbour'));
    const stacks = (): number[] =>
      [server, httpNode].map((app) => (Reflect.get(app, '_router') as { stack: unknown[] }).stack.length);
    const before = stacks();
    const hook = hookIn(redWith(httpNode), '/cemm');
    for (let round = 0; round < 5; round++) hook.mount.put();
    stacks().should.deepEqual(before.map((count) => count + 1));
    echo(hook);
    (Reflect.get(httpNode, '_router') as { stack: unknown[] }).stack.pop();
    (Reflect.get(server, '_router') as { stack: unknown[] }).stack.shift();
    (await call(server, '/cemm', '{ }')).status.should.equal(404);
    hook.mount.put();
    should(JSON.parse((await call(server, '/cemm', '{ }')).text)).containDeep({ read: '{ }' });
    hook.mount.remove();
    stacks().should.deepEqual(before);
    (await call(server, '/neighbour', '{}')).text.should.equal('neighbour');
  });

  it('LC3: holds a request for 3 s while its node restarts, then answers 503', async () => {
    const { server, httpNode } = nodeRedLike();
    const clock = new FakeClock('2026-01-15T12:00:00Z');
    const hook = hookIn(redWith(httpNode), '/cemm', clock);
    hook.mount.put();
    const late = call(server, '/cemm', '{}');
    await until('a request that waits', () => clock.timerCount === 1);
    clock.tick(3000);
    const reply = await late;
    reply.status.should.equal(503);
    should(JSON.parse(reply.text)).containDeep({ error: 'busy' });
    const early = call(server, '/cemm', '{ }');
    await until('a request that waits', () => clock.timerCount === 1);
    echo(hook);
    hook.wake();
    should(JSON.parse((await early).text)).containDeep({ read: '{ }' });
    clock.timerCount.should.equal(0);
  });

  it('leaves the body and the answer of other methods to other nodes on the same path', async () => {
    const { server, httpNode } = nodeRedLike();
    const hook = hookIn(redWith(httpNode), '/cemm/:house');
    hook.mount.put();
    echo(hook);
    httpNode.put('/cemm/:house', (req, res) => res.json({ put: req.body as unknown }));
    (await call(server, '/cemm/one', '{"a":1}', 'PUT')).text.should.equal('{"put":{"a":1}}');
    should(JSON.parse((await call(server, '/cemm/one', '{"a":1}')).text)).containDeep({ read: '{"a":1}' });
  });

  it('WT25: answers a path that cannot be decoded', async () => {
    for (const path of ['/cemm', '/cemm/:house/:floor']) {
      const { server, httpNode } = nodeRedLike();
      const hook = hookIn(redWith(httpNode), path);
      hook.mount.put();
      echo(hook);
      const reply = await call(server, '/cemm/%zz/1', '{}');
      if (path === '/cemm') reply.status.should.equal(404);
      else should(JSON.parse(reply.text)).containDeep({ error: 'bad_encoding' });
    }
  });

  it('WT21: detects an earlier route that takes its requests', () => {
    const { httpNode } = nodeRedLike();
    httpNode.get('/cemm', (_req, res) => res.send('a page'));
    const hook = hookIn(redWith(httpNode), '/cemm');
    hook.mount.put();
    hook.mount.isShadowed.should.be.false();
    const { httpNode: other } = nodeRedLike();
    other.post('/:anything', (_req, res) => res.send('mine'));
    const shadowed = hookIn(redWith(other), '/cemm');
    shadowed.mount.put();
    shadowed.mount.isShadowed.should.be.true();
  });

  it('WT22: bypasses parsers that check only the content type, like those of Express 5, and restores the type', async () => {
    const app = new RouterOfExpress5();
    const hook = hookIn(redWith(app.app), '/cemm');
    hook.mount.put();
    echo(hook);
    should(JSON.parse((await call(app.listener, '/cemm', ' {}')).text)).deepEqual({
      read: ' {}',
      type: 'application/json',
    });
    (await call(app.listener, '/else', ' {}')).text.should.equal('parsed');
    hook.mount.remove();
    app.stack.length.should.equal(1);
  });

  it('WT22: reports an unknown kind of router', () => {
    const app = Object.assign(() => undefined, { route: () => ({ all: () => undefined }), path: () => '' });
    (() => {
      hookIn(redWith(app), '/cemm').mount.put();
    }).should.throw(/unknown kind/);
  });
});

/** The visible differences of Express 5: `router` instead of `_router`, parsers without `_body`. */
class RouterOfExpress5 {
  readonly stack: { route?: { path: RegExp | null; stack: { handle: Handle }[] } }[] = [
    {
      route: {
        path: null,
        stack: [
          {
            handle: (req, res, next) => {
              if (req.headers['content-type'] === 'application/json') {
                req.resume();
                res.end('parsed');
              } else next();
            },
          },
        ],
      },
    },
  ];

  readonly app = Object.assign(() => undefined, {
    router: { stack: this.stack },
    path: () => '',
    route: ([path = /^$/]: RegExp[]) => ({
      all: (...handles: Handle[]) => this.stack.push({ route: { path, stack: handles.map((handle) => ({ handle })) } }),
    }),
  });

  readonly listener: RequestListener = (req, res) => {
    const handles = this.stack
      .filter(({ route }) => route !== undefined && (route.path === null || route.path.test(req.url ?? '')))
      .flatMap(({ route }) => route?.stack ?? []);
    const step = (index: number): void => {
      const handle = handles[index]?.handle;
      if (handle)
        handle(req, res, () => {
          step(index + 1);
        });
      else res.writeHead(404).end();
    };
    step(0);
  };
}

describe('the settings of a webhook node', () => {
  const stored: StoredWebhook = {
    config: { path: '/cemm', hmac: true },
    credentials: { hmacKey: 'a key' },
    expand: (text) => text.replace('${HOUSE}', 'house'),
    nodeRoot: '/',
    admin: { root: '', segments: new Set(['cemm-connection', 'inject']) },
  };
  const read = (config: StoredWebhook['config'], more: Partial<StoredWebhook> = {}) =>
    readWebhookSettings({ ...stored, ...more, config: { ...stored.config, ...config } });

  it('LC14: have defaults', () => {
    const settings = read({});
    settings.should.containDeep({
      path: '/cemm',
      maxAgeMs: 300_000,
      expected: null,
      subject: { meter: '', channel: '' },
    });
    settings.monitors.size.should.equal(0);
    settings.authenticator.methods.should.deepEqual(['hmac']);
  });

  it('take numbers as text, lists in any spelling, and environment variables', () => {
    read({ maxAge: '60' }).maxAgeMs.should.equal(60_000);
    read({ maxAge: 0 }).maxAgeMs.should.equal(0);
    [...read({ monitors: ' 24000001,24000002; 7 ' }).monitors].should.deepEqual([24000001, 24000002, 7]);
    read({ path: 'cemm/${HOUSE}/' }).path.should.equal('/cemm/house');
    should(read({ expected: '15m' }).expected).equal('15m');
  });

  const at = (root: string) => ({ root, segments: new Set<string>() });
  it('know where to receive, and need no root of Node-RED for a port of their own', () => {
    should(read({}).listen).deepEqual({ kind: 'shared' });
    const own = { listen: 'own', port: 8081, bind: '::1', tls: 'tls', path: '/flows' };
    const { listen, path } = read(own, { nodeRoot: false });
    should(listen).deepEqual({ kind: 'own', port: 8081, bind: '::1', tls: 'tls' });
    path.should.equal('/flows');
    should(read({ listen: 'own' }).listen).deepEqual({ kind: 'own', port: 1881, bind: '0.0.0.0', tls: '' });
  });

  const wrong: [string, StoredWebhook['config'], Partial<StoredWebhook>][] = [
    ['webhook_no_proof', { hmac: false }, {}],
    ['webhook_hmac_key', {}, { credentials: {} }],
    ['webhook_hmac_key', {}, { credentials: { hmacKey: ' \n' } }],
    ['webhook_header_key', { header: true }, {}],
    ['webhook_query_key', { query: true }, {}],
    ['webhook_header_name', { header: true, headerName: 'a b' }, { credentials: { hmacKey: 'k', headerKey: 'k' } }],
    ['webhook_query_name', { query: true, queryName: ' ' }, { credentials: { hmacKey: 'k', queryKey: 'k' } }],
    ['webhook_path', { path: '' }, {}],
    ['webhook_path', { path: '/:a' }, {}],
    ['webhook_path', { path: '/a/../b' }, {}],
    ['webhook_path', { path: '/a b' }, {}],
    ['webhook_path', { path: '/a?b=c' }, {}],
    ['webhook_path', { path: `/${'a'.repeat(300)}` }, {}],
    ['webhook_path_reserved', { path: '/flows' }, {}],
    ['webhook_path_reserved', { path: '/Nodes/x' }, {}],
    ['webhook_path_reserved', { path: '/flows' }, { nodeRoot: '/red', admin: at('/red') }],
    ['webhook_path_reserved', { path: '/cemm-connection/test' }, {}],
    ['webhook_path_reserved', { path: '/inject' }, {}],
    ['webhook_path_reserved', { path: '/admin/:x' }, { admin: at('/admin') }],
    ['webhook_path_reserved', { path: '/ADMIN/flows' }, { admin: at('/admin') }],
    ['webhook_path_reserved', { path: '/admin' }, { admin: at('/admin/') }],
    ['webhook_path_reserved', { path: '/a/:x' }, { admin: at('/a/b') }],
    ['webhook_path_reserved', { path: '/a/:x/c' }, { admin: at('/a/b') }],
    ['webhook_path_reserved', { path: '/a/:x/c' }, { admin: at('/a/b/c') }],
    ['webhook_port', { listen: 'own', port: '0' }, {}],
    ['webhook_port', { listen: 'own', port: '65536' }, {}],
    ['webhook_port', { listen: 'own', port: '18a' }, {}],
    ['webhook_bind', { listen: 'own', bind: 'localhost' }, {}],
    ['webhook_bind', { listen: 'own', bind: '' }, {}],
    ['webhook_path_health', { listen: 'own', path: '/Health/' }, {}],
    ['webhook_max_age', { maxAge: -1 }, {}],
    ['webhook_max_age', { maxAge: '' }, {}],
    ['webhook_max_age', { maxAge: 90_000 }, {}],
    ['webhook_monitors', { monitors: '1,x' }, {}],
    ['webhook_expected', { expected: '2m' }, {}],
    ['webhook_http_node_root', {}, { nodeRoot: false }],
  ];
  for (const [reason, config, more] of wrong) {
    it(`refuse ${JSON.stringify(config)} with ${reason}`, () => {
      try {
        read(config, more);
      } catch (error) {
        should(error).be.instanceof(CemmError);
        should(error).containDeep({ code: 'CONFIG', reason });
        return;
      }
      throw new Error('accepted');
    });
  }

  it('allow the editor’s words where the editor has another address, and a previous key', () => {
    read({ path: '/flows' }, { admin: at('/admin') }).path.should.equal('/flows');
    read({ path: '/flows' }, { admin: { ...at('/'), root: null } }).path.should.equal('/flows');
    read({ path: '/flow-in' }).path.should.equal('/flow-in');
    read({ path: '/a/:x/d' }, { admin: at('/a/b/c') }).path.should.equal('/a/:x/d');
    read({ path: '/a/c/:x' }, { admin: at('/a/b') }).path.should.equal('/a/c/:x');
    read({ path: '/health' }).path.should.equal('/health');
    read({}, { credentials: { hmacKey: ' k', previousHmacKey: 'p' } }).hasBlankAroundKey.should.be.true();
    read({ hmac: false, open: true }).authenticator.methods.should.be.empty();
  });

  it('know a plain path', () => {
    for (const path of ['/cemm', '/cemm/house-1', '/a.b/c_d/~e', '/CEMM', '/cemm/:a', '/a/:b/c/:d_1'])
      isUsablePath(path).should.be.true();
    for (const path of [
      '',
      '/',
      'cemm',
      '//',
      '/a//b',
      '/*',
      '/a+',
      '/(a)',
      '/%41',
      '/.',
      '/..',
      '/:a',
      '/a/:',
      '/a/:1',
      '/a/x:b',
      '/a/:b?',
      '/a/:b/:b',
    ])
      isUsablePath(path).should.be.false();
    normalizePath(' cemm/house// ').should.equal('/cemm/house');
  });
});

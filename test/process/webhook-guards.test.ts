/** Whatever users put in front of their flows' addresses is asked for webhook calls, too. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import 'should';
import { sign } from '../../src/webhook/proof';
import { NodeRed } from '../support/node-red';
import { credentials, key, valuesOf, webhookFlow } from '../support/webhook/flows';
import { delivery, valueIn } from '../support/webhook/sending';

/** Refuses whoever calls the webhook without the word. Plain node:http, for it may sit in front of Express's own layers. */
const guard = `(req, res, next) => {
  if (!/cemm$/i.test(req.originalUrl) || req.headers['x-word'] === 'please') next();
  else { res.statusCode = 418; res.end('no'); }
}`;
const root = '((app) => { while (app.parent) app = app.parent; return app; })(RED.httpNode)';

/** Tells of every call that reaches the app of the flows, without a layer that could be seen. */
const witness = `const handle = RED.httpNode.handle;
RED.httpNode.handle = function (req, res, next) { res.setHeader('x-long-way', 'yes'); handle.call(this, req, res, next); };`;

interface Guard {
  readonly name: string;
  /** Of settings.js. */
  readonly settings?: string;
  /** Of a node that the user installed, run when it is loaded. */
  readonly node?: string;
  readonly root?: string;
}

const guards: readonly Guard[] = [
  { name: 'httpNodeAuth', settings: `httpNodeAuth: ${guard},` },
  { name: 'several httpNodeAuth', settings: `httpNodeAuth: [(req, res, next) => { next(); }, ${guard}],` },
  { name: 'httpNodeMiddleware', settings: `httpNodeMiddleware: ${guard},` },
  {
    name: 'httpAdminMiddleware, whose app is in front of that of the flows',
    settings: `httpAdminMiddleware: ${guard},`,
  },
  { name: 'a layer on RED.httpNode', node: `RED.httpNode.use(${guard});` },
  { name: 'a layer on RED.httpNode for our path', node: `RED.httpNode.use('/cemm', ${guard});` },
  {
    name: 'a layer on RED.httpNode under a moved root',
    settings: "httpNodeRoot: '/api',",
    node: `RED.httpNode.use('/CEMM', ${guard});`,
    root: '/api',
  },
  { name: 'a route for all methods on RED.httpNode', node: `RED.httpNode.all('/cemm', ${guard});` },
  { name: 'a layer on RED.httpAdmin', node: `RED.httpAdmin.use(${guard});` },
  {
    name: 'a layer at the front of the server app',
    node: `const app = ${root}; app.use(${guard}); app._router.stack.unshift(app._router.stack.pop());`,
  },
  { name: 'a layer with the name of one of Express', node: `RED.httpNode.use({ query: ${guard} }.query);` },
];

const harmless: readonly Guard[] = [
  { name: 'default settings' },
  { name: 'both roots moved', settings: "httpNodeRoot: '/api', httpAdminRoot: '/admin',", root: '/api' },
  {
    name: 'CORS and static files',
    settings: `httpNodeCors: { origin: '*' }, httpStatic: ${JSON.stringify(tmpdir())},`,
  },
  {
    name: 'layers for other addresses',
    node: `RED.httpNode.use('/other', ${guard}); RED.httpNode.get('/cemm', ${guard});`,
  },
];

describe('a webhook call behind what users put in front of their flows', function () {
  this.timeout(120_000);
  let nodeRed: NodeRed | undefined;
  let nodes = '';

  afterEach(async () => {
    await nodeRed?.stop();
    nodeRed = undefined;
    await rm(nodes, { recursive: true, force: true });
  });

  async function start({ settings = '', node = '' }: Guard): Promise<NodeRed> {
    nodes = await mkdtemp(join(tmpdir(), 'cemm-guard-'));
    await writeFile(
      join(nodes, 'guard.js'),
      `module.exports = (RED) => { ${witness} ${node} RED.nodes.registerType('guard', () => {}); };`,
    );
    await writeFile(join(nodes, 'guard.html'), '<script type="text/html" data-template-name="guard"></script>');
    const adminRoot = settings.includes('/admin') ? '/admin' : '';
    return NodeRed.start({
      settings: `${settings} nodesDir: ${JSON.stringify(nodes)},`,
      adminRoot,
      flows: webhookFlow(),
      credentials,
    });
  }

  async function call({ url }: NodeRed, path: string, body: Buffer, word?: string): Promise<Response> {
    return fetch(`${url}${path}/cemm`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-signature': sign(key, body),
        ...(word === undefined ? {} : { 'x-word': word }),
      },
      body: Uint8Array.from(body),
    });
  }

  function cameTheLongWay({ headers }: Response): boolean {
    return headers.has('x-long-way');
  }

  for (const one of guards) {
    it(`is refused by ${one.name}`, async () => {
      nodeRed = await start(one);
      const refused = await call(nodeRed, one.root ?? '', delivery());
      refused.status.should.equal(418);
      const body = delivery();
      const admitted = await call(nodeRed, one.root ?? '', body, 'please');
      admitted.status.should.equal(200);
      cameTheLongWay(admitted).should.be.true();
      valuesOf(await nodeRed.waitForMessages('deliveries', 1)).should.deepEqual([valueIn(body)]);
    });
  }

  for (const one of harmless) {
    it(`is answered in httpNode with ${one.name}`, async () => {
      nodeRed = await start(one);
      const body = delivery();
      const reply = await call(nodeRed, one.root ?? '', body);
      reply.status.should.equal(200);
      cameTheLongWay(reply).should.be.true();
      valuesOf(await nodeRed.waitForMessages('deliveries', 1)).should.deepEqual([valueIn(body)]);
      const other = await fetch(`${nodeRed.url}${one.root ?? ''}/cemm`, { method: 'PUT' });
      other.status.should.equal(405);
      cameTheLongWay(other).should.be.true();
    });
  }
});

/** `listen: own`: deliveries on a separate port, in a whole Node-RED. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import should from 'should';
import { freePort, NodeRed, tab } from '../support/node-red/node-red';
import { selfSigned } from '../support/network/certificate';
import { until } from '../support/until';
import { credentials, key, listReadingValues, webhookFlow, webhookNode } from '../support/webhook/flows';
import { delivery, post, Traffic, valueIn } from '../support/webhook/sending';

/** A foreign node that delays a deploy. */
const slowClose = `module.exports = (RED) => {
  RED.nodes.registerType('slow-close', function (config) {
    RED.nodes.createNode(this, config);
    this.on('close', (done) => setTimeout(done, 1200));
  });
};`;

/** A context store that takes its time, as a slow disk does, while a deploy removes the values of deleted nodes. */
const slowContext = `const nothing = () => Promise.resolve();
module.exports = () => ({
  open: nothing,
  close: nothing,
  get: (scope, key, callback) => callback(null),
  set: (scope, key, value, callback) => callback?.(null),
  keys: (scope, callback) => callback(null, []),
  delete: nothing,
  clean: (nodes) => new Promise((resolve) => setTimeout(resolve, nodes.includes('slow-context') ? 1500 : 0)),
});`;

describe('a webhook node on a separate port @node-red-5', function () {
  this.timeout(120_000);
  let nodeRed: NodeRed;
  let port = 0;
  let url = '';
  let nodes = '';

  before(async () => {
    port = await freePort();
    url = `http://127.0.0.1:${port}`;
    nodes = await mkdtemp(join(tmpdir(), 'cemm-slow-'));
    await writeFile(join(nodes, 'slow-close.js'), slowClose);
    await writeFile(
      join(nodes, 'slow-close.html'),
      '<script type="text/html" data-template-name="slow-close"></script>',
    );
    const context = join(nodes, 'slow-context.cjs');
    await writeFile(context, slowContext);
    nodeRed = await NodeRed.start({
      env: { CEMM_RECEIVER_PORT: String(port) },
      settings: `httpNodeRoot: false, runtimeState: { enabled: true, ui: true }, nodesDir: ${JSON.stringify(nodes)},
        contextStorage: { default: { module: 'memory' }, slow: { module: require(${JSON.stringify(context)}) } },`,
    });
  });

  after(async () => {
    await nodeRed.stop();
    await rm(nodes, { recursive: true, force: true });
  });

  const own = { listen: 'own', port: '${CEMM_RECEIVER_PORT}', bind: '127.0.0.1', tls: '' };
  const sender = () => ({ url: `${url}/cemm`, key });
  const isClosed = () =>
    fetch(url).then(
      () => false,
      () => true,
    );
  const isReceiving = async () => (await post(sender(), delivery()).catch(() => null))?.status === 200;

  /** Deploys, and resolves when the port is open: it opens right after the start of the flows. */
  async function deployAndListen(...what: Parameters<NodeRed['deploy']>): Promise<void> {
    await nodeRed.deploy(...what);
    await until('an open port', async () => !(await isClosed()));
  }

  /** Returns the output of Node-RED from now on. */
  function listen(): () => string {
    const said = nodeRed.log.length;
    return () => nodeRed.log.slice(said);
  }

  it('WT20: accepts deliveries there and serves nothing else', async () => {
    await deployAndListen(webhookFlow(own), 'full', credentials);
    const body = delivery();
    (await post(sender(), body)).status.should.equal(200);
    listReadingValues(await nodeRed.waitForMessages('deliveries', 1)).should.deepEqual([valueIn(body)]);
    (await post({ url: `${nodeRed.url}/cemm`, key }, delivery())).status.should.equal(404);
    for (const path of ['/', '/flows', '/settings', '/auth/token', '/context/global', '/cemm/x', '/cemm2']) {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const reply = await fetch(`${url}${path}`, { method });
        reply.status.should.equal(404, `${method} ${path}`);
        should(await reply.json()).containDeep({ error: 'not_found' });
      }
    }
    const got = await fetch(`${url}/cemm`);
    got.status.should.equal(405);
    should(await got.json()).containDeep({ error: 'method' });
    (await fetch(`${url}/health`)).status.should.equal(204);
    (await fetch(`${url}/health`, { method: 'POST' })).status.should.equal(405);
  });

  it('shares its port with a node of another path, and closes it with the last of them', async () => {
    const second = webhookNode({ ...own, id: 'second', path: '/second', wires: [['deliveries'], []] });
    await deployAndListen(webhookFlow(own, [second]), 'full', { ...credentials, second: { hmacKey: 'other' } });
    (await post(sender(), delivery())).status.should.equal(200);
    (await post({ url: `${url}/second`, key: 'other' }, delivery())).status.should.equal(200);
    await nodeRed.deploy(webhookFlow(own), 'nodes');
    (await post(sender(), delivery())).status.should.equal(200);
    (await post({ url: `${url}/second`, key: 'other' }, delivery())).status.should.equal(404);
    await nodeRed.deploy([], 'full');
    await until(
      'a closed port',
      () =>
        fetch(url).then(
          () => false,
          () => true,
        ),
      1500,
    );
  });

  it('LC15: loses no request during deploys of every kind', async () => {
    await deployAndListen(webhookFlow(own), 'full', credentials);
    const servers = async () =>
      (await nodeRed.handles()).resources.filter((resource) => resource === 'TCPServerWrap').length;
    const before = await servers();
    const traffic = new Traffic(sender, 4, 2);
    try {
      for (let round = 1; round <= 30; round++) {
        const type = (['full', 'flows', 'nodes'] as const)[round % 3] ?? 'full';
        await nodeRed.deploy(webhookFlow({ ...own, name: `round ${round}` }), type);
      }
    } finally {
      await traffic.stop();
    }
    traffic.broken.should.be.empty();
    traffic.replies.filter(({ status }) => status !== 200 && status !== 503).should.be.empty();
    traffic.count(200).should.be.above(60);
    (await servers()).should.equal(before);
  });

  for (const [cause, slow] of [
    ['the close of a node', { id: 'slow', type: 'slow-close', z: 'flow', wires: [] }],
    ['the disk between stop and start', { id: 'slow-context', type: 'comment', z: 'flow', wires: [] }],
  ] as const) {
    it(`LC15: lets requests wait for the new node while a deploy takes its time for ${cause}`, async () => {
      await deployAndListen(webhookFlow(own, [slow]), 'full', credentials);
      const traffic = new Traffic(sender, 4, 2);
      try {
        await nodeRed.deploy(webhookFlow({ ...own, name: 'changed' }, [slow]), 'full');
      } finally {
        await traffic.stop();
      }
      traffic.broken.should.be.empty();
      traffic.replies.filter(({ status, ms }) => status === 200 && ms > 500).length.should.be.above(0);
      should((await fetch(`${url}/health`)).status).equal(204);
    });
  }

  it('LC11: reports a taken port once, and opens it when it is free', async () => {
    await nodeRed.deploy([], 'full');
    await until('a closed port', isClosed);
    const blocker = createServer((_req, res) => res.end());
    await new Promise<void>((resolve) => blocker.listen(port, '127.0.0.1', resolve));
    const said = nodeRed.log.length;
    const sentence = `Port ${port} is used by another program`;
    try {
      await nodeRed.deploy(webhookFlow(own), 'full', credentials);
      await until('the error', () => nodeRed.log.slice(said).includes(sentence));
    } finally {
      await new Promise((resolve) => {
        blocker.close(resolve);
        blocker.closeAllConnections();
      });
    }
    await until('an open port', isReceiving);
    nodeRed.log.slice(said).split(sentence).length.should.equal(2);
  });

  it('LC15: closes its port while flows are stopped, and opens it again', async () => {
    await nodeRed.deploy(webhookFlow(own), 'full', credentials);
    await until('an open port', isReceiving);
    const turn = async (state: string): Promise<void> => {
      const body = JSON.stringify({ state });
      const headers = { 'content-type': 'application/json' };
      (await nodeRed.admin('/flows/state', { method: 'POST', headers, body })).status.should.equal(200);
    };
    await turn('stop');
    await until('a closed port', isClosed);
    await turn('start');
    await until('an open port', isReceiving);
  });

  it('LC17: uses the TLS certificate of Node-RED, and reports an invalid one', async () => {
    const tls = { id: 'tls', type: 'tls-config', name: '', cert: '', key: '', ca: '', certname: '', keyname: '' };
    const { cert: certdata, key: keydata } = selfSigned('localhost');
    const flow = webhookFlow({ ...own, tls: 'tls' }, [tls]);
    for (const [data, sentence] of [
      [{ certdata: '', keydata: '' }, 'has no certificate'],
      [{ certdata, keydata: selfSigned('other').key }, 'does not belong to it'],
    ] as const) {
      const said = listen();
      await nodeRed.deploy(flow, 'full', { ...credentials, tls: data });
      await until(sentence, () => said().includes(sentence));
      (await isClosed()).should.be.true();
    }
    await nodeRed.deploy(flow, 'full', { ...credentials, tls: { certdata, keydata } });
    const status = await until('an open port', () => healthOverTls(port));
    status.should.equal(204);
    const test = await nodeRed.admin('/cemm-webhook-in/test', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'X-CEMM-Request': 'test' },
      body: JSON.stringify({ ...form, hmacKey: key }),
    });
    should(await test.json()).containDeep({ failure: null, status: 200 });
    const said = listen();
    await nodeRed.deploy(webhookFlow({ ...own, tls: 'gone' }), 'full', credentials);
    said().should.containEql('is deleted or disabled');
    await nodeRed.deploy(webhookFlow(own), 'full', credentials);
    await until('plain HTTP', isReceiving);
  });

  it('LC16: refuses another TLS setting or bind address on its port, names the other node, and takes over when that is deleted', async () => {
    for (const [more, sentence] of [
      [{ tls: 'other' }, `Node hook (flow) has port ${port} open already with another TLS configuration`],
      [{ bind: '0.0.0.0' }, `Node hook (flow) has port ${port} open already, at another bind address`],
    ] as const) {
      const second = webhookNode({ ...own, ...more, id: 'second', path: '/second', wires: [['deliveries'], []] });
      const said = listen();
      await deployAndListen(webhookFlow(own, [second]), 'full', { ...credentials, second: { hmacKey: key } });
      said().should.containEql(sentence);
      (await post(sender(), delivery())).status.should.equal(200);
      (await post({ url: `${url}/second`, key }, delivery())).status.should.equal(404);
    }
    const [first, , ...rest] = webhookFlow(own, [
      webhookNode({ ...own, bind: '0.0.0.0', id: 'second', path: '/second', wires: [['deliveries'], []] }),
    ]);
    await nodeRed.deploy([first ?? tab(), ...rest], 'nodes');
    const second = { url: `${url}/second`, key };
    await until('the second node', async () => (await post(second, delivery()).catch(() => null))?.status === 200);
  });

  const form = { id: 'hook', path: '/cemm', listen: 'own', port: '${CEMM_RECEIVER_PORT}', hmac: true };

  it('is tested from the dialog at its own address, and shows its port', async () => {
    await nodeRed.deploy(webhookFlow(own), 'full', credentials);
    const ask = async (body: object): Promise<unknown> => {
      const headers = { 'content-type': 'application/json', 'X-CEMM-Request': 'test' };
      const init = { method: 'POST', headers, body: JSON.stringify(body) };
      return (await nodeRed.admin('/cemm-webhook-in/test', init)).json();
    };
    const stored = { ...form, hmacKey: '__PWRD__' };
    await until('an open port', isReceiving);
    should(await ask(stored)).containDeep({ failure: null, status: 200 });
    should(await ask({ ...stored, port: String(port) })).containDeep({ failure: null, status: 200 });
    for (const more of [{ port: '1' }, { port: '${CEMM_NO_SUCH_VARIABLE}' }, { listen: 'shared' }, { path: '/other' }])
      should(await ask({ ...stored, ...more })).containDeep({ failure: 'other_path' });
    const told: unknown = await (await nodeRed.admin('/cemm-webhook-in/server?id=hook')).json();
    should(told).deepEqual({ root: false, auth: false, port });
  });

  it('does not start where port or address cannot be, and says so', async () => {
    for (const [more, sentence] of [
      [{ port: '0' }, 'port must be a number'],
      [{ port: '99999' }, 'port must be a number'],
      [{ port: '${CEMM_NO_SUCH_VARIABLE}' }, 'CEMM_NO_SUCH_VARIABLE'],
      [{ bind: 'localhost' }, 'must be an IP address'],
      [{ path: '/health' }, 'for load balancers'],
      [{ bind: '192.0.2.1' }, 'has no address 192.0.2.1'],
    ] as const) {
      const said = listen();
      await nodeRed.deploy(webhookFlow({ ...own, ...more }), 'full', credentials);
      await until(sentence, () => said().includes(sentence));
    }
    nodeRed.log.should.not.containEql(key);
  });
});

/** Null if nothing answers. */
function healthOverTls(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const call = request({ port, host: '127.0.0.1', path: '/health', rejectUnauthorized: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? null);
    });
    call.on('error', () => {
      resolve(null);
    });
    call.end();
  });
}

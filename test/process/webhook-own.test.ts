/** `listen: own`: deliveries on a port of their own, in a whole Node-RED. */
import { createServer } from 'node:http';
import should from 'should';
import { freePort, NodeRed } from '../support/node-red';
import { until } from '../support/wait';
import { credentials, key, valuesOf, webhookFlow, webhookNode } from '../support/webhook/flows';
import { delivery, post, Traffic, valueIn } from '../support/webhook/sending';

describe('a webhook node on a port of its own', function () {
  this.timeout(120_000);
  let nodeRed: NodeRed;
  let port = 0;
  let url = '';

  before(async () => {
    port = await freePort();
    url = `http://127.0.0.1:${port}`;
    nodeRed = await NodeRed.start({ env: { CEMM_RECEIVER_PORT: String(port) }, settings: 'httpNodeRoot: false,' });
  });

  after(async () => {
    await nodeRed.stop();
  });

  const own = { listen: 'own', port: '${CEMM_RECEIVER_PORT}', bind: '127.0.0.1', tls: '' };
  const sender = () => ({ url: `${url}/cemm`, key });

  it('receives there and serves nothing else', async () => {
    await nodeRed.deploy(webhookFlow(own), 'full', credentials);
    const body = delivery();
    (await post(sender(), body)).status.should.equal(200);
    valuesOf(await nodeRed.waitForMessages('deliveries', 1)).should.deepEqual([valueIn(body)]);
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
    await nodeRed.deploy(webhookFlow(own, [second]), 'full', { ...credentials, second: { hmacKey: 'other' } });
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

  it('loses no call over deploys of every kind', async () => {
    await nodeRed.deploy(webhookFlow(own), 'full', credentials);
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
  });

  it('says that a port is taken, once, and comes up by itself when it is free', async () => {
    await nodeRed.deploy([], 'full');
    await until('a closed port', () =>
      fetch(url).then(
        () => false,
        () => true,
      ),
    );
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
    await until('an open port', async () => (await post(sender(), delivery()).catch(() => null))?.status === 200);
    nodeRed.log.slice(said).split(sentence).length.should.equal(2);
  });
});

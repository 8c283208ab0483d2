/** The webhook node through deploys, key changes, conflicts and its admin routes, on a whole Node-RED. */
import { createServer } from 'node:http';
import should from 'should';
import type { WebhookPayload } from '../../src/model/payload';
import { createSimulatedClock } from '../../src/simulator/simulated-clock';
import { startSimulator } from '../../src/simulator/start-simulator';
import { type CollectedMessage, NodeRed, tab, type FlowNode } from '../support/node-red/node-red';
import { until } from '../support/until';
import { credentials, key, listReadingValues, webhookFlow, webhookNode } from '../support/webhook/flows';
import { delivery, post, Traffic, type Sender } from '../support/webhook/sending';
import { listenOnLoopback } from '../support/network/loopback';

const testRoute = '/cemm-webhook-in/test';
/** `.ci/run` makes 200 of them. */
const redeploys = Number(process.env['CEMM_WEBHOOK_REDEPLOYS'] ?? 40);

/** An http in node on the path of the webhook node, and its response. */
function httpNodes(id: string, method: string, statusCode: string): [FlowNode, FlowNode] {
  return [
    { id, type: 'http in', z: 'flow', url: '/cemm', method, upload: false, wires: [['reply']] },
    { id: 'reply', type: 'http response', z: 'flow', statusCode, wires: [] },
  ];
}

describe('a webhook node in Node-RED @node-red-5', function () {
  this.timeout(240_000);
  let nodeRed: NodeRed;
  let sender: Sender;

  before(async () => {
    nodeRed = await NodeRed.start({ flows: webhookFlow(), credentials });
    sender = { url: `${nodeRed.url}/cemm`, key };
  });

  after(async () => {
    await nodeRed.stop();
  });

  async function ask(path: string, body: unknown, headers: Record<string, string> = { 'X-CEMM-Request': 'test' }) {
    const response = await nodeRed.admin(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  const form = { id: 'hook', path: '/cemm', hmac: true, hmacKey: '__PWRD__' };

  describe('admin routes', () => {
    it('send a signed test with the unsaved key or the deployed one, and show the response', async () => {
      const deployed = await ask(testRoute, form);
      deployed.body.should.containDeep({ failure: null, status: 200 });
      const typed = await ask(testRoute, { ...form, hmacKey: 'another key' });
      typed.body.should.containDeep({ failure: null, status: 401 });
      String(typed.body['answer']).should.containEql('bad_signature');
      const readingsOf = ({ payload }: CollectedMessage) => (payload as WebhookPayload).readings;
      const isTest = (message: CollectedMessage): boolean => readingsOf(message).some(({ meter }) => meter === 'test');
      const arrived = await nodeRed.waitFor('deliveries', (all) => all.some(isTest));
      should(arrived.filter(isTest).map(readingsOf)).containDeep([[{ meter: 'test', value: null }]]);
      JSON.stringify([deployed, typed]).should.not.containEql(key);
    });

    it('AE3, AE6: refuse requests that the dialog does not send', async () => {
      (await ask(testRoute, form, {})).status.should.equal(400);
      (await ask(testRoute, form, { 'X-CEMM-Request': 'x', 'content-type': 'text/plain' })).status.should.equal(400);
      (await ask(testRoute, [])).status.should.equal(400);
      (await ask(testRoute, { ...form, id: 'nobody' })).body.should.deepEqual({ error: 'not_deployed' });
      (await ask(testRoute, { ...form, id: 'deliveries' })).status.should.equal(404);
      (await ask(testRoute, { ...form, path: '/flows' })).body.should.deepEqual({ failure: 'other_path', ms: 0 });
      (await ask(testRoute, { ...form, header: true })).body.should.deepEqual({ failure: 'key_missing', ms: 0 });
      (await ask(testRoute, { ...form, hmacKey: 'k'.repeat(5000) })).status.should.equal(413);
    });

    it('AE12: list the last five deliveries of a node and, separately, the last five refused requests', async () => {
      for (let call = 0; call < 6; call++) await post(sender, delivery());
      for (let call = 0; call < 6; call++) await fetch(sender.url);
      await post({ ...sender, key: 'wrong' }, delivery());
      const answer = await nodeRed.admin('/cemm-webhook-in/deliveries?id=hook');
      const { accepted, refused } = (await answer.json()) as Record<string, unknown[]>;
      should(accepted?.length).equal(5);
      should(refused?.length).equal(5);
      should(accepted?.[0]).containDeep({ status: 200, word: 'accepted', cemm: 24000001 });
      should(refused?.[0]).containDeep({ status: 401, word: 'bad_signature', remote: '127.0.0.1' });
      should(refused?.[1]).containDeep({ status: 405, word: 'method' });
      // A new node on the canvas that is not deployed.
      const none = await nodeRed.admin('/cemm-webhook-in/deliveries?id=nobody');
      should(await none.json()).deepEqual({ accepted: [], refused: [] });
      const server = (await (await nodeRed.admin('/cemm-webhook-in/server')).json()) as unknown;
      should(server).deepEqual({ root: '/', auth: false, port: null });
    });

    it('AE7: are rate limited', async () => {
      const statuses: number[] = [];
      for (let call = 0; call < 25; call++) statuses.push((await ask(testRoute, form)).status);
      statuses.should.containEql(429);
    });
  });

  it('WA25: refuses no delivery while a key is changed under load', async () => {
    let current = key;
    const traffic = new Traffic(() => ({ ...sender, key: current }), 5, 100);
    try {
      await until('traffic', () => traffic.replies.length > 20);
      await nodeRed.deploy(webhookFlow(), 'nodes', { hook: { hmacKey: 'the next key', previousHmacKey: key } });
      const before = traffic.replies.length;
      await until('traffic with the old key', () => traffic.replies.length > before + 50);
      current = 'the next key';
      const changed = traffic.replies.length;
      await until('traffic with the new key', () => traffic.replies.length > changed + 50);
      await nodeRed.deploy(webhookFlow(), 'nodes', { hook: { hmacKey: 'the next key', previousHmacKey: '' } });
      const last = traffic.replies.length;
      await until('traffic after it', () => traffic.replies.length > last + 20);
    } finally {
      await traffic.stop();
    }
    traffic.broken.should.be.empty();
    traffic.replies.filter(({ status }) => status !== 200 && status !== 503).should.be.empty();
    await nodeRed.waitFor('deliveries', (messages) =>
      traffic.sent.every((value) => listReadingValues(messages).includes(value)),
    );
    const messages = await nodeRed.messages('deliveries');
    const used = new Set(messages.map(({ payload }) => (payload as WebhookPayload).delivery.keyUsed));
    used.should.deepEqual(new Set(['current', 'previous']));
    nodeRed.log.should.containEql('previous HMAC key');
    (await post(sender, delivery())).status.should.equal(401);
    await nodeRed.deploy(webhookFlow(), 'full', { hook: { hmacKey: key, previousHmacKey: '' } });
  });

  it('LC1: leaves nothing open over many redeploys under load, and answers every request 200 or 503', async () => {
    await nodeRed.deploy(webhookFlow({ expected: '1m' }), 'full', credentials);
    const before = await nodeRed.handles();
    const first = await nodeRed.messages('deliveries');
    const traffic = new Traffic(() => sender, 3, 2);
    try {
      for (let round = 1; round <= redeploys; round++) {
        const type = (['full', 'flows', 'nodes'] as const)[round % 3] ?? 'full';
        await nodeRed.deploy(webhookFlow({ expected: '1m', name: `round ${round}` }), type);
      }
    } finally {
      await traffic.stop();
    }
    traffic.broken.should.be.empty();
    traffic.replies.filter(({ status }) => status !== 200 && status !== 503).should.be.empty();
    traffic.count(200).should.be.above(redeploys);
    (await post(sender, delivery())).status.should.equal(200);
    const { layers, listeners } = await nodeRed.handles();
    layers.should.deepEqual(before.layers);
    listeners.should.deepEqual(before.listeners);
    const count = (list: readonly string[], kind: string): number => list.filter((name) => name === kind).length;
    await until('timers and sockets as before', async () => {
      const { resources } = await nodeRed.handles();
      return ['Timeout', 'TCPServerWrap', 'TCPSocketWrap'].every(
        (kind) => count(resources, kind) <= count(before.resources, kind) + (kind === 'TCPServerWrap' ? 0 : 2),
      );
    });
    // No repeats: the replay cache and the queue survive a redeploy.
    const values = listReadingValues((await nodeRed.messages('deliveries')).slice(first.length));
    new Set(values).size.should.equal(values.length);
  });

  it('recognizes a repeat after the node was disabled, its path was changed, and both were undone', async () => {
    await nodeRed.deploy(webhookFlow(), 'full', credentials);
    const body = delivery();
    const repeat = async (path: string): Promise<unknown> =>
      JSON.parse((await post({ ...sender, url: nodeRed.url + path }, body)).text);
    should(await repeat('/cemm')).containDeep({ status: 'accepted' });
    for (const [more, path] of [
      [{ path: '/cemm/other' }, '/cemm/other'],
      [{ d: true }, null],
      [{}, '/cemm'],
    ] as const) {
      await nodeRed.deploy(webhookFlow(more), 'full');
      if (path !== null) should(await repeat(path)).containDeep({ status: 'duplicate' });
    }
  });

  it('WT21: refuses a path that another node has, names that node, and takes over when it is free', async () => {
    const second = webhookNode({ id: 'second', wires: [['deliveries'], []] });
    const both = { ...credentials, second: { hmacKey: 'second key' } };
    await nodeRed.deploy(webhookFlow({}, [second]), 'full', both);
    (await post(sender, delivery())).status.should.equal(200);
    nodeRed.log.should.containEql('belongs to the node hook (flow) already');
    const [, , ...rest] = webhookFlow({}, [second]);
    await nodeRed.deploy([tab(), ...rest], 'nodes');
    (await post(sender, delivery())).status.should.equal(401);
    (await post({ ...sender, key: 'second key' }, delivery())).status.should.equal(200);
  });

  it('WT21: yields to an http in node on its path and returns when that node is deleted', async () => {
    const [httpIn, reply] = httpNodes('core', 'post', '202');
    await nodeRed.deploy(webhookFlow({}, [httpIn, reply]), 'full', credentials);
    nodeRed.log.should.containEql('belongs to the node core (flow) already');
    (await post(sender, delivery())).status.should.equal(202);
    await nodeRed.deploy(webhookFlow(), 'nodes');
    (await post(sender, delivery())).status.should.equal(200);
  });

  it('WT27: leaves other methods of its path to http in nodes, with their bodies', async () => {
    const [httpIn, reply] = httpNodes('put', 'put', '200');
    // In either order.
    for (const flow of [webhookFlow({}, [httpIn, reply]), [tab(), httpIn, reply, ...webhookFlow().slice(1)]]) {
      await nodeRed.deploy([], 'full');
      await nodeRed.deploy(flow, 'full', credentials);
      const put = await fetch(`${nodeRed.url}/cemm`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: '{"a":1}',
      });
      (await put.text()).should.equal('{"a":1}');
      (await post(sender, delivery())).status.should.equal(200);
      (await fetch(`${nodeRed.url}/cemm`, { method: 'DELETE' })).status.should.equal(405);
    }
  });

  it('WT25: answers a path that cannot be decoded with JSON, and logs nothing', async () => {
    await nodeRed.deploy(webhookFlow({ path: '/cemm/:installation' }), 'full', credentials);
    const said = nodeRed.log.length;
    for (const path of ['/cemm/%zz', '/cemm/%', '/cemm/a%c0']) {
      const reply = await post({ ...sender, url: `${nodeRed.url}${path}` }, delivery());
      reply.status.should.equal(400, path);
      should(JSON.parse(reply.text)).containDeep({ error: 'bad_encoding' });
    }
    nodeRed.log.slice(said).should.equal('');
  });

  it('AE11: takes over no URL of the editor or of other nodes', async () => {
    for (const path of ['/cemm-connection', '/cemm-webhook-in/test', '/inject', '/debug/view', '/Settings']) {
      const said = nodeRed.log.length;
      await nodeRed.deploy(webhookFlow({ path }), 'full', credentials);
      nodeRed.log.slice(said).should.containEql('belongs to the Node-RED editor');
    }
    const moved = await NodeRed.start({
      settings: "httpAdminRoot: '/admin',",
      adminRoot: '/admin',
      flows: webhookFlow({ path: '/admin/:x' }),
      credentials,
    });
    try {
      moved.log.should.containEql('a parameter stands where the addresses of the editor begin');
      await moved.deploy(webhookFlow({ path: '/flows' }));
      (await post({ url: `${moved.url}/flows`, key }, delivery())).status.should.equal(200);
    } finally {
      await moved.stop();
    }
  });

  it('WA11, WA15: does not start without authentication unless that is allowed, and opens no path', async () => {
    for (const [more, secrets, text] of [
      [{ hmac: false }, {}, 'No method of authentication is ticked'],
      [{}, { hmacKey: '' }, 'HMAC key is missing'],
      [{}, { hmacKey: '   ' }, 'HMAC key is missing'],
      [{ hmac: false, header: true }, { headerKey: '' }, 'key for the header is missing'],
      [{ hmac: false, query: true }, { queryKey: '' }, 'key for the address is missing'],
      [{ path: '/' }, { hmacKey: key }, 'path is not valid'],
      [{ path: '/:all' }, { hmacKey: key }, 'path is not valid'],
      [{ path: '/flows' }, { hmacKey: key }, 'belongs to the Node-RED editor'],
      [{ path: '${CEMM_NO_SUCH_VARIABLE}' }, { hmacKey: key }, 'CEMM_NO_SUCH_VARIABLE'],
      [{ maxAge: -1 }, { hmacKey: key }, 'clock difference'],
      [{ monitors: 'x' }, { hmacKey: key }, 'monitors must be numbers'],
      [{ expected: '7m' }, { hmacKey: key }, 'interval must be'],
    ] as const) {
      const said = nodeRed.log.length;
      await nodeRed.deploy(webhookFlow(more), 'full', { hook: secrets });
      nodeRed.log.slice(said).should.containEql(text);
      (await post(sender, delivery())).status.should.equal(404, text);
    }
    await nodeRed.deploy(webhookFlow({ hmac: false, open: true }), 'full', credentials);
    (await post({ ...sender, key: 'any' }, delivery())).status.should.equal(200);
    nodeRed.log.should.not.containEql(key);
  });

  it('WT20: has no URL when Node-RED serves no HTTP routes for flows', async () => {
    const other = await NodeRed.start({ settings: 'httpNodeRoot: false,', flows: webhookFlow(), credentials });
    try {
      other.log.should.containEql('httpNodeRoot is false');
      other.running.should.be.true();
    } finally {
      await other.stop();
    }
  });

  it('shows the simulated monitor nothing but 200s, for both types of webhook', async () => {
    await nodeRed.deploy(
      webhookFlow({ maxAge: 0, meter: 'smartmeter-dsmr', channel: 'electric_energy_import' }),
      'full',
      credentials,
    );
    const before = (await nodeRed.messages('deliveries')).length;
    for (const type of ['post', 'public'] as const) {
      // A minute of the simulated day takes half a second.
      const simulator = await startSimulator({
        localPort: 0,
        clock: createSimulatedClock({ speed: 120 }),
        webhook: { url: sender.url, hmacKey: key, everySeconds: 60, count: 3, type },
      });
      try {
        await until(`three deliveries of type ${type}`, () => simulator.deliveries.length === 3);
        simulator.deliveries.map(({ status }) => status).should.deepEqual([200, 200, 200]);
        const status = await fetch(`${simulator.local ?? ''}/status`);
        JSON.stringify(await status.json()).should.containEql('200');
      } finally {
        await simulator.close();
      }
    }
    // The Public API type may send the same body three times within half a minute; only one of them is then passed on.
    const messages = await nodeRed.waitForMessages('deliveries', before + 4);
    const payloads = messages.slice(before).map(({ payload }) => payload as WebhookPayload);
    const [posted] = payloads;
    should(posted?.delivery.format).equal('basic-v1');
    should(posted?.readings.length).be.above(100);
    should(Object.keys(posted?.values ?? {})).containEql('smartmeter-dsmr');
    const series = payloads.filter(({ delivery: { format } }) => format === 'timeseries');
    series.length.should.be.above(0);
    should(series[0]?.points?.length).be.above(0);
    should(series[0]?.meter).containDeep({ key: 'smartmeter-dsmr' });
  });

  it('takes units, MAC and time zone from the monitor of its connection', async () => {
    const pages: Record<string, unknown> = {
      '/api/v1/public/cemm': { id: 24000001, name: 'Hal', mac: '80:1F:12:47:06:B0', version: '1.10.0' },
      '/api/v1/public/meters': {
        meters: [
          {
            key: 'zon',
            type: 'electricity',
            role: 'solar-production',
            channels: [{ key: 'electric_energy_export', unit: 'MWh', aggregation_method: 'COUNTER' }],
          },
        ],
      },
    };
    const monitor = createServer((req, res) => {
      const page = pages[req.url ?? ''];
      res.writeHead(page === undefined ? 404 : 200, { 'content-type': 'application/json' });
      res.end(JSON.stringify(page ?? {}));
    });
    const port = await listenOnLoopback(monitor);
    try {
      const connection = {
        id: 'connection',
        type: 'cemm-connection',
        name: '',
        mode: 'local',
        host: `127.0.0.1:${port}`,
        mac: '',
        timezone: 'America/New_York',
        deadline: 25,
      };
      await nodeRed.deploy(webhookFlow({ connection: 'connection' }, [connection]), 'full', credentials);
      const payload = await until('a delivery with the MAC', async () => {
        const before = (await nodeRed.messages('deliveries')).length;
        const time = Math.floor(Date.now() / 1000);
        const data = { zon: { electric_energy_export: { 'last/day': { time, value: Math.random() } } } };
        const { status } = await post(sender, delivery({ data }));
        if (status !== 200) return null;
        const messages = await nodeRed.waitForMessages('deliveries', before + 1);
        const last = messages.at(-1)?.payload as WebhookPayload;
        return last.monitor.id !== null && last;
      });
      should(payload.monitor).containDeep({ id: '801f124706b0', cemm: 24000001, name: 'Hal' });
      // Not energy_export_kwh: the name would contradict the unit.
      const field = 'electric_energy_export';
      should(payload.readings[0]).containDeep({ unit: 'MWh', unitSource: 'monitor', field });
      const { start = 0 } = payload.readings[0]?.window ?? {};
      new Date(start).toLocaleTimeString('en-GB', { timeZone: 'America/New_York' }).should.equal('00:00:00');
    } finally {
      await new Promise((resolve) => {
        monitor.close(resolve);
        monitor.closeAllConnections();
      });
    }
  });
});

/**
 * The canary: an API key unlike anything else goes through every fault there is, and afterwards it must be nowhere, in no
 * spelling: not in what Node-RED printed, not in any message, status or error, not in a file, not in the admin API.
 */
import 'should';
import { type FaultName, faults as simulatedFaults } from '../../src/simulator/faults';
import type { Simulator } from '../../src/simulator/simulator';
import { startSimulator } from '../../src/simulator/start-simulator';
import { millis } from '../../src/protocol/time';
import {
  type Act,
  answer,
  faults,
  type FaultServer,
  head,
  json,
  type ReceivedRequest,
  send,
  sendAndReset,
  startFaultServer,
} from '../support/fault-server';
import { type FlowNode, freePort, NodeRed, tab } from '../support/node-red';
import { searchForSecrets, spellingsIn } from '../support/secrets';
import { asking, fire, remoteConnection, trigger, watchers } from './remote-flow';

/** With all that encoding can do to it. */
const CANARY = 'cAnary+ey/=&% "ümläut"<7f3a9c>';

function sings(text: string): boolean {
  return spellingsIn(text, CANARY).length > 0;
}

/** What a server says that repeats the question, as proxies and debug pages do. */
const echoes: Readonly<Record<string, (request: ReceivedRequest) => Act>> = {
  'echo in JSON': ({ target }) => json({ error: `no such page: ${target}` }),
  'echo in a page': ({ target }) => answer(200, `<html>${target}</html>`, { 'Content-Type': 'text/html' }),
  'echo with 403': ({ target }) => answer(403, target, { 'X-Request': target }),
  'echo with 404': ({ target }) => answer(404, target, { 'X-Request': target }),
  'echo with 500': ({ target }) => answer(500, target, { 'Retry-After': target }),
  'echo as a place to go': ({ target }) =>
    send(head(302, { Location: `http://example.com${target}`, 'Content-Length': '0' })),
  'echo as a host': ({ query }) => {
    const hex = Buffer.from(query.get('api_key') ?? '').toString('hex');
    return send(head(301, { Location: `http://${hex}.example/`, 'Content-Length': '0' }));
  },
  'echo as a promise': ({ target }) => json({ promise: target }, 202),
  'echo, broken off': ({ target }) => sendAndReset(head(200, { 'Content-Length': '10000' }), target),
};

const nodes = ['realtime', 'series', 'range', 'new', 'totals', 'polls'];

function flows(connection: FlowNode): FlowNode[] {
  const range = { span: 'range', fromType: 'previous', toType: 'current' };
  return [
    tab(),
    connection,
    asking('realtime', 'realtime', { alias: '' }),
    asking('series', 'series', { period: 'month' }),
    asking('series', 'range', range),
    asking('series', 'new', { span: 'new', period: 'year' }),
    asking('totals', 'totals', {}),
    asking('realtime', 'polls', { interval: 10 }),
    trigger('go', nodes.slice(0, 5), { payload: ['question', 'str'] }),
    trigger('halt', ['range'], { stop: ['true', 'bool'] }),
    ...watchers(nodes).map((node) => (node.type === 'catch' ? { ...node, wires: [['caught', 'console']] } : node)),
    // Prints whole errors with everything that hangs on them.
    { id: 'console', type: 'debug', z: 'flow', active: true, tosidebar: true, console: true, complete: 'true' },
    {
      id: 'look-inside',
      type: 'function',
      z: 'flow',
      func: `node.warn(util.inspect(msg, { depth: 12, showHidden: true })); return null;`,
      libs: [{ var: 'util', module: 'util' }],
      wires: [[]],
    },
    { id: 'catch-deep', type: 'catch', z: 'flow', scope: nodes, uncaught: false, wires: [['look-inside']] },
  ];
}

describe('canary', function () {
  this.timeout(280_000);
  let nodeRed: NodeRed;
  let simulator: Simulator;
  let remote: string;

  before(async () => {
    simulator = await startSimulator({ remotePort: 0, apiKey: CANARY, since: millis(Date.now() - 3 * 86_400_000) });
    remote = String(simulator.remote);
    nodeRed = await NodeRed.start({
      settings: `
        contextStorage: { default: { module: 'localfilesystem', config: { flushInterval: 0 } } },
        logging: { console: { level: 'trace', metrics: true, audit: true } },
        functionExternalModules: true,
        diagnostics: { enabled: true, ui: true },`,
    });
  });
  after(async () => {
    await nodeRed.stop();
    await simulator.close();
  });

  /** Asks with every node, and waits until each of them has answered or failed; then stops what still polls. */
  async function ask(baseUrl: string, apiKey = CANARY): Promise<void> {
    const settled = async (): Promise<number> =>
      (await nodeRed.messages('caught')).filter((message) => message.payload === 'question').length +
      (await nodeRed.messages('completed')).length;
    const connection = remoteConnection({ remote: baseUrl }, { deadline: 5 });
    const before = await settled();
    await nodeRed.deploy(flows(connection), 'full', { [connection.id]: { apiKey } });
    await fire(nodeRed, 'go');
    const end = performance.now() + 60_000;
    while ((await settled()) < before + 5) {
      if (performance.now() > end) throw new Error(`only ${(await settled()) - before} of 5 nodes have answered`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async function nowhere(): Promise<void> {
    const pages = [
      '/flows',
      '/settings',
      '/nodes',
      '/diagnostics',
      '/context/global',
      '/context/flow/flow',
      ...nodes.map((id) => `/context/node/${id}`),
      '/credentials/cemm-connection/remote-connection',
      '/flow/flow',
      '/flow/global',
    ];
    const { places, found } = await searchForSecrets(nodeRed, [CANARY], pages);
    String(places.get('/credentials/cemm-connection/remote-connection')).should.containEql('has_apiKey');
    String(places.get('/flows')).should.containEql('remote-connection');
    found.should.eql([]);
  }

  it('is known in every spelling', () => {
    const text = `x${CANARY}y`;
    for (const encoded of [
      text,
      encodeURIComponent(text),
      Buffer.from(text).toString('base64'),
      Buffer.from(`y${text}`).toString('base64url'),
      Buffer.from(`yy${text}`).toString('base64'),
      Buffer.from(text).toString('hex').toUpperCase(),
      JSON.stringify({ text }),
      `?${new URLSearchParams({ api_key: CANARY }).toString()}`,
    ]) {
      sings(encoded).should.be.true(encoded);
    }
    sings('an innocent text').should.be.false();
  });

  it('is in nothing where all is well', async () => {
    await ask(remote);
    (await nodeRed.messages('out')).length.should.be.above(4);
    await nowhere();
  });

  it('is in nothing through all faults of the service', async () => {
    for (const fault of Object.keys(simulatedFaults) as FaultName[]) {
      simulator.faults.add(fault);
      await ask(remote);
      simulator.faults.delete(fault);
    }
    await nowhere();
  });

  it('is in nothing where the service repeats it, or breaks off, or is another one', async () => {
    const scripts: Record<string, (request: ReceivedRequest) => Act> = { ...echoes };
    for (const [name, act] of Object.entries(faults)) scripts[name] = () => act;
    let script: (request: ReceivedRequest) => Act = () => answer(500);
    const server: FaultServer = await startFaultServer((request) => script(request));
    try {
      for (const each of Object.values(scripts)) {
        script = each;
        await ask(`${server.origin}/v1/`);
      }
    } finally {
      await server.close();
    }
    await nowhere();
  });

  it('is in nothing where the address or the key is wrong', async () => {
    await ask(`http://127.0.0.1:${await freePort()}/v1/`);
    await ask(`${remote}elsewhere/v1/`);
    await ask(remote, `${CANARY}!`);
    await ask(`${remote}?api_key=${encodeURIComponent('another')}`);
    await nowhere();
    // Not to have looked at nothing.
    (await nodeRed.messages('caught')).length.should.be.above(10);
    nodeRed.log.should.match(/\[audit\]/);
    nodeRed.log.should.match(/code: 'NETWORK'/);
  });
});

/**
 * A unique API key is used while every fault happens. Afterwards no spelling of it may be anywhere: not in the output of
 * Node-RED, not in any message, status or error, not in a file, not in the admin API.
 */
import 'should';
import { type FaultName, faults as simulatedFaults } from '../../src/simulator/faults';
import type { Simulator } from '../../src/simulator/simulator';
import { startSimulator } from '../../src/simulator/start-simulator';
import { millis } from '../../src/time/units';
import {
  type Act,
  answer,
  faults,
  type FaultServer,
  head,
  json,
  type ReceivedRequest,
  sendBytes,
  sendAndReset,
  startFaultServer,
} from '../support/network/fault-server';
import { type FlowNode, NodeRed, tab } from '../support/node-red/node-red';
import { until } from '../support/until';
import { searchForSecrets, spellingsIn } from '../support/node-red/secrets';
import { asking, remoteConnection, trigger, watchers } from '../support/node-red/remote-flow';

/** With characters that encodings change. */
const canaryKey = 'cAnary+ey/=&% "ümläut"<7f3a9c>';

function isIn(text: string): boolean {
  return spellingsIn(text, canaryKey).length > 0;
}

/** Responses that repeat the request, as from proxies and debug pages. */
const echoes: Readonly<Record<string, (request: ReceivedRequest) => Act>> = {
  'echo in JSON': ({ target }) => json({ error: `no such page: ${target}` }),
  'echo in a page': ({ target }) => answer(200, `<html>${target}</html>`, { 'Content-Type': 'text/html' }),
  'echo with 403': ({ target }) => answer(403, target, { 'X-Request': target }),
  'echo with 404': ({ target }) => answer(404, target, { 'X-Request': target }),
  'echo with 500': ({ target }) => answer(500, target, { 'Retry-After': target }),
  'echo as a place to go': ({ target }) =>
    sendBytes(head(302, { Location: `http://example.com${target}`, 'Content-Length': '0' })),
  'echo as a host': ({ query }) => {
    const hex = Buffer.from(query.get('api_key') ?? '').toString('hex');
    return sendBytes(head(301, { Location: `http://${hex}.example/`, 'Content-Length': '0' }));
  },
  'echo as a promise': ({ target }) => json({ promise: target }, 202),
  'echo, broken off': ({ target }) => sendAndReset(head(200, { 'Content-Length': '10000' }), target),
};

const kinds = ['realtime', 'series', 'range', 'new', 'totals', 'polls'];
/** Nodes of one service that answer a message; the sixth polls. */
const answeringNodes = 5;

/** A service with all endpoints of the nodes, and its key. */
interface Service {
  readonly baseUrl: string;
  readonly apiKey?: string;
}

const idsOf = (index: number): string[] => kinds.map((kind) => `${kind}-${index}`);
const connectionOf = (index: number): string => `connection-${index}`;

function flows(services: readonly Service[]): FlowNode[] {
  const range = { span: 'range', fromType: 'previous', toType: 'current' };
  const asked = services.flatMap(({ baseUrl }, index) => {
    const connection = connectionOf(index);
    return [
      remoteConnection({ remote: baseUrl }, { id: connection, deadline: 5 }),
      asking('realtime', `realtime-${index}`, { connection, alias: '' }),
      asking('series', `series-${index}`, { connection, period: 'month' }),
      asking('series', `range-${index}`, { connection, ...range }),
      asking('series', `new-${index}`, { connection, span: 'new', period: 'year' }),
      asking('totals', `totals-${index}`, { connection }),
      asking('realtime', `polls-${index}`, { connection, interval: 10 }),
    ];
  });
  const ids = services.flatMap((_, index) => idsOf(index));
  return [
    tab(),
    ...asked,
    trigger(
      'go',
      ids.filter((id) => !id.startsWith('polls')),
      { payload: ['question', 'str'] },
    ),
    ...watchers(ids).map((node) => (node.type === 'catch' ? { ...node, wires: [['caught', 'console']] } : node)),
    // Prints whole errors with all of their properties.
    { id: 'console', type: 'debug', z: 'flow', active: true, tosidebar: true, console: true, complete: 'true' },
    {
      id: 'look-inside',
      type: 'function',
      z: 'flow',
      func: `node.warn(util.inspect(msg, { depth: 12, showHidden: true })); return null;`,
      libs: [{ var: 'util', module: 'util' }],
      wires: [[]],
    },
    { id: 'catch-deep', type: 'catch', z: 'flow', scope: ids, uncaught: false, wires: [['look-inside']] },
  ];
}

describe('an API key', function () {
  this.timeout(280_000);
  let nodeRed: NodeRed;
  let simulator: Simulator;
  let remote: string;
  const options = { remotePort: 0, apiKey: canaryKey, since: millis(Date.now() - 3 * 86_400_000) };

  before(async () => {
    simulator = await startSimulator(options);
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

  /** Sends requests to all services at once, with every node, and waits until each node has a result or an error. */
  async function ask(...services: readonly Service[]): Promise<void> {
    const settled = async (): Promise<number> =>
      (await nodeRed.messages('caught')).filter((message) => message.payload === 'question').length +
      (await nodeRed.messages('completed')).length;
    const before = await settled();
    const keys = services.map(({ apiKey = canaryKey }, index) => [connectionOf(index), { apiKey }] as const);
    await nodeRed.deploy(flows(services), 'full', Object.fromEntries(keys));
    await nodeRed.inject('go');
    const expected = before + answeringNodes * services.length;
    await until(`answers of ${services.length} services`, async () => (await settled()) >= expected, 120_000);
  }

  /** Searches everywhere while the flows of this number of services are deployed. */
  async function isNowhere(services: number): Promise<void> {
    const connections = Array.from({ length: services }, (_, index) => connectionOf(index));
    const credentials = connections.map((id) => `/credentials/cemm-connection/${id}`);
    const pages = [
      '/flows',
      '/settings',
      '/nodes',
      '/diagnostics',
      '/context/global',
      '/context/flow/flow',
      ...connections.flatMap((_, index) => idsOf(index)).map((id) => `/context/node/${id}`),
      ...credentials,
      '/flow/flow',
      '/flow/global',
    ];
    const { places, found } = await searchForSecrets(nodeRed, [canaryKey], pages);
    for (const page of credentials) String(places.get(page)).should.containEql('has_apiKey');
    String(places.get('/flows')).should.containEql(connectionOf(0));
    found.should.eql([]);
  }

  it('is known in every spelling', () => {
    const text = `x${canaryKey}y`;
    for (const encoded of [
      text,
      encodeURIComponent(text),
      Buffer.from(text).toString('base64'),
      Buffer.from(`y${text}`).toString('base64url'),
      Buffer.from(`yy${text}`).toString('base64'),
      Buffer.from(text).toString('hex').toUpperCase(),
      JSON.stringify({ text }),
      `?${new URLSearchParams({ api_key: canaryKey }).toString()}`,
    ]) {
      isIn(encoded).should.be.true(encoded);
    }
    isIn('an innocent text').should.be.false();
  });

  it('is written nowhere where every request succeeds', async () => {
    await ask({ baseUrl: remote });
    (await nodeRed.messages('out')).length.should.be.above(4);
    await isNowhere(1);
  });

  it('is written nowhere through all faults of the service', async () => {
    const services = await Promise.all(
      (Object.keys(simulatedFaults) as FaultName[]).map((fault) => startSimulator({ ...options, faults: [fault] })),
    );
    try {
      await ask(...services.map((service) => ({ baseUrl: String(service.remote) })));
      await isNowhere(services.length);
    } finally {
      await nodeRed.deploy([tab()]);
      await Promise.all(services.map((service) => service.close()));
    }
  });

  it('is written nowhere where the service repeats it, breaks off, or is another one', async () => {
    const scripts: ((request: ReceivedRequest) => Act)[] = [
      ...Object.values(echoes),
      ...Object.values(faults).map((act) => () => act),
    ];
    const server: FaultServer = await startFaultServer((request) => {
      const script = scripts[Number(request.path.split('/')[1])];
      return script === undefined ? answer(500) : script(request);
    });
    try {
      await ask(...scripts.map((_, index) => ({ baseUrl: `${server.origin}/${index}/v1/` })));
      await isNowhere(scripts.length);
    } finally {
      await nodeRed.deploy([tab()]);
      await server.close();
    }
  });

  it('is written nowhere where the address or the key is wrong', async () => {
    const services = [
      { baseUrl: 'http://127.0.0.1:9/v1/' },
      { baseUrl: `${remote}other/v1/` },
      { baseUrl: remote, apiKey: `${canaryKey}!` },
      { baseUrl: `${remote}?api_key=${encodeURIComponent('another')}` },
    ];
    await ask(...services);
    await isNowhere(services.length);
    // The search had something to find.
    (await nodeRed.messages('caught')).length.should.be.above(10);
    nodeRed.log.should.match(/\[audit\]/);
    nodeRed.log.should.match(/code: 'NETWORK'/);
  });
});

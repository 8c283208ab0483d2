/** Live readings in a whole Node-RED: the demo monitor, a local monitor, its outages, and every kind of bad input. */
import 'should';
import { startSimulator } from '../../src/simulator/start-simulator';
import { collector, NodeRed, tab, type CollectedMessage, type FlowNode } from '../support/node-red/node-red';
import { faultTitle } from '../support/mocha/fault-title';
import { until } from '../support/until';

function connection(properties: Record<string, unknown> = {}): FlowNode {
  return {
    id: 'connection',
    type: 'cemm-connection',
    name: '',
    mode: 'demo',
    baseUrl: 'https://open-api.cemm.nl/v1/',
    host: '',
    mac: '',
    timezone: 'Europe/Amsterdam',
    deadline: 60,
    ...properties,
  };
}

function realtime(properties: Record<string, unknown> = {}): FlowNode {
  return {
    id: 'realtime',
    type: 'cemm-realtime',
    z: 'flow',
    name: '',
    connection: 'connection',
    monitor: '',
    monitorType: 'str',
    alias: 'p1',
    aliasType: 'str',
    role: 'auto',
    interval: 0,
    onlyChanges: false,
    wires: [['readings'], ['availability']],
    ...properties,
  };
}

/** An inject node that fires once at the start and again through the admin API. */
function inject(wires: string[]): FlowNode {
  return {
    id: 'inject',
    type: 'inject',
    z: 'flow',
    props: [{ p: 'payload' }, { p: 'kept', v: 'mine', vt: 'str' }],
    payload: 'go',
    payloadType: 'str',
    once: true,
    onceDelay: 0.1,
    repeat: '',
    crontab: '',
    wires: [wires],
  };
}

function watchers(): FlowNode[] {
  return [
    ...collector('readings'),
    ...collector('availability'),
    ...collector('caught'),
    ...collector('completed'),
    ...collector('statuses'),
    { id: 'catch', type: 'catch', z: 'flow', scope: ['realtime'], uncaught: false, wires: [['caught']] },
    { id: 'complete', type: 'complete', z: 'flow', scope: ['realtime'], wires: [['completed']] },
    { id: 'status', type: 'status', z: 'flow', scope: ['realtime'], wires: [['statuses']] },
  ];
}

interface Reading {
  schema: string;
  kind: string;
  id: string;
  meter: { alias: string; role: string };
  values: Record<string, number | null>;
}

interface Caught {
  error: { message: string; code?: string };
}

function statusOf(message: CollectedMessage | undefined): { text: string; fill: string } {
  return (
    (message as unknown as { status?: { text: string; fill: string } } | undefined)?.status ?? { text: '', fill: '' }
  );
}

describe('cemm-realtime in a whole Node-RED', function () {
  this.timeout(120_000);
  let nodeRed: NodeRed;

  before(async () => {
    nodeRed = await NodeRed.start();
  });

  after(async () => {
    await nodeRed.stop();
  });

  it('is in the palette, with no node in error @node-red-5', async () => {
    const response = await nodeRed.admin('/nodes');
    const sets = (await response.json()) as { module: string; types: string[]; enabled: boolean; err?: string }[];
    const ours = sets.filter((set) => set.module === 'node-red-contrib-cemm');
    ours.filter((set) => set.err !== undefined || !set.enabled).should.be.empty();
    ours.flatMap((set) => set.types).should.containEql('cemm-connection');
    ours.flatMap((set) => set.types).should.containEql('cemm-realtime');
  });

  it('answers a message with the reading of the demo monitor, keeps its properties and completes once', async () => {
    await nodeRed.deploy([tab(), connection(), inject(['realtime']), realtime(), ...watchers()]);
    const [message] = await nodeRed.waitForMessages('readings', 1);
    const payload = message?.payload as Reading;
    payload.schema.should.equal('cemm/1');
    payload.kind.should.equal('realtime');
    payload.meter.should.containEql({ alias: 'p1', role: 'grid' });
    payload.values.should.have.properties(['power_w', 'power_import_w', 'power_export_w', 'energy_import_t1_kwh']);
    String(message?.topic).should.match(/^cemm\/[0-9a-f]{12}\/p1\/realtime$/);
    String(message?.['kept']).should.equal('mine');
    (await nodeRed.waitForMessages('completed', 1)).should.have.length(1);
    (await nodeRed.messages('caught')).should.be.empty();
  });

  it('sends one message per meter where the alias is blank', async () => {
    const before = (await nodeRed.messages('readings')).length;
    await nodeRed.deploy([tab(), connection(), inject(['realtime']), realtime({ alias: '' }), ...watchers()]);
    const messages = await nodeRed.waitFor('readings', (all) => all.length >= before + 4);
    const aliases = messages.slice(before).map((message) => (message.payload as Reading).meter.alias);
    aliases.should.containEql('p1');
    aliases.should.containEql('p1-gas');
    aliases.should.containEql('s01');
    new Set(aliases).size.should.equal(aliases.length);
  });

  const nothing = '127.0.0.1:9';
  const bad: { ids?: string; name: string; code: string; connection: FlowNode; node?: Record<string, unknown> }[] = [
    {
      name: 'a host name nobody knows',
      code: 'NETWORK',
      connection: connection({ mode: 'local', host: 'cemm.invalid' }),
    },
    { name: 'a closed port', code: 'NETWORK', connection: connection({ mode: 'local', host: nothing }) },
    { name: 'a blank host', code: 'CONFIG', connection: connection({ mode: 'local', host: '' }) },
    {
      name: 'a host with a path',
      code: 'CONFIG',
      connection: connection({ mode: 'local', host: 'http://192.168.1.20/open-api/v1/' }),
    },
    {
      name: 'a host with a password',
      code: 'CONFIG',
      connection: connection({ mode: 'local', host: 'http://me:geheim@192.168.1.20' }),
    },
    {
      name: 'a MAC that is none',
      code: 'CONFIG',
      connection: connection({ mode: 'local', host: nothing, mac: '12:34' }),
    },
    { name: 'a time zone that is none', code: 'CONFIG', connection: connection({ timezone: 'Europe/Assen' }) },
    { name: 'an alias with a slash', code: 'CONFIG', connection: connection(), node: { alias: 'p1/realtime' } },
    { name: 'an interval of 0.1', code: 'CONFIG', connection: connection(), node: { interval: 0.1 } },
    { name: 'no connection chosen', code: 'CONFIG', connection: connection(), node: { connection: '' } },
    {
      name: 'a connection that was deleted',
      code: 'CONFIG',
      connection: connection(),
      node: { connection: 'deleted' },
    },
    {
      ids: 'CL8',
      name: 'a remote connection without a key',
      code: 'CONFIG',
      connection: connection({ mode: 'remote' }),
    },
  ];

  for (const { ids, name, code, connection: config, node } of bad) {
    it(faultTitle(ids, `answers ${name} with ${code}, a sentence and a status, and lives on`), async () => {
      const caught = (await nodeRed.messages('caught')).length;
      const completed = (await nodeRed.messages('completed')).length;
      await nodeRed.deploy([tab(), config, inject(['realtime']), realtime(node), ...watchers()]);
      const messages = await nodeRed.waitFor('caught', (all) => all.length > caught);
      const { error } = messages.at(-1) as unknown as Caught;
      (error.code ?? error.message).should.match(new RegExp(code));
      error.message.should.not.match(/geheim/);
      error.message.length.should.be.above(20);
      // Yellow: may recover by itself. Red: needs a change by the user.
      const colour = code === 'NETWORK' ? 'yellow' : 'red';
      const statuses = await nodeRed.waitFor('statuses', (all) => statusOf(all.at(-1)).fill === colour);
      statusOf(statuses.at(-1)).text.length.should.be.within(1, 32);
      nodeRed.running.should.be.true();
      (await nodeRed.messages('completed')).length.should.equal(completed);
    });
  }

  it('distinguishes a device that is no monitor from one that is another monitor', async () => {
    const other = await startSimulator({ localPort: 0 });
    const host = String(other.local)
      .replace(/^http:\/\//, '')
      .replace(/\/.*$/, '');
    const caught = (await nodeRed.messages('caught')).length;
    await nodeRed.deploy([
      tab(),
      connection({ mode: 'local', host, mac: '00:11:22:33:44:55' }),
      inject(['realtime']),
      realtime(),
      ...watchers(),
    ]);
    const codes = async (): Promise<(string | undefined)[]> =>
      (await nodeRed.messages('caught')).slice(caught).map((one) => (one as unknown as Caught).error.code);
    await until('WRONG_MONITOR', async () => (await codes()).includes('WRONG_MONITOR'));
    await nodeRed.deploy([
      tab(),
      connection({ mode: 'local', host: `127.0.0.1:${nodeRed.port}` }),
      inject(['realtime']),
      realtime(),
      ...watchers(),
    ]);
    await until('NOT_A_MONITOR', async () => (await codes()).includes('NOT_A_MONITOR'));
    await other.close();
  });
});

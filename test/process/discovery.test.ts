/** The discovery node and a connection that follows its monitor, with monitors on separate loopback addresses. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import should from 'should';
import { connectionDefaults } from '../../nodes/cemm-connection/config';
import { discoveryDefaults } from '../../nodes/cemm-discovery/config';
import type { MeterPayload, MonitorPayload, RealtimePayload } from '../../src/model/payload';
import { startSimulator } from '../../src/simulator/start-simulator';
import { loopbackOnly, startDiscoverable, type Discoverable } from '../support/network/discoverable';
import { longestTurnMs, takeNetwork } from '../support/network/only-network';
import { collector, NodeRed, tab, type CollectedMessage, type FlowNode } from '../support/node-red/node-red';
import { until } from '../support/until';

const open: { close?(): Promise<void>; stop?(): Promise<void> }[] = [];

async function opened<T extends (typeof open)[number]>(starting: Promise<T>): Promise<T> {
  const started = await starting;
  open.push(started);
  return started;
}

/** Also after a failure: a remaining monitor would answer the next test. */
afterEach(async () => {
  for (const started of open.splice(0)) await (started.stop ?? started.close)?.call(started);
});

const key = 'discovery-test-key-9d1e';

function inject(id: string, to: string): FlowNode {
  return { id, type: 'inject', z: 'flow', props: [{ p: 'mark', v: id, vt: 'str' }], repeat: '', wires: [[to]] };
}

function discovery(id: string, properties: object): FlowNode {
  return { ...discoveryDefaults, id, type: 'cemm-discovery', z: 'flow', wait: 3, wires: [['found']], ...properties };
}

const idOf = ({ mac }: Discoverable): string => mac.replaceAll(':', '').toLowerCase();

describe('the discovery node', function () {
  this.timeout(110_000 + longestTurnMs);

  it('lists the monitors of the network: new, seen, moved, gone', async () => {
    const first = await opened(startDiscoverable('127.0.0.71'));
    let second = await opened(startDiscoverable('127.0.0.72', { seed: 2 }));
    const nodeRed = await opened(
      NodeRed.start({
        flows: [
          tab(),
          discovery('each', {}),
          discovery('list', { emit: 'list' }),
          inject('ask-each', 'each'),
          inject('ask-list', 'list'),
          ...collector('found'),
        ],
        nodeOptions: loopbackOnly,
      }),
    );
    const lines = async (): Promise<string[]> =>
      (await nodeRed.messages('found')).map(({ payload, mark }) => {
        should(mark).equal('ask-each');
        const { monitor, change, verified } = payload as MonitorPayload;
        return `${monitor.id ?? ''} ${monitor.host ?? ''} ${change} ${verified ? 'verified' : 'unverified'}`;
      });
    // Repeated, because a search within five seconds of another gets the result of that one.
    const told = (line: string): Promise<boolean> =>
      until(line, async () => {
        await nodeRed.inject('ask-each');
        return (await lines()).includes(line);
      });
    const one = idOf(first);
    const two = idOf(second);

    await nodeRed.inject('ask-each');
    await nodeRed.waitForMessages('found', 2);
    (await lines()).sort().should.eql([`${one} 127.0.0.71 new verified`, `${two} 127.0.0.72 new verified`].sort());
    const [message] = await nodeRed.messages('found');
    should(message?.['parts']).match({ index: 0, count: 2, type: 'array', len: 1 });
    should(message?.topic).match(/^cemm\/[0-9a-f]{12}\/monitor$/);
    const { transport, requests } = (message?.payload as MonitorPayload).source;
    transport.should.equal('broadcast');
    // Others on this network may send datagrams as well, and each of their addresses is asked once.
    requests.should.be.aboveOrEqual(2);

    await second.close();
    second = await opened(startDiscoverable('127.0.0.73', { seed: 2 }));
    await told(`${two} 127.0.0.73 host_changed verified`);
    await second.close();
    await told(`${two} 127.0.0.73 gone verified`);
    const all = await lines();
    for (const change of ['new', 'host_changed', 'gone'])
      all.filter((line) => line.startsWith(two) && line.includes(` ${change} `)).length.should.equal(1);
    all.filter((line) => line.startsWith(one) && !line.endsWith('127.0.0.71 seen verified')).length.should.equal(1);

    await nodeRed.inject('ask-list');
    const isList = ({ mark }: CollectedMessage): boolean => mark === 'ask-list';
    const list = (await nodeRed.waitFor('found', (messages) => messages.some(isList))).find(isList);
    should(list?.topic).equal('cemm/monitor');
    should(list?.payload).match([{ kind: 'monitor', change: 'new', monitor: { id: one, core: '1.25' } }]);
  });

  it('lists the monitors of a key and of a local root, and the meters of a monitor', async () => {
    const simulator = await opened(startSimulator({ localPort: 0, remotePort: 0, apiKey: key, monitors: 2 }));
    const [mac = ''] = simulator.monitors.map((monitor) => monitor.mac);
    const scopes = ['monitors', 'meters'].flatMap((scope) =>
      ['service', 'cupboard'].map((connection) =>
        discovery(`${scope}-${connection}`, { scope, connection, monitor: mac, emit: 'list' }),
      ),
    );
    const connection = { ...connectionDefaults, type: 'cemm-connection' };
    const nodeRed = await opened(
      NodeRed.start({
        flows: [
          tab(),
          { ...connection, id: 'service', mode: 'remote', baseUrl: simulator.remote },
          { ...connection, id: 'cupboard', mode: 'local', host: simulator.local },
          ...scopes,
          ...scopes.map(({ id }) => inject(`ask-${id}`, id)),
          ...collector('found'),
        ],
        credentials: { service: { apiKey: key } },
        nodeOptions: loopbackOnly,
      }),
    );
    for (const { id } of scopes) await nodeRed.inject(`ask-${id}`);
    const messages = await nodeRed.waitForMessages('found', scopes.length);
    const listOf = <T>(id: string): T[] => messages.find(({ mark }) => mark === `ask-${id}`)?.payload as T[];

    const ids = simulator.monitors.map((monitor) => monitor.mac.replaceAll(':', '').toLowerCase());
    const remote = listOf<MonitorPayload>('monitors-service');
    remote.map(({ monitor }) => monitor.id).should.eql(ids);
    should(remote[0]).match({ change: 'new', verified: false, source: { transport: 'remote' } });
    should(listOf<MonitorPayload>('monitors-cupboard')).match([
      { change: 'new', verified: true, monitor: { id: ids[0], name: 'CEMM Basic', host: simulator.local } },
    ]);
    const local = listOf<MeterPayload>('meters-cupboard');
    local.map(({ meter }) => meter.alias).should.containDeep(['p1', 'p1-gas']);
    should(local[0]).match({ kind: 'meter', monitor: { id: ids[0] }, source: { transport: 'local' } });
    // The remote list has no aliases: each one was requested.
    const aliases = listOf<MeterPayload>('meters-service').map(({ meter }) => meter.alias ?? null);
    aliases.should.containDeep(['p1', 'p1-gas', 's01']);
    nodeRed.log.should.not.containEql(key);
  });

  it('looks by itself where an interval is set, and says what is wrong with its settings', async () => {
    // Without it the search finds the monitors of another test.
    const giveBack = await takeNetwork();
    open.push({
      close() {
        giveBack();
        return Promise.resolve();
      },
    });
    const nodeRed = await opened(
      NodeRed.start({
        flows: [
          tab(),
          discovery('polling', { interval: 60, emit: 'list' }),
          discovery('hasty', { interval: 10, wires: [[]] }),
          discovery('far', { broadcast: '8.8.8.8', wires: [[]] }),
          inject('ask-far', 'far'),
          { id: 'catch', type: 'catch', z: 'flow', scope: null, uncaught: false, wires: [['failed']] },
          ...collector('found'),
          ...collector('failed'),
        ],
        nodeOptions: loopbackOnly,
      }),
    );
    const [first] = await nodeRed.waitForMessages('found', 1);
    should(first?.payload).eql([]);
    await nodeRed.inject('ask-far');
    const failed = await nodeRed.waitForMessages('failed', 2);
    const texts = failed.map(({ error }) => error as { message: string; code: string; source: { id: string } });
    should(texts.find(({ source }) => source.id === 'hasty')?.message).match(/60 to 86400 seconds/);
    should(texts.find(({ source }) => source.id === 'far')?.message).match(/192\.168\.1\.255/);
    // Once at the start, and once more with the message.
    texts.every(({ code }) => code === 'CONFIG').should.be.true();
  });
});

describe('a monitor that gets another address while it is polled', function () {
  this.timeout(115_000 + longestTurnMs);

  it('is followed: one line in the log, no reading of another monitor, the flow file untouched', async () => {
    await opened(startDiscoverable('127.0.0.83', { seed: 9 }));
    const monitor = await opened(startDiscoverable('127.0.0.81'));
    const id = idOf(monitor);
    const nodeRed = await opened(
      NodeRed.start({
        flows: [
          tab(),
          {
            ...connectionDefaults,
            id: 'cupboard',
            type: 'cemm-connection',
            mode: 'local',
            host: '127.0.0.81',
            mac: monitor.mac,
          },
          {
            id: 'realtime',
            type: 'cemm-realtime',
            z: 'flow',
            connection: 'cupboard',
            alias: 'p1',
            interval: 5,
            wires: [['readings'], []],
          },
          discovery('look', { scope: 'monitors', connection: 'cupboard' }),
          inject('ask', 'look'),
          ...collector('readings'),
          ...collector('found'),
        ],
        nodeOptions: loopbackOnly,
      }),
    );
    await nodeRed.waitForMessages('readings', 1);
    await nodeRed.inject('ask');
    await nodeRed.waitForMessages('found', 1);
    const flowFile = await readFile(join(nodeRed.userDir, 'flows.json'), 'utf8');

    await monitor.close();
    await opened(startDiscoverable('127.0.0.82'));
    const after = await until(
      'readings from the new address',
      async () => {
        const readings = (await nodeRed.messages('readings')).map(({ payload }) => payload as RealtimePayload);
        return readings.some((reading) => reading.monitor.host === '127.0.0.82') && readings;
      },
      60_000,
    );
    [...new Set(after.map((reading) => reading.monitor.id))].should.eql([id]);

    // The list of monitors may be up to ten seconds old.
    await until('host_changed', async () => {
      await nodeRed.inject('ask');
      const found = (await nodeRed.messages('found')).map(({ payload }) => payload as MonitorPayload);
      return found.some(({ change, monitor: there }) => change === 'host_changed' && there.host === '127.0.0.82');
    });
    nodeRed.log.split('127.0.0.82').length.should.equal(2);
    (await readFile(join(nodeRed.userDir, 'flows.json'), 'utf8')).should.equal(flowFile);
  });
});

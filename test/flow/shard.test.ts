/** A shard in the connection: timers poll its monitors only, and a message is served whatever its monitor. */
import should from 'should';
import { findShard } from '../../src/connection/shard';
import { toMonitorId } from '../../src/protocol/mac';
import type { Simulator } from '../../src/simulator/simulator';
import { until } from '../support/until';
import { Flow, unload, watched, type FlowNode, type Received } from '../support/flow/flow';
import {
  endSimulators,
  localConnection,
  remoteConnection,
  remoteCredentials,
  simulate,
} from '../support/flow/simulated';

function idOf(simulator: Simulator, index = 0) {
  const id = toMonitorId(simulator.monitors[index]?.mac ?? '');
  if (id === null) throw new Error('The simulator has no such monitor.');
  return id;
}

/** Both shards of two: the one that polls the monitor, and the other one. */
function shardsOf(simulator: Simulator): { own: string; other: string } {
  const part = findShard(idOf(simulator), 2);
  return { own: `${part}/2`, other: `${3 - part}/2` };
}

/** The node of a status message. */
function sourceOf({ status }: Received): unknown {
  return (status as { source?: { id?: unknown } } | undefined)?.source?.id;
}

const polling: readonly FlowNode[] = [
  { id: 'query', type: 'cemm-realtime', connection: 'connection', alias: 'p1', interval: 5 },
  { id: 'query', type: 'cemm-series', connection: 'connection', alias: 'p1', interval: 5, span: 'one' },
  { id: 'query', type: 'cemm-totals', connection: 'connection', alias: 'p1', interval: 5 },
  { id: 'query', type: 'cemm-discovery', scope: 'meters', connection: 'connection', interval: 5 },
];

describe('a shard of a fleet', function () {
  this.timeout(120_000);
  afterEach(async () => {
    delete process.env['CEMM_TEST_SHARD'];
    await unload();
    await endSimulators();
  });

  for (const monitor of ['named', 'the only one'] as const) {
    /** All nodes at once, each with its own `out`, so their intervals run together. */
    const polled = (simulator: Simulator): FlowNode[] => {
      const named = monitor === 'named' ? { monitor: idOf(simulator) } : {};
      return [
        ...polling.flatMap(({ type, ...query }): FlowNode[] => [
          { ...query, ...named, id: type, type, wires: [[`${type} out`], []] },
          { id: `${type} out`, type: 'helper' },
        ]),
        { id: 'status', type: 'status', scope: null, wires: [['statuses']] },
        { id: 'statuses', type: 'helper' },
        { id: 'catch', type: 'catch', scope: null, uncaught: false, wires: [['errors']] },
        { id: 'errors', type: 'helper' },
      ];
    };

    it(`lets its own monitor be polled by every node (${monitor})`, async () => {
      const simulator = await simulate();
      const { own } = shardsOf(simulator);
      const flow = await Flow.load([localConnection(simulator, { shard: own }), ...polled(simulator)]);
      for (const { type } of polling) await flow.next(`${type} out`, 2);
      flow.at('errors').should.have.length(0);
    });

    it(`leaves the monitor of another shard alone, says so in grey, and serves messages (${monitor})`, async () => {
      const simulator = await simulate();
      const { own, other } = shardsOf(simulator);
      const flow = await Flow.load([localConnection(simulator, { shard: other }), ...polled(simulator)]);
      for (const { type } of polling) {
        const status = await until(`the status of ${type}`, () =>
          flow
            .at('statuses')
            .find((message) => message.status?.text === `polled by shard ${own}` && sourceOf(message) === type),
        );
        should(status.status).containEql({ fill: 'grey', shape: 'ring' });
      }
      // Long enough for a second round.
      if (monitor === 'named') await new Promise((resolve) => setTimeout(resolve, 8_000));
      [...simulator.requests.keys()].filter((path) => /realtime|data|\/io\//.test(path)).should.be.empty();
      if (monitor === 'named') simulator.requests.size.should.equal(0);
      for (const { type } of polling) {
        flow.at(`${type} out`).should.have.length(0);
        flow.send(type, { job: type });
        const [answer] = await flow.next(`${type} out`);
        should(answer?.['job']).equal(type);
      }
      flow.at('errors').should.have.length(0);
    });
  }

  it('has every monitor of a key polled by exactly one of N', async () => {
    const simulator = await simulate({ monitors: 6 });
    const polled: string[] = [];
    for (const shard of ['1/3', '2/3', '3/3']) {
      process.env['CEMM_TEST_SHARD'] = shard;
      const nodes = simulator.monitors.map((_, index): FlowNode => ({
        id: `query-${index}`,
        type: 'cemm-realtime',
        connection: 'connection',
        monitor: idOf(simulator, index),
        alias: 'p1',
        interval: 10,
        wires: [['out'], []],
      }));
      const expected = nodes.filter((_, index) => findShard(idOf(simulator, index), 3) === Number(shard[0]));
      const connection = remoteConnection(simulator, { shard: '${CEMM_TEST_SHARD}' });
      const flow = await Flow.load(
        [
          connection,
          { id: 'out', type: 'helper' },
          ...nodes,
          { id: 'status', type: 'status', scope: null, wires: [['statuses']] },
          { id: 'statuses', type: 'helper' },
        ],
        { credentials: remoteCredentials },
      );
      await until(
        'the others to say so',
        () =>
          flow.statuses('statuses').filter((text) => text.startsWith('polled by shard ')).length ===
          nodes.length - expected.length,
      );
      if (expected.length > 0) await flow.next('out', expected.length);
      for (const { payload } of flow.at('out')) polled.push((payload as { monitor: { id: string } }).monitor.id);
      await unload();
    }
    [...new Set(polled)].sort().should.eql(simulator.monitors.map((_, index) => idOf(simulator, index)).sort());
    polled.should.have.length(6);
  });

  it('polls everything where the variable is set and blank', async () => {
    process.env['CEMM_TEST_SHARD'] = '';
    const simulator = await simulate();
    const [query] = polling;
    const connection = localConnection(simulator, { shard: '${CEMM_TEST_SHARD}' });
    const flow = await Flow.load([connection, ...watched(query as FlowNode)]);
    await flow.next('out');
  });

  const wrong = [
    ['0/4', /cannot be 0\/4\. Parts are counted from 1: with four of them 1\/4, 2\/4/],
    ['5/4', /cannot be 5\/4/],
    ['two', /must be written as part\/parts, such as 2\/4/],
    ['${CEMM_TEST_SHARD}', /environment variable CEMM_TEST_SHARD is not set/],
  ] as const;
  for (const [shard, sentence] of wrong) {
    it(`says what is wrong with ${shard}, and asks nothing`, async () => {
      const simulator = await simulate();
      const [query] = polling;
      const flow = await Flow.load([localConnection(simulator, { shard }), ...watched(query as FlowNode)]);
      const [caught] = await flow.next('errors');
      should(caught?.error?.code).equal('CONFIG');
      should(caught?.error?.message).match(sentence);
      simulator.requests.size.should.equal(0);
    });
  }
});

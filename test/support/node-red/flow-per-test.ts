/** A suite whose tests each deploy a flow of their own on one Node-RED, against simulated monitors of their own. */
import { startSimulator } from '../../../src/simulator/start-simulator';
import type { Simulator, SimulatorOptions } from '../../../src/simulator/simulator';
import { NodeRed, tab, type CollectedMessage, type FlowNode } from './node-red';
import { testCredentials, testKey, watchers } from './remote-flow';

const collectors = ['out', 'availability', 'caught', 'completed', 'statuses'];
const limitMs = 180_000;

type NodeRedOptions = Parameters<typeof NodeRed.start>[0];

export interface FlowPerTest {
  /** Closed after the test. */
  readonly simulate: (options?: SimulatorOptions) => Promise<Simulator>;
  /** With watchers of our nodes. */
  readonly deploy: (nodes: readonly FlowNode[]) => Promise<void>;
  readonly fire: (trigger: string) => Promise<void>;
  /** The messages of this test, once there are so many, or enough. */
  readonly next: (
    name: string,
    enough?: number | ((messages: CollectedMessage[]) => boolean),
  ) => Promise<CollectedMessage[]>;
  readonly soFar: (name: string) => Promise<CollectedMessage[]>;
}

/** Adds the hooks to the suite around it. `usual` are the options of its simulators, at the moment when one starts. */
export function flowPerTest(usual: () => SimulatorOptions, options?: NodeRedOptions): FlowPerTest {
  let nodeRed: NodeRed;
  const simulators: Simulator[] = [];
  /** Messages collected before the flow of this test. */
  let earlier: Readonly<Record<string, number>> = {};

  before(async () => {
    nodeRed = await NodeRed.start(options);
  });
  after(() => nodeRed.stop());
  afterEach(async () => {
    await nodeRed.deploy([tab()]);
    await Promise.all(simulators.splice(0).map((simulator) => simulator.close()));
  });

  return {
    async simulate(more = {}) {
      const ports = { localPort: 0, remotePort: 0, apiKey: testKey };
      const simulator = await startSimulator({ ...ports, ...usual(), ...more });
      simulators.push(simulator);
      return simulator;
    },
    async deploy(nodes) {
      const counts = collectors.map(async (name) => [name, (await nodeRed.messages(name)).length] as const);
      earlier = Object.fromEntries(await Promise.all(counts));
      const ours = nodes.filter(({ type }) => /^cemm-(?!connection)/.test(type)).map(({ id }) => id);
      await nodeRed.deploy([tab(), ...nodes, ...watchers(ours)], 'full', testCredentials);
    },
    fire: (trigger) => nodeRed.inject(trigger),
    async next(name, enough = 1) {
      const skipped = earlier[name] ?? 0;
      const isEnough = typeof enough === 'number' ? ({ length }: CollectedMessage[]) => length >= enough : enough;
      return (await nodeRed.waitFor(name, (messages) => isEnough(messages.slice(skipped)), limitMs)).slice(skipped);
    },
    soFar: async (name) => (await nodeRed.messages(name)).slice(earlier[name] ?? 0),
  };
}

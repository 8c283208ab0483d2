/** The flow under attack: two webhook nodes, a search, a connection with a key, and collectors behind them. */
import { discoveryDefaults } from '../../../nodes/cemm-discovery/config';
import { loopbackOnly } from '../../support/network/discoverable';
import { collector, NodeRed, tab, type FlowNode } from '../../support/node-red/node-red';
import { until } from '../../support/until';
import { webhookNode } from '../../support/webhook/flows';
import { hookPath, openPath } from './cases';

/** Has characters that encodings change, so that a search finds every notation. */
export const key = 'canary key/+&=% 5f1c07 of 32 characters';
export const remoteKey = 'canary of the service/+&=% 77aa12';

/** The only monitor that `hookPath` accepts. */
export const goodMonitor = 24_000_001;

function flows(ownPort: number | null): FlowNode[] {
  const listen = ownPort === null ? {} : { listen: 'own', port: String(ownPort), bind: '127.0.0.1' };
  return [
    tab(),
    webhookNode({ id: 'hook', path: hookPath, ...listen, monitors: String(goodMonitor) }),
    webhookNode({ id: 'any', path: openPath, ...listen, maxAge: 0, wires: [['short'], []] }),
    {
      id: 'short',
      type: 'function',
      z: 'flow',
      func: 'return { payload: msg.payload.id };',
      outputs: 1,
      wires: [['accepted']],
    },
    { id: 'connection', type: 'cemm-connection', mode: 'remote', baseUrl: 'http://127.0.0.1:1/v1/', deadline: 5 },
    { id: 'ask', type: 'inject', z: 'flow', props: [], once: true, repeat: '4', wires: [['search', 'asking']] },
    {
      id: 'search',
      type: 'cemm-discovery',
      z: 'flow',
      ...discoveryDefaults,
      broadcast: '127.255.255.255',
      wait: 3,
      wires: [['found']],
    },
    {
      id: 'asking',
      type: 'cemm-realtime',
      z: 'flow',
      connection: 'connection',
      alias: 'p1',
      interval: 0,
      wires: [[], []],
    },
    { id: 'catch', type: 'catch', z: 'flow', scope: null, uncaught: false, wires: [['caught']] },
    { id: 'status', type: 'status', z: 'flow', scope: null, wires: [['statuses']] },
    ...['deliveries', 'problems', 'accepted', 'found', 'caught', 'statuses'].flatMap((name) => collector(name)),
  ];
}

/**
 * Starts Node-RED with 128 MB of heap, and waits for its webhook port.
 * @param ownPort port for deliveries; null: the port of Node-RED
 */
export async function startTarget(ownPort: number | null = null): Promise<NodeRed> {
  const nodeRed = await NodeRed.start({
    flows: flows(ownPort),
    credentials: { hook: { hmacKey: key }, any: { hmacKey: key }, connection: { apiKey: remoteKey } },
    nodeOptions: ['--max-old-space-size=128', ...loopbackOnly],
  });
  // A webhook node opens its port after the flows are started.
  if (ownPort !== null)
    await until('the webhook port', () =>
      fetch(`http://127.0.0.1:${ownPort}/`).then(
        () => true,
        () => false,
      ),
    );
  return nodeRed;
}

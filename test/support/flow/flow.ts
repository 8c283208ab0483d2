/** A flow in a real Node-RED runtime (platform: node-red-node-test-helper), with the catalogues of this package. */
import { once } from 'node:events';
import { log, util } from 'node-red';
import type { Node, NodeInitializer, NodeMessage, NodeStatus } from 'node-red';
import helper from 'node-red-node-test-helper';
import balanceNode from '../../../nodes/cemm-balance/runtime';
import connectionNode from '../../../nodes/cemm-connection/runtime';
import discoveryNode from '../../../nodes/cemm-discovery/runtime';
import formatNode from '../../../nodes/cemm-format/runtime';
import type { PageConfig } from '../../../nodes/cemm-page/config';
import { startNode as startPage } from '../../../nodes/cemm-page/node';
import realtimeNode from '../../../nodes/cemm-realtime/runtime';
import seriesNode from '../../../nodes/cemm-series/runtime';
import totalsNode from '../../../nodes/cemm-totals/runtime';
import { nodeType } from '../../../nodes/lib/run/register-node';
import type { Language } from '../../../scripts/build/catalogue';
import { catalogueLookup } from '../editor/catalogue-lookup';
import type { ContextOnDisk } from './context-on-disk';
import { until } from '../until';

helper.init(require.resolve('node-red'));

/** The context of the running flow, if it is on disk. */
let restarting: ContextOnDisk | null = null;

/** The helper's own `RED._` has no catalogue; this one reads the catalogues of the build. */
function speaking(node: NodeInitializer, type: string, language: Language): NodeInitializer {
  const { _: translate } = catalogueLookup([type], language);
  return (RED) => node(Object.create(RED, { _: { value: translate } }) as typeof RED);
}

/** The page is written by the build, so this one has a blank page. */
const pageNode = nodeType('cemm-page', () => ({
  startNode: (RED, node, stored: Partial<PageConfig>) => {
    startPage(RED, node, stored, '<template></template>');
  },
}));

type InputCallback = (message: NodeMessage, send: (message: unknown) => void, done: (error?: Error) => void) => void;

interface CaughtError {
  message: string;
  code?: string;
}

export interface Received extends NodeMessage {
  payload: unknown;
  error?: CaughtError;
  status?: NodeStatus;
}

export interface FlowNode {
  readonly id: string;
  readonly type: string;
  readonly [property: string]: unknown;
}

export interface LoadOptions {
  readonly language?: Language;
  readonly credentials?: Readonly<Record<string, object>>;
  /** Default: in memory. */
  readonly context?: ContextOnDisk;
  /** The user folder of Node-RED, in which past days are kept. Default: there is none. */
  readonly userDir?: string;
  /** Variables of the tab. */
  readonly env?: readonly { readonly name: string; readonly type: 'str' | 'json'; readonly value: string }[];
}

/** Messages received by the nodes of type `helper`, by their id. */
export class Flow {
  private readonly arrived = new Map<string, Received[]>();

  static async load(nodes: readonly FlowNode[], options: LoadOptions = {}): Promise<Flow> {
    const language = options.language ?? 'en-US';
    const flow = new Flow();
    const { context, userDir } = options;
    helper.settings({ ...context?.settings(), ...(userDir !== undefined && { userDir }) });
    restarting = options.context ?? null;
    const all = [{ id: 'tab', type: 'tab', env: options.env ?? [] }, ...nodes.map(placed)];
    await helper.load(
      [
        speaking(balanceNode, 'cemm-balance', language),
        speaking(connectionNode, 'cemm-connection', language),
        speaking(discoveryNode, 'cemm-discovery', language),
        speaking(formatNode, 'cemm-format', language),
        speaking(pageNode, 'cemm-page', language),
        speaking(realtimeNode, 'cemm-realtime', language),
        speaking(seriesNode, 'cemm-series', language),
        speaking(totalsNode, 'cemm-totals', language),
      ],
      all,
      options.credentials,
    );
    // The helper starts with a memory store, whatever the settings.
    if (restarting !== null) await helper._context.load();
    flow.listenTo(nodes);
    return flow;
  }

  /** Deploys other nodes in place of these. */
  async deploy(nodes: readonly FlowNode[], type: 'full' | 'nodes' | 'flows' = 'full'): Promise<void> {
    const started = once(helper._events, 'flows:started');
    await helper.setFlows([{ id: 'tab', type: 'tab' }, ...nodes.map(placed)], type).catch((error: unknown) => {
      // The helper waits 300 ms for the flows to start, which a busy machine may exceed.
      if (!(error instanceof Error && error.message === 'timeout waiting event')) throw error;
    });
    await started;
    this.listenTo(nodes);
  }

  node(id: string): Node {
    const node = helper.getNode(id);
    if (node === null) throw new Error(`The flow has no node ${id}.`);
    return node;
  }

  send(id: string, message: NodeMessage = {}): void {
    this.node(id).receive(message);
  }

  /** Passes a message to the node with the test's own send and done. */
  deliver(id: string, message: NodeMessage, send: (message: unknown) => void, done: (error?: Error) => void): void {
    const { _inputCallback: input } = this.node(id) as Node & { _inputCallback?: InputCallback };
    if (input === undefined) throw new Error(`The node ${id} takes no messages.`);
    input(message, send, done);
  }

  at(id: string): readonly Received[] {
    return this.arrived.get(id) ?? [];
  }

  async next(id: string, count = 1): Promise<readonly Received[]> {
    try {
      return await until(`${count} messages at ${id}`, () => this.at(id).length >= count && this.at(id));
    } catch (error) {
      throw new Error(`${String(error)}; errors of the flow: ${JSON.stringify(this.at('errors'))}`, { cause: error });
    }
  }

  nodeContext(id: string, key: string): Promise<unknown> {
    return new Promise((resolve) => {
      this.node(id)
        .context()
        .get(key, (_error: Error, value: unknown) => {
          resolve(value);
        });
    });
  }

  setNodeContext(id: string, key: string, value: unknown): Promise<void> {
    return new Promise((resolve) => {
      this.node(id)
        .context()
        .set(key, value, () => {
          resolve();
        });
    });
  }

  /** The context of that kind, as seen by every node of the flow. */
  context(kind: 'flow' | 'global', id: string): { set(key: string, value: unknown): void } {
    return this.node(id).context()[kind];
  }

  /** The texts received by the status node `id`. */
  statuses(id: string): string[] {
    return this.at(id).map(({ status }) => status?.text ?? '');
  }

  /** Debug sidebar messages of errors that no Catch node took; a text is unchanged. */
  errorsInSidebar(): unknown[] {
    return helper
      .log()
      .args.map(([entry]) => entry as { level: number; msg: unknown })
      .filter(({ level }) => level === log.ERROR)
      .map((entry) => util.encodeObject({ ...entry }) as { msg: unknown; format: string })
      .map(({ msg, format }) => (/error|object/i.test(format) ? { format, msg } : msg));
  }

  private listenTo(nodes: readonly FlowNode[]): void {
    for (const { id, type } of nodes) {
      if (type !== 'helper') continue;
      const messages = this.arrived.get(id) ?? [];
      this.arrived.set(id, messages);
      this.node(id).on('input', (msg) => messages.push(msg as Received));
    }
  }
}

/** Node-RED treats a node without a position as a config node. */
function placed(node: FlowNode): object {
  return node.type === 'cemm-connection' ? node : { z: 'tab', x: 0, y: 0, ...node };
}

export async function unload(): Promise<void> {
  restarting?.keep();
  restarting = null;
  await helper.unload();
}

/**
 * A node of this package with all its observers: `out` and `availability` at its outputs, `errors` behind a Catch, `completed`
 * behind a Complete and `statuses` behind a Status node.
 */
export function watched(node: FlowNode): FlowNode[] {
  const { id } = node;
  return [
    { ...node, wires: [['out'], ['availability']] },
    { id: 'out', type: 'helper' },
    { id: 'availability', type: 'helper' },
    { id: 'catch', type: 'catch', scope: [id], uncaught: false, wires: [['errors']] },
    { id: 'errors', type: 'helper' },
    { id: 'complete', type: 'complete', scope: [id], uncaught: false, wires: [['completed']] },
    { id: 'completed', type: 'helper' },
    { id: 'status', type: 'status', scope: [id], wires: [['statuses']] },
    { id: 'statuses', type: 'helper' },
  ];
}

// Static rules of every example: an explaining comment, all node types shown, and no foreign nodes.
import { nodeTypes } from '../../../nodes/check-flow/node-types';
import type { FlowNode } from '../assistant-flows';
import { differences, faultAt, filesIn, readText } from './text';

type Example = readonly [file: string, flow: readonly FlowNode[]];

/** Present in every Node-RED; a flow with any other type would not start at all. */
const core =
  /^(?:tab|global-config|comment|inject|debug|catch|status|function|switch|change|delay|trigger|join|csv|link in|link out|rbe|http in|http response|http request|mqtt in|mqtt out|mqtt-broker)$/;

/** Packages from others that an example may use. */
const packages = [
  { name: '@flowfuse/node-red-dashboard', version: '1.31.0', types: /^ui-/ },
  { name: 'node-red-contrib-home-assistant-websocket', version: '0.80.3', types: /^(?:ha-api|server)$/ },
];

/** One connection of all examples, so a change of it applies to all. */
const connectionId = 'cemm-demo-monitor';

/** The connection and the dashboard, which are the same in every example that has them. */
const sharedIds = new Set([connectionId, 'cemm-live-base', 'cemm-live-theme']);

export function examplesFollowTheirRules(): string[] {
  const examples = filesIn('examples', '.json').map((file): Example => [
    file,
    JSON.parse(readText(file)) as FlowNode[],
  ]);
  return [...togetherFaults(examples), ...examples.flatMap(exampleFaults)];
}

/** They show every node type, share no ids, so that several can be imported, and bring the same connection and dashboard. */
function togetherFaults(examples: readonly Example[]): string[] {
  const nodes = examples.flatMap(([file, flow]) => flow.map((node) => ({ file, node })));
  const shown = new Set(nodes.map(({ node }) => node.type));
  const seen = new Map<string, FlowNode>();
  const clashes = nodes.filter(({ node }) => {
    const other = seen.get(node.id);
    seen.set(node.id, other ?? node);
    return other !== undefined && !(sharedIds.has(node.id) && JSON.stringify(other) === JSON.stringify(node));
  });
  const inOthers = [...sharedIds].filter((id) => nodes.filter(({ node }) => node.id === id).length < 2);
  return [
    ...Object.keys(nodeTypes).flatMap((type) => (shown.has(type) ? [] : [`examples:1: no example shows ${type}`])),
    ...clashes.map(({ file, node }) => faultAt(file, `"${node.id}"`, `${node.id} is another node in another example`)),
    ...inOthers.map((id) => `examples:1: ${id} is not in several examples`),
  ];
}

function exampleFaults([file, flow]: Example): string[] {
  const ofType = (type: string): FlowNode[] => flow.filter((node) => node.type === type);
  const ids = new Set(flow.map(({ id }) => id));
  const [comment] = ofType('comment');
  const info = String(comment?.['info']);
  const needed = packages.filter(({ types }) => flow.some(({ type }) => types.test(type)));
  const modules = JSON.stringify(needed.map(({ name, version }) => ({ [name]: version })));
  const caught = new Set(ofType('catch').flatMap(targetsOf));
  const rules: readonly (readonly [boolean, string])[] = [
    // A longer text than the canvas is wide would not be read.
    [/^.{30,120}$/.test(String(comment?.['name'])) && info.length > 100, 'no comment explains it'],
    [info.includes('"Import selected"'), 'the comment does not say how to import another example'],
    [textIn(ofType('tab')[0], 'info') !== '', 'its tab has no description'],
    [caught.size > 0, 'handles no errors'],
    [
      JSON.stringify(ofType('global-config').map((node) => node['modules'])) === modules,
      `its modules are not ${modules}`,
    ],
    // The editor shows what a connection without a name leads to.
    [
      ofType('cemm-connection')
        .map(({ id, mode, name }) => [id, mode, name].join())
        .join() === `${connectionId},demo,`,
      'has not the connection of all examples, to the demo monitor',
    ],
  ];
  return [
    ...rules.flatMap(([holds, fault]) => (holds ? [] : [faultAt(file, '"comment"', fault)])),
    ...flow.flatMap((node) => nodeFaults(node, ids, caught).map((fault) => faultAt(file, `"${node.id}"`, fault))),
  ];
}

function nodeFaults(node: FlowNode, ids: ReadonlySet<string>, caught: ReadonlySet<string>): string[] {
  const { id, type, func } = node;
  const defaults = nodeTypes[type]?.defaults;
  const known = ['id', 'type', 'x', 'y', 'z', 'wires', 'd', ...Object.keys(defaults ?? {})];
  const reports = type === 'cemm-webhook-in' || (type === 'cemm-realtime' && Number(node['interval']) > 0);
  const [, second = []] = wiresOf(node);
  const lines = type === 'function' ? String(func).split('\n') : ['// none'];
  const says = textIn(node, 'info') === '' ? lines[0] : `// ${textIn(node, 'info')}`;
  const isDebugOfErrors = type === 'debug' && caught.has(id) && node['complete'] !== 'payload';
  const isKnown = defaults !== undefined || core.test(type) || packages.some(({ types }) => types.test(type));
  const rules: readonly (readonly [boolean, string])[] = [
    [isKnown, `a node of another package: ${type}`],
    [!('connection' in node) || ['', connectionId].includes(textIn(node, 'connection')), 'has another connection'],
    [!reports || second.length > 0, 'the second output, with outages and problems, leads nowhere'],
    [!isDebugOfErrors || node['complete'] === 'error.message', 'does not show the sentence of an error'],
    [/^\/\/ \S/.test(says ?? '') && lines.length <= 28, 'the function is long, or does not say what it does'],
    [targetsOf(node).every((target) => ids.has(target)), 'is wired to a node that is not there'],
    // Without it the editor takes the node for one of the first version.
    [defaults === undefined || node['version'] === defaults['version'], 'has not the version of its type'],
  ];
  const unknown = defaults === undefined ? [] : Object.keys(node).filter((key) => !known.includes(key));
  return [
    ...rules.flatMap(([holds, fault]) => (holds ? [] : [`${id}: ${fault}`])),
    ...differences(unknown, [], `${id}: the property`),
  ];
}

function wiresOf({ wires = [] }: FlowNode): string[][] {
  return wires as string[][];
}

function targetsOf(node: FlowNode): string[] {
  return wiresOf(node).flat();
}

function textIn(node: FlowNode | undefined, property: string): string {
  const value = node?.[property];
  return typeof value === 'string' ? value : '';
}

/** The examples of the package in Node-RED's import menu, and what the log of Node-RED says against them. */
import type { FlowNode, NodeRed } from './node-red';

const root = '/library/examples/flows/node-red-contrib-cemm';

/** Paths of all examples, such as `influxdb/gap-repair`. */
async function examplePaths(nodeRed: NodeRed, below = ''): Promise<string[]> {
  const response = await nodeRed.admin(`${root}${below}`);
  const entries = (await response.json()) as (string | { readonly fn: string })[];
  const paths: string[] = [];
  for (const entry of entries) {
    if (typeof entry === 'string') paths.push(...(await examplePaths(nodeRed, `${below}/${entry}`)));
    else paths.push(`${below}/${entry.fn}`.slice(1).replace(/\.json$/, ''));
  }
  return paths;
}

export async function exampleOf(nodeRed: NodeRed, path: string): Promise<FlowNode[]> {
  const response = await nodeRed.admin(`${root}/${path}`);
  if (!response.ok) throw new Error(`the example ${path} answered ${response.status}`);
  return (await response.json()) as FlowNode[];
}

/** Nodes of other packages that the tests do not install: Node-RED deploys such a flow and does not start it. */
const foreign = new Set(['server', 'ha-api']);

/**
 * Deploys every example, one after the other, with a key where a user enters one.
 * @returns their paths; those with nodes of packages that are not installed are left out
 */
export async function deployEveryExample(nodeRed: NodeRed): Promise<string[]> {
  const deployed: string[] = [];
  for (const path of await examplePaths(nodeRed)) {
    const flow = await exampleOf(nodeRed, path);
    if (flow.some(({ type }) => foreign.has(type))) continue;
    const receivers = flow.filter(({ type }) => type === 'cemm-webhook-in');
    await nodeRed.deploy(flow, 'full', Object.fromEntries(receivers.map(({ id }) => [id, { hmacKey: 'a key' }])));
    deployed.push(path);
  }
  return deployed;
}

/** Errors of this package, and types that Node-RED does not know. */
export function complaints(log: string): string[] {
  return log.split('\n').filter((line) => /\[(?:error|fatal)\].*cemm|missing types|^\s+- \S+$/.test(line));
}

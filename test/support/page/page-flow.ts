/** The flow of the page of the house, and the messages of its node. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PageMessage, Question } from '../../../nodes/cemm-page/page/messages';
import { projectDir } from '../node-red/installed-package';
import { type CollectedMessage, collector, type FlowNode } from '../node-red/node-red';

export const pageNode = 'cemm-page-node';
export const balanceNode = 'cemm-page-now';
const z = 'cemm-page-flow';

export function pageFlow(): FlowNode[] {
  return JSON.parse(readFileSync(join(projectDir, 'examples/energy-page.json'), 'utf8')) as FlowNode[];
}

/** The flow with changed properties of some nodes, by their ids. */
export function changed(flow: readonly FlowNode[], changes: Readonly<Record<string, object>>): FlowNode[] {
  return flow.map((node) => ({ ...node, ...changes[node.id] }));
}

/** Copies the messages of both outputs of the page to the collectors `shown` and `asked`, and its input to `arrived`. */
export function withTaps(flow: readonly FlowNode[]): FlowNode[] {
  const wired = flow.map((node) => {
    const wires = (node['wires'] as string[][] | undefined)?.map((port, index) => [
      ...port,
      ...(node.id === pageNode ? [index === 0 ? 'shown' : 'asked'] : []),
      ...(port.includes(pageNode) ? ['arrived'] : []),
    ]);
    return wires === undefined ? node : { ...node, wires };
  });
  return [...wired, ...['shown', 'asked', 'arrived'].flatMap((name) => collector(name, z))];
}

/** What a browser sends, from an inject node with this id. */
export function viewer(id: string, wants: readonly Question[]): FlowNode {
  const payload = JSON.stringify({ viewer: id, wants });
  return {
    id,
    type: 'inject',
    z,
    once: false,
    repeat: '',
    crontab: '',
    wires: [[pageNode]],
    props: [{ p: 'payload', v: payload, vt: 'json' }],
  };
}

/**
 * The messages to the browsers; others have the page itself. Each has all answers so far, as the pages have them; a page forgets
 * those of another house.
 */
export function shownIn(messages: readonly CollectedMessage[]): PageMessage[] {
  let before: PageMessage | null = null;
  return messages.flatMap(({ payload }) => {
    if (payload === undefined) return [];
    const message = payload as PageMessage;
    const kept = message.house === before?.house ? before.answers : {};
    before = { ...message, answers: { ...kept, ...message.answers } };
    return [before];
  });
}

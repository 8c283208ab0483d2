/** The flow of the page of the house, and what a viewer sees of it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { projectDir } from '../node-red/installed-package';
import { collector, type FlowNode } from '../node-red/node-red';

export const pageNode = 'cemm-page-node';
export const balanceNode = 'cemm-page-now';

export function pageFlow(): FlowNode[] {
  return JSON.parse(readFileSync(join(projectDir, 'examples/house-page.json'), 'utf8')) as FlowNode[];
}

/** The flow with changed properties of some nodes. */
export function changed(flow: readonly FlowNode[], changes: Readonly<Record<string, object>>): FlowNode[] {
  return flow.map((node) => ({ ...node, ...changes[node.id] }));
}

/** Copies the messages of both outputs of the page to the collectors `shown` and `asked`. */
export function withTaps(flow: readonly FlowNode[]): FlowNode[] {
  const z = 'cemm-page-flow';
  const wired = flow.map((node) => {
    if (node.id !== pageNode) return node;
    const [page = [], questions = []] = node['wires'] as string[][];
    return {
      ...node,
      wires: [
        [...page, 'shown'],
        [...questions, 'asked'],
      ],
    };
  });
  return [...wired, ...collector('shown', z), ...collector('asked', z)];
}

export async function chooseView(page: Page, view: string): Promise<void> {
  await page.locator(`[data-view="${view}"]`).click();
}

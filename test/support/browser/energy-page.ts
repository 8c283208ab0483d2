/** The texts of the example energy-page in a browser, and the balances behind it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { BalancePayload } from '../../../src/model/payload';
import { projectDir } from '../node-red/installed-package';
import { collector, type FlowNode } from '../node-red/node-red';

export function energyPage(): FlowNode[] {
  return JSON.parse(readFileSync(join(projectDir, 'examples/energy-page.json'), 'utf8')) as FlowNode[];
}

/** Copies every balance to the collector `seen`, with the name of its node as `last`. */
export function withTaps(flow: readonly FlowNode[]): FlowNode[] {
  const z = 'cemm-energy';
  const taps = flow
    .filter(({ type }) => type === 'cemm-balance')
    .map(({ id }) => ({ id: `tap-${id}`, from: id, last: id.replace(`${z}-`, '') }));
  const wired = flow.map((node) => {
    const tap = taps.find(({ from }) => from === node.id);
    if (tap === undefined) return node;
    const [first = []] = node['wires'] as string[][];
    return { ...node, wires: [[...first, tap.id]] };
  });
  const nodes = taps.map(({ id, last }): FlowNode => ({
    ...{ id, z, type: 'function', outputs: 1, wires: [['seen']] },
    func: `return { payload: msg.payload, last: ${JSON.stringify(last)} };`,
  }));
  return [...wired, ...nodes, ...collector('seen', z)];
}

export interface Shown {
  /** Everything on the page, on one line. */
  readonly text: string;
  /** The texts of the picture. Numbers have no separators of thousands. */
  readonly picture: string;
}

export async function shownOn(page: Page): Promise<Shown> {
  const text = (await page.locator('body').innerText()).replace(/\s+/g, ' ');
  const parts = await page.locator('.scene text').allTextContents();
  return { text, picture: parts.join(' ').replace(/(\d)[.,](?=\d{3} W)/g, '$1') };
}

/** Bars of today in all three colours. */
export async function hasBars(page: Page): Promise<boolean> {
  const counts = await Promise.all(['grid', 'sun', 'back'].map((kind) => page.locator(`.plot rect.${kind}`).count()));
  return counts.every((count) => count > 0);
}

/** The numbers of today. */
export function tilesOf({ text }: Shown): string[] {
  return text.match(/(?:Verbruikt|Kosten|Van de zon|Zelfvoorziening) (?:€ ?)?-?[\d.,]+(?: kWh| %)?/g)?.slice(-4) ?? [];
}

/** The amount of one hour of the day. */
export function hourOf({ points = [], period }: BalancePayload, field: string, hour: number): number {
  const start = Number(period?.start) + hour * 3_600_000;
  const inHour = points.filter(({ ts }) => ts >= start && ts < start + 3_600_000);
  return inHour.reduce((sum, point) => sum + Number(point[field]), 0);
}

/** The configurations of docs/webhook-proxies.md, with the addresses of a test in place of those of the page. */
import { samplesBelow } from '../docs/snippets';

const page = 'docs/webhook-proxies.md';

export const proxies = ['nginx', 'HAProxy', 'Caddy'] as const;
export type Proxy = (typeof proxies)[number];

/** Destination of the deliveries: the recommended port for deliveries, or Node-RED's own. */
export type Layout = 'own' | 'shared';

export interface Ports {
  readonly nodeRed: number;
  readonly receiver: number;
}

/** The first sample below the heading of this proxy. */
export function recipeOf(heading: string): string {
  const [recipe = ''] = samplesBelow(page, `## ${heading}`);
  return recipe;
}

/** The samples after the first: lines that replace parts of it. */
export function variationsOf(heading: string): string[] {
  return samplesBelow(page, `## ${heading}`).slice(1);
}

/** For the port of Node-RED the page replaces 1881 by 1880. */
export function withPorts(recipe: string, layout: Layout, { nodeRed, receiver }: Ports): string {
  const deliveries = layout === 'own' ? receiver : nodeRed;
  return recipe
    .replaceAll('127.0.0.1:1881', `127.0.0.1:${deliveries}`)
    .replaceAll('127.0.0.1:1880', `127.0.0.1:${nodeRed}`);
}

/** Replaces an exact text, so it fails after a change of the page. */
export function replaced(text: string, from: string | RegExp, to: string): string {
  const result = text.replace(from, () => to);
  if (result === text) throw new Error(`the recipe has no ${String(from)}`);
  return result;
}

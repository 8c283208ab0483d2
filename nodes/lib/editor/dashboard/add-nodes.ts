/** Adds nodes to a flow, as one step of the editor's history. */
import type { AnyNode, HistoryEvent } from '../red';

/** A node as in a flow file. */
export type NewNode = Readonly<Record<string, unknown>> & { readonly id: string; readonly type: string };

export interface Place {
  readonly x: number;
  readonly y: number;
}

/** A property to change together with the added nodes. */
export interface Change {
  readonly node: AnyNode;
  readonly property: string;
  readonly value: string | number | boolean | readonly string[];
}

/** A wire to or from a node that was there before. */
export interface NewLink {
  readonly from: string;
  readonly port: number;
  readonly to: string;
}

export interface Addition {
  readonly nodes: readonly NewNode[];
  readonly links: readonly NewLink[];
  readonly changes: readonly Change[];
  /** Ids of nodes that become a group; none: no group. */
  readonly grouped?: readonly string[];
}

const grid = 20;
const gap = 40;
const row = 60;
const smallestWidth = 100;
const height = 30;
/** Least distance of a node from the upper edge of the flow, so that the frame of its group is not cut. */
export const topmost = 60;
/** Icon, ports and margins, and the average letter, rounded up. */
const widthBesideLabel = 60;
const widthOfLetter = 8;

/** Width at which the editor will draw a new node, at least. */
export function widthOf({ name, label, type }: Readonly<Record<string, unknown>>): number {
  const letters = [name, label, type].reduce<number>(
    (most, text) => Math.max(most, typeof text === 'string' ? text.length : 0),
    0,
  );
  return Math.max(smallestWidth, widthBesideLabel + letters * widthOfLetter);
}

interface Rows<Entry> {
  readonly above: readonly Entry[];
  readonly beside: readonly Entry[];
  readonly below: readonly Entry[];
}

/** Places for three rows of nodes of these widths; where they would lie upon others, they go further down. */
export function placeRows(node: AnyNode, widths: Rows<number>): { readonly [Name in keyof Rows<Place>]: Place[] } {
  const start = toNumberOrZero(node['x']) + Math.max(toNumberOrZero(node['w']), smallestWidth) / 2 + gap;
  const [above, beside, below] = [widths.above, widths.beside, widths.below].map((row) => columnsFrom(start, row));
  const rows = [
    { columns: above ?? [], offset: -row },
    { columns: beside ?? [], offset: 0 },
    { columns: below ?? [], offset: row },
  ];
  const others = RED.nodes.filterNodes({ z: String(node['z']) });
  const isTaken = (y: number): boolean =>
    rows.some(({ columns, offset }) =>
      columns.some((column) => y + offset < topmost || others.some((other) => overlaps(other, column, y + offset))),
    );
  let y = snapped(toNumberOrZero(node['y']));
  while (isTaken(y)) y += row;
  const [first = [], second = [], third = []] = rows.map(({ columns, offset }) =>
    columns.map(({ x }) => ({ x, y: y + offset })),
  );
  return { above: first, beside: second, below: third };
}

function columnsFrom(start: number, widths: readonly number[]): { readonly x: number; readonly width: number }[] {
  let left = start;
  return widths.map((width) => {
    const x = snapped(left + width / 2);
    left = x + width / 2 + gap;
    return { x, width };
  });
}

/** True if no other node lies in the rectangle around a node and these places. */
export function isAloneWith(node: AnyNode, places: readonly Place[]): boolean {
  const all = [{ x: toNumberOrZero(node['x']), y: toNumberOrZero(node['y']) }, ...places];
  const isAmong = (other: AnyNode, axis: 'x' | 'y'): boolean => {
    const at = toNumberOrZero(other[axis]);
    return all.some((place) => place[axis] <= at) && all.some((place) => place[axis] >= at);
  };
  return !RED.nodes
    .filterNodes({ z: String(node['z']) })
    .some((other) => other.id !== node.id && isAmong(other, 'x') && isAmong(other, 'y'));
}

function overlaps(other: AnyNode, { x, width }: { readonly x: number; readonly width: number }, y: number): boolean {
  // A node that was not drawn yet has no size.
  const w = toNumberOrZero(other['w']) || widthOf(other);
  const h = toNumberOrZero(other['h']) || height;
  const isBeside = Math.abs(toNumberOrZero(other['x']) - x) < (w + width) / 2 + grid;
  return isBeside && Math.abs(toNumberOrZero(other['y']) - y) < (h + height) / 2 + grid / 2;
}

function snapped(at: number): number {
  return Math.round(at / grid) * grid;
}

function toNumberOrZero(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

/** All properties of a new node of this type. */
export function newProperties(type: string): Record<string, unknown> {
  const defaults = Object.entries(RED.nodes.getType(type)?.defaults ?? {});
  // A copy, because a default may be an object, such as the colours of a theme.
  return Object.fromEntries(defaults.map(([name, { value }]) => [name, structuredClone(value)]));
}

/** Imports the nodes and connects them. One undo removes them and takes the changes back. */
export function addNodes({ nodes, links, changes, grouped = [] }: Addition): void {
  const dirty = RED.nodes.dirty();
  const edits = changes.map((change) => edit(change, dirty));
  const added = RED.nodes.import(nodes.map((node) => ({ ...newProperties(node.type), ...node })));
  const made = links.flatMap(({ from, port, to }) => {
    const [source, target] = [RED.nodes.node(from), RED.nodes.node(to)];
    return source && target ? [{ source, sourcePort: port, target }] : [];
  });
  for (const link of made) RED.nodes.addLink(link);
  for (const node of added.nodes) Object.assign(node, { changed: true, dirty: true });
  // Widgets come before the configuration nodes that they use.
  const ids = added.nodes.map(({ id }) => id).reverse();
  const { workspaces } = added;
  const add: HistoryEvent = { t: 'add', nodes: ids, links: [...made, ...added.links], workspaces, dirty };
  const events = [...edits, add, ...groupNodes(grouped, dirty)];
  RED.history.push({ t: 'multi', events, dirty });
  RED.nodes.dirty(true);
  RED.view.redraw(true);
}

function groupNodes(ids: readonly string[], dirty: boolean): HistoryEvent[] {
  // A node has a size once it was drawn.
  if (ids.length > 0) RED.view.redraw(true, true);
  const nodes = ids.flatMap((id) => RED.nodes.node(id) ?? []);
  if (nodes.length === 0 || nodes.some(({ w }) => typeof w !== 'number')) return [];
  const group = RED.group.createGroup(nodes);
  return group === undefined ? [] : [{ t: 'createGroup', groups: [group], dirty }];
}

function edit({ node, property, value }: Change, dirty: boolean): HistoryEvent {
  const event: HistoryEvent = {
    t: 'edit',
    node,
    changes: { [property]: node[property] },
    changed: node['changed'] === true,
    dirty,
  };
  Object.assign(node, { [property]: value, changed: true, dirty: true });
  return event;
}

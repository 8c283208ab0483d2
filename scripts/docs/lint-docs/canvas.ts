// The canvas of every example: room for statuses, wires to the right, and complete labels.
import { faultAt, filesIn, readText } from './text';

interface CanvasNode {
  readonly id: string;
  readonly type: string;
  readonly alias?: string;
  readonly period?: string;
  readonly x: number;
  readonly y: number;
  readonly wires?: readonly (readonly string[])[];
  readonly [property: string]: unknown;
}

function canvasOf(file: string): CanvasNode[] {
  const flow = JSON.parse(readText(file)) as CanvasNode[];
  return flow.filter((node) => 'z' in node && 'x' in node && 'y' in node);
}

/** These nodes show a status below themselves; a debug node only if configured. */
const withStatus = /^(?:cemm-(?!format)|mqtt |http request|delay|trigger)/;

/** The vertical distance of nodes in Node-RED's own flows. */
const rowHeight = 60;

/** Width of a text in the font of the editor (14 px), in px as measured in Chromium, rounded up. */
function textWidth(text: string): number {
  const widthOf = (character: string): number => {
    if (/[ijl'|.,:;! ()[\]/tfIr-]/.test(character)) return 4.4;
    return /[mwMW%]|\p{Lu}/u.test(character) ? 10.3 : 7.5;
  };
  return Array.from(text).reduce((sum, character) => sum + widthOf(character), 0);
}

function labelOf(node: CanvasNode): string {
  if (node.type.startsWith('link ')) return '';
  const { name, label, alias, period, format } = node;
  return (
    [name, label, alias && `${alias} ${node.type.slice(5)}`, period && `balance: ${period}`, format]
      .concat(node.type === 'catch' ? 'catch: all' : node.type)
      .filter((text): text is string => typeof text === 'string' && text !== '')[0] ?? ''
  );
}

/** As in the editor: steps of 20 px around label, icon and port. */
function widthOf(node: CanvasNode): number {
  if (node.type.startsWith('link ')) return 30;
  return Math.max(100, 20 * Math.ceil((textWidth(labelOf(node)) + 57) / 20));
}

function edges(node: CanvasNode): { left: number; right: number } {
  const half = widthOf(node) / 2;
  return { left: node.x - half, right: node.x + half };
}

function areAbove(one: CanvasNode, other: CanvasNode): boolean {
  const [a, b] = [edges(one), edges(other)];
  return a.left < b.right && b.left < a.right;
}

interface Place {
  readonly x: number;
  readonly y: number;
}

/** Points of a wire as in the editor: a Bézier curve that leaves and reaches a port horizontally. */
function curveOf(from: CanvasNode, port: number, to: CanvasNode): Place[] {
  const ports = from.wires?.length ?? 1;
  const start = { x: edges(from).right, y: from.y + 13 * (port - (ports - 1) / 2) };
  const end = { x: edges(to).left, y: to.y };
  const reach = 0.75 * Math.min(100, Math.hypot(end.x - start.x, end.y - start.y));
  return Array.from({ length: 101 }, (_, index) => {
    const [t, u] = [index / 100, 1 - index / 100];
    const pixelAt = (a: number, b: number, c: number, d: number): number =>
      u ** 3 * a + 3 * u ** 2 * t * b + 3 * u * t ** 2 * c + t ** 3 * d;
    return {
      x: pixelAt(start.x, start.x + reach, end.x - reach, end.x),
      y: pixelAt(start.y, start.y, end.y, end.y),
    };
  });
}

/** A node is 30 px high. Rounded corners, and the uncertainty of its width, are ignored. */
function isUnder(node: CanvasNode, line: readonly Place[]): boolean {
  const { left, right } = edges(node);
  return line.some(({ x, y }) => x > left + 8 && x < right - 8 && Math.abs(y - node.y) < 12);
}

export function canvasIsReadable(): string[] {
  return filesIn('examples', '.json').flatMap((file) => {
    const nodes = canvasOf(file);
    const comments = nodes.filter(({ type }) => type === 'comment');
    const highest = Math.min(...nodes.map(({ y }) => y));
    const isAbove = comments.length === 1 && comments[0]?.y === highest;
    return [
      ...(isAbove ? [] : [faultAt(file, '"comment"', 'one comment has to be above everything else')]),
      ...nodes.flatMap((node) => [...placeFaults(node, nodes), ...wireFaults(node, nodes)].map(inFile(file, node))),
    ];
  });
}

function inFile(file: string, { id }: CanvasNode): (fault: string) => string {
  return (fault) => faultAt(file, `"${id}"`, `${id} ${fault}`);
}

function placeFaults(node: CanvasNode, nodes: readonly CanvasNode[]): string[] {
  const { type, tostatus } = node;
  const hasStatus = withStatus.test(type) || tostatus === true;
  const near = nodes.filter((other) => other !== node && areAbove(node, other));
  const below = near.filter((other) => other.y > node.y && other.y - node.y < rowHeight);
  return [
    ...near.filter((other) => Math.abs(node.y - other.y) < 40).map(({ id }) => `is upon ${id}`),
    ...(edges(node).left < 0 || node.y < 40 ? ['is at the edge'] : []),
    ...(hasStatus ? below : []).map(({ id }) => `has no room for its status above ${id}`),
  ];
}

/** Wires lead to the right and cross no node, and link nodes name each other. */
function wireFaults(node: CanvasNode, nodes: readonly CanvasNode[]): string[] {
  const byId = new Map(nodes.map((one) => [one.id, one]));
  const wires = (node.wires ?? []).flatMap((port, index) =>
    port.flatMap((id) => {
      const to = byId.get(id);
      return to === undefined ? [] : [{ index, to }];
    }),
  );
  // A page asks the node that its balances come from, and its viewers answer.
  const back = wires
    .filter(({ to }) => edges(to).left < edges(node).right + 20)
    .filter(({ to }) => node.type !== 'cemm-page' && to.type !== 'cemm-page');
  const crossed = wires.flatMap(({ index, to }) => {
    const line = curveOf(node, index, to);
    return nodes.filter((other) => other !== node && other !== to && isUnder(other, line));
  });
  return [
    ...back.map(({ to }) => `leads back to ${to.id}`),
    ...crossed.map(({ id }) => `has a wire across ${id}`),
    ...(node.type.startsWith('link ') && !isLinked(node, byId) ? ['has no link node on the other side'] : []),
  ];
}

function isLinked({ id, type, links }: CanvasNode, byId: ReadonlyMap<string, CanvasNode>): boolean {
  const others = (links as string[]).map((other) => byId.get(other));
  const wanted = type === 'link in' ? 'link out' : 'link in';
  return (
    others.length > 0 && others.every((other) => other?.type === wanted && (other['links'] as string[]).includes(id))
  );
}

/** The canvas of every example: room for statuses, wires to the right, and complete labels. */
import should from 'should';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

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

const folder = path.resolve(__dirname, '../../../examples');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.json'));

function canvasOf(file: string): CanvasNode[] {
  const flow = JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as CanvasNode[];
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
    const at = (a: number, b: number, c: number, d: number): number =>
      u ** 3 * a + 3 * u ** 2 * t * b + 3 * u * t ** 2 * c + t ** 3 * d;
    return {
      x: at(start.x, start.x + reach, end.x - reach, end.x),
      y: at(start.y, start.y, end.y, end.y),
    };
  });
}

/** A node is 30 px high. Rounded corners, and the uncertainty of its width, are ignored. */
function isUnder(node: CanvasNode, line: readonly Place[]): boolean {
  const { left, right } = edges(node);
  return line.some(({ x, y }) => x > left + 8 && x < right - 8 && Math.abs(y - node.y) < 12);
}

describe('the canvas of the examples', () => {
  for (const file of files) {
    describe(file, () => {
      const nodes = canvasOf(file);
      const byId = new Map(nodes.map((node) => [node.id, node]));

      it('has one comment, above everything else', () => {
        const comments = nodes.filter(({ type }) => type === 'comment');
        comments.length.should.equal(1);
        const highest = Math.min(...nodes.map(({ y }) => y));
        should(comments[0]?.y).equal(highest);
      });

      it('has no node upon another, and none at the edge', () => {
        const pairs = nodes.flatMap((one, index) => nodes.slice(index + 1).map((other) => [one, other] as const));
        const upon = pairs.filter(([one, other]) => areAbove(one, other) && Math.abs(one.y - other.y) < 40);
        upon.map(([one, other]) => `${one.id} ${other.id}`).should.eql([]);
        const outside = nodes.filter((node) => edges(node).left < 0 || node.y < 40);
        outside.map(({ id }) => id).should.eql([]);
      });

      it('leaves room for the status of a node', () => {
        const covered = nodes
          .filter(({ type, tostatus }) => withStatus.test(type) || tostatus === true)
          .flatMap((node) =>
            nodes
              .filter((other) => areAbove(node, other) && other.y > node.y && other.y - node.y < rowHeight)
              .map((other) => `${node.id} ${other.id}`),
          );
        covered.should.eql([]);
      });

      it('leads every wire to the right', () => {
        const back = nodes.flatMap((node) =>
          (node.wires ?? [])
            .flat()
            .map((id) => byId.get(id))
            .filter((target) => target !== undefined)
            .filter((target) => edges(target).left < edges(node).right + 20)
            // A page asks the node that its balances come from, and its viewers answer.
            .filter((target) => node.type !== 'cemm-page' && target.type !== 'cemm-page')
            .map((target) => `${node.id} ${target.id}`),
        );
        back.should.eql([]);
      });

      it('crosses no node with a wire', () => {
        const wires = nodes.flatMap((from) =>
          (from.wires ?? []).flatMap((port, index) => port.map((id) => ({ from, index, to: byId.get(id) }))),
        );
        const crossed = wires.flatMap(({ from, index, to }) => {
          if (to === undefined) return [];
          const line = curveOf(from, index, to);
          return nodes
            .filter((node) => node !== from && node !== to && isUnder(node, line))
            .map(({ id }) => `${from.id} ${id}`);
        });
        crossed.should.eql([]);
      });

      it('joins link nodes that name each other', () => {
        for (const { id, type, links } of nodes.filter((node) => node.type.startsWith('link '))) {
          const others = links as string[];
          others.length.should.be.above(0);
          for (const other of others) {
            const found = byId.get(other);
            should(found?.type).equal(type === 'link in' ? 'link out' : 'link in');
            (found?.['links'] as string[]).should.containEql(id);
          }
        }
      });
    });
  }
});

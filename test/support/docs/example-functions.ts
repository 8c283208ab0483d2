/** Runs function nodes of the examples, with the context of a flow and at a given moment. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';

export interface ExampleNode {
  readonly id: string;
  readonly type: string;
  readonly func?: string;
  readonly wires?: readonly (readonly string[])[];
  readonly env?: readonly { readonly name: string; readonly type: string; readonly value: string }[];
}

const read = new Map<string, ExampleNode[]>();

export function nodesOf(example: string): ExampleNode[] {
  const known = read.get(example);
  if (known !== undefined) return known;
  const file = path.resolve(__dirname, '../../../examples', `${example}.json`);
  const nodes = JSON.parse(readFileSync(file, 'utf8')) as ExampleNode[];
  read.set(example, nodes);
  return nodes;
}

export interface FlowState {
  /** Environment variables of the tab, instead of those of the example. */
  readonly env?: Readonly<Record<string, unknown>>;
  /** Context of the flow; the function changes it. */
  readonly flow?: Map<string, unknown>;
  /** Context of the node; the function changes it. */
  readonly context?: Map<string, unknown>;
  /** Epoch ms. */
  readonly now?: number;
}

type Run = (
  message: object,
  env: object,
  context: object,
  flow: object,
  date: DateConstructor,
  node: object,
) => unknown;

const compiled = new Map<string, Run>();

/** The result of a function node for a message. */
export function runFunction(example: string, id: string, message: object, state: FlowState = {}): unknown {
  const { env = {}, flow = new Map<string, unknown>(), context = new Map<string, unknown>(), now } = state;
  const date = now === undefined ? Date : dateAt(now);
  const run = compiled.get(id) ?? compileExample(example, id);
  compiled.set(id, run);
  const variables = { ...environmentOf(example), ...env };
  return run(message, { get: (name: string) => variables[name] }, contextOf(context), contextOf(flow), date, node);
}

function environmentOf(example: string): Record<string, unknown> {
  const variables = nodesOf(example).find(({ type }) => type === 'tab')?.env ?? [];
  const valueOf = ({ type, value }: (typeof variables)[number]): unknown =>
    type === 'json' ? JSON.parse(value) : value;
  return Object.fromEntries(variables.map((variable) => [variable.name, valueOf(variable)]));
}

/** A function node may set statuses, which only the editor shows. */
const node = { status: () => undefined };

function compileExample(example: string, id: string): Run {
  const func = nodesOf(example).find((node) => node.id === id)?.func;
  if (func === undefined) throw new Error(`${example} has no function ${id}`);
  return vm.compileFunction(func, ['msg', 'env', 'context', 'flow', 'Date', 'node']) as Run;
}

function contextOf(values: Map<string, unknown>) {
  return {
    get: (name: string) => values.get(name),
    set: (name: string, value: unknown) => void values.set(name, value),
  };
}

function dateAt(now: number): DateConstructor {
  return new Proxy(Date, {
    construct: (target, parts) => (parts.length === 0 ? new target(now) : (Reflect.construct(target, parts) as Date)),
    get: (target, name): unknown => (name === 'now' ? () => now : Reflect.get(target, name)),
  });
}

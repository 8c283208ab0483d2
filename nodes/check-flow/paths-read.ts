/** Finds the parts of `msg.payload` that a node's properties read and write. Computed paths are not found. */
import { isRecord } from '../../src/checks/record';
import { splitPath, takenOut } from './code-names';
import type { FlowNode } from './flow-file';
import { nodeTypes } from './node-types';

export interface Paths {
  /** Names below `payload`. */
  readonly read: readonly (readonly string[])[];
  readonly written: readonly (readonly string[])[];
}

/** Properties with text for people, and with the wiring of nodes. */
const notRead: ReadonlySet<string> = new Set([
  'id',
  'type',
  'z',
  'g',
  'name',
  'label',
  'info',
  'wires',
  'links',
  'env',
]);

const reference =
  /(?<![\w$.'"])(?:msg\??\.)?payload((?:\??\.[A-Za-z_$][\w$]*|\[(?:'[^'\]]+'|"[^"\]]+")\])+)(\s*=(?![=>]))?/g;
export function pathsRead(node: FlowNode): Paths {
  if (node.type in nodeTypes) return { read: [], written: [] };
  const isCode = node.type === 'function';
  const texts = Object.entries(node.properties).flatMap(([name, value]) =>
    notRead.has(name) ? [] : textsIn(value, node.type),
  );
  const found = texts.map((text) => (isCode ? withoutComments(text) : text)).map((text) => pathsIn(text, isCode));
  const ofRules = writtenByRules(node);
  return {
    read: unique(found.flatMap(({ read }) => read)),
    written: [...found.flatMap(({ written }) => written), ...ofRules],
  };
}

function pathsIn(text: string, isCode: boolean): Paths {
  const matches = [...text.matchAll(reference)].map(([, path = '', equals]) => ({
    names: splitPath(path),
    // In an expression, `=` compares.
    isAssigned: isCode && equals !== undefined,
  }));
  return {
    read: [
      ...matches.filter(({ isAssigned }) => !isAssigned).map(({ names }) => names),
      ...(isCode ? takenOut(text) : []),
    ],
    written: matches.filter(({ isAssigned }) => isAssigned).map(({ names }) => names),
  };
}

/** Every text in a property, except the targets of a change node: those are written, not read. */
function textsIn(value: unknown, type: string): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap((entry) => textsIn(entry, type));
  if (!isRecord(value)) return [];
  const isSet = type === 'change' && value['t'] === 'set';
  return Object.entries(value).flatMap(([name, entry]) => (isSet && name === 'p' ? [] : textsIn(entry, type)));
}

function writtenByRules({ type, properties: { rules } }: FlowNode): string[][] {
  if (type !== 'change' || !Array.isArray(rules)) return [];
  return rules.flatMap((rule: unknown) => {
    if (!isRecord(rule)) return [];
    const target = rule['t'] === 'set' ? rule['p'] : rule['t'] === 'move' ? rule['to'] : null;
    const path =
      typeof target === 'string' && target.startsWith('payload.') ? splitPath(target.slice('payload'.length)) : [];
    return path.length === 0 ? [] : [path];
  });
}

function withoutComments(code: string): string {
  return code.replace(/\/\*[^]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}

function unique(paths: readonly (readonly string[])[]): string[][] {
  return [...new Map(paths.map((path) => [path.join('.'), [...path]])).values()];
}

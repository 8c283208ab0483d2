/** The value of a field: `${NAME}` in a text, and typed inputs (`x` with its twin `xType`) of every type. */
import type { Node, NodeAPI, NodeMessage } from 'node-red';
import { CemmError } from '../../../src/errors';
import type { TypedValue } from './shared-config';

const variable = /\$\{([^}]+)\}/g;

/**
 * Replaces `${NAME}` anywhere in a text. Node-RED replaces only whole properties, and only if the variable exists. The
 * variables are the same (flow, group and subflow included); a missing one is named.
 * @throws {CemmError} CONFIG `env_not_set`
 */
export function expandEnv(RED: Pick<NodeAPI, 'util'>, node: Node, text: string): string {
  return text.replace(variable, (_whole, name: string) => {
    const value: unknown = RED.util.getSetting(node, name);
    if (typeof value === 'string') return value;
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    throw new CemmError('CONFIG', { reason: 'env_not_set', params: { name } });
  });
}

/**
 * Replaces only a key that is exactly one variable; any other key is used unchanged. Node-RED keeps the name of a variable that
 * is not set, and a key `${NAME}` could be guessed.
 * @throws {Error} as `expand`
 */
export function expandKey(key: string | undefined, expand: (text: string) => string): string | undefined {
  return key !== undefined && /^\s*\$\{[^}]+\}\s*$/.test(key) ? expand(key.trim()) : key;
}

/** The evaluating Node-RED, the node, and the message (null if there is none). */
export interface Evaluation {
  readonly RED: Pick<NodeAPI, 'util' | 'nodes'>;
  readonly node: Node;
  readonly msg: NodeMessage | null;
}

/**
 * The value, or undefined if there is none.
 * @throws {CemmError} CONFIG `needs_message` (a polling node has no message), `env_not_set`; INPUT `expression`, `property`
 */
export async function resolveTyped(
  field: string,
  value: string,
  type: TypedValue | 'json',
  evaluation: Evaluation,
): Promise<unknown> {
  const { RED, node, msg } = evaluation;
  if (type === 'str') return expandEnv(RED, node, value);
  if (type === 'msg' && msg === null) {
    throw new CemmError('CONFIG', { reason: 'needs_message', params: { field } });
  }
  try {
    return await new Promise<unknown>((resolve, reject) => {
      RED.util.evaluateNodeProperty(value, type, node, msg ?? {}, (error, result: unknown) => {
        if (error) reject(error);
        else resolve(result);
      });
    });
  } catch {
    const reason = type === 'jsonata' ? 'expression' : 'property';
    throw new CemmError('INPUT', { reason, params: { field, type } });
  }
}

/**
 * The value as a trimmed text; null if it is blank.
 * @throws {CemmError} as resolveTyped, and INPUT `no_value`, `not_text`
 */
export async function resolveText(
  field: string,
  value: string,
  type: TypedValue,
  evaluation: Evaluation,
): Promise<string | null> {
  const result = await resolveTyped(field, value, type, evaluation);
  if (typeof result === 'string') return result.trim() || null;
  if (typeof result === 'number') return String(result);
  // An absent value is not blank. Blank means "all", and a misspelt property must not select everything.
  if (result === undefined || result === null) throw noValue(field, type);
  throw new CemmError('INPUT', { reason: 'not_text', params: { field } });
}

export function noValue(field: string, type: string): CemmError {
  return new CemmError('INPUT', { reason: 'no_value', params: { field, type } });
}

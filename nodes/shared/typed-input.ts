/** The value behind a TypedInput (`x` with its twin `xType`), whichever of Node-RED's types was chosen. */
import type { Node, NodeAPI, NodeMessage } from 'node-red';
import { CemmError } from '../../src/clients/errors';
import { expandEnv } from './env-text';
import type { TypedValue } from './meter-config';

/** What evaluates them: Node-RED, the node in whose name it is done, and the message, null where there is none. */
export interface Evaluation {
  readonly RED: Pick<NodeAPI, 'util'>;
  readonly node: Node;
  readonly msg: NodeMessage | null;
}

/**
 * The value, or undefined where there is none.
 * @throws CemmError CONFIG `needs_message` (a polling node has no message), `env_not_set`; INPUT `expression`, `property`
 */
export async function resolveTyped(
  field: string,
  value: string,
  type: TypedValue,
  evaluation: Evaluation,
): Promise<unknown> {
  const { RED, node, msg } = evaluation;
  if (type === 'str') return expandEnv(RED, node, value);
  if (type === 'msg' && msg === null) {
    throw new CemmError('CONFIG', `${field} is taken from a message, and a node that polls has none.`, {
      reason: 'needs_message',
      params: { field },
    });
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
    throw new CemmError('INPUT', `${field} cannot be evaluated: check the ${type} entry.`, {
      reason,
      params: { field, type },
    });
  }
}

/**
 * The value as a trimmed text; null where it is blank.
 * @throws CemmError as resolveTyped, and INPUT `no_value`, `not_text`
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
  // Nothing is not blank: blank means "all", and a misspelt property must not ask for everything.
  if (result === undefined || result === null) throw noValue(field, type);
  throw new CemmError('INPUT', `${field} must be a text.`, { reason: 'not_text', params: { field } });
}

export function noValue(field: string, type: string): CemmError {
  return new CemmError('INPUT', `${field} has no value: the ${type} entry gives nothing.`, {
    reason: 'no_value',
    params: { field, type },
  });
}

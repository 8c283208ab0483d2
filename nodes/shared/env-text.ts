/**
 * `${NAME}` in a text field. Node-RED's core replaces a property that is nothing but `${NAME}`, and only where the
 * variable exists; this replaces the rest, with the same variables (flow, group and subflow included), and says which one
 * is missing.
 */
import type { Node, NodeAPI } from 'node-red';
import { CemmError } from '../../src/clients/errors';

const variable = /\$\{([^}]+)\}/g;

/** @throws CemmError CONFIG `env_not_set` */
export function expandEnv(RED: Pick<NodeAPI, 'util'>, node: Node, text: string): string {
  return text.replace(variable, (_whole, name: string) => {
    const value: unknown = RED.util.getSetting(node, name);
    if (typeof value === 'string') return value;
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    throw new CemmError('CONFIG', `The environment variable ${name} is not set.`, {
      reason: 'env_not_set',
      params: { name },
    });
  });
}

/**
 * A key is used as it stands. Only one that is nothing but a variable is replaced: where that is not set, Node-RED leaves
 * its name in place, and everybody could guess a key that reads `${NAME}`.
 * @throws what `expand` throws
 */
export function expandKey(key: string | undefined, expand: (text: string) => string): string | undefined {
  return key !== undefined && /^\s*\$\{[^}]+\}\s*$/.test(key) ? expand(key.trim()) : key;
}

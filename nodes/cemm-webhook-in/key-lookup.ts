/** Looks up the HMAC keys of an installation in the environment, in a context store or with an expression. */
import type { Node, NodeAPI } from 'node-red';
import { findInStore, readInstallationKeys, type KeyLookup } from '../../src/webhook/keys';
import { expandEnv } from '../lib/stored/typed-input';
import { isShort } from '../../src/webhook/signature';
import { parameterNames } from './config';
import { type KeyStore, webhookError } from './settings';

/**
 * Variables of the package and of its examples. Requests select a part of the name, and the values of these variables are not
 * secret. `CEMM_HMAC_KEY` is included, for a node that names it.
 */
export const ownVariables: readonly string[] = [
  'CEMM_ALLOW_LOOPBACK',
  'CEMM_API_KEY',
  'CEMM_EDITOR_BIND',
  'CEMM_EDITOR_PASSWORD',
  'CEMM_KEYS_FILE',
  'CEMM_RECEIVER_CONNECTIONS',
  'CEMM_RECEIVER_PORT',
  'CEMM_SHARD',
  'CEMM_WRITER',
];

function isOwnVariable(name: string): boolean {
  const upper = name.toUpperCase();
  return upper.startsWith('NR_') || ownVariables.includes(upper);
}

/**
 * Null if the key is entered in the node. Nothing is cached: a changed or removed key counts from the next delivery on.
 * @param warn `keyStore`: the lookup itself failed, whatever the request
 * @throws {CemmError} CONFIG
 */
export function createKeyLookup(
  RED: Pick<NodeAPI, 'util'>,
  node: Node,
  { keyStore, path }: { readonly keyStore: KeyStore | null; readonly path: string },
  warn: (about: 'keyStore' | 'shortKey') => void,
): KeyLookup | null {
  if (keyStore === null) return null;
  const lookUp = lookupOf(RED, node, keyStore, path, () => {
    warn('keyStore');
  });
  return (match, found) => {
    lookUp(match, (keys) => {
      if (keys !== null && isShort(keys.current)) warn('shortKey');
      found(keys);
    });
  };
}

function lookupOf(
  RED: Pick<NodeAPI, 'util'>,
  node: Node,
  keyStore: KeyStore,
  path: string,
  warn: () => void,
): KeyLookup {
  const { type, text } = keyStore;
  const parameters = parameterNames(path);
  if (type === 'env') return inEnvironment(RED, node, text, parameters);
  return type === 'jsonata'
    ? byExpression(RED, node, text, warn)
    : inContext(RED, node, type, expandEnv(RED, node, text), parameters, warn);
}

/** One variable per installation; its name contains the parameters as `${installation}`. */
function inEnvironment(RED: Pick<NodeAPI, 'util'>, node: Node, text: string, parameters: readonly string[]): KeyLookup {
  // A name in braces that is not a parameter is a variable, as in every other field.
  const pieces = text
    .split(/(\$\{[^}]+\})/)
    .map((piece) => parameters.find((name) => piece === `\${${name}}`) ?? { text: expandEnv(RED, node, piece) });
  return (match, found) => {
    const name = pieces
      .map((piece) => (typeof piece === 'string' ? (match?.params[piece] ?? '') : piece.text))
      .join('');
    found(isOwnVariable(name) ? null : readInstallationKeys(RED.util.getSetting(node, name)));
  };
}

/** One object for all installations, with one level per parameter in the order of the path. */
function inContext(
  RED: Pick<NodeAPI, 'util'>,
  node: Node,
  type: 'flow' | 'global',
  name: string,
  parameters: readonly string[],
  warn: () => void,
): KeyLookup {
  return (match, found) => {
    const values = parameters.map((parameter) => match?.params[parameter] ?? '');
    RED.util.evaluateNodeProperty(name, type, node, {}, (error: unknown, store: unknown) => {
      if (error) warn();
      found(error ? null : findInStore(store, values));
    });
  };
}

/** The expression gets `req.params`, as after a core `http in` node, and `installation`. */
function byExpression(RED: Pick<NodeAPI, 'util'>, node: Node, text: string, warn: () => void): KeyLookup {
  const expression = prepareExpression(RED, node, text);
  return (match, found) => {
    const seen = { req: { params: { ...match?.params } }, installation: match?.installation ?? '' };
    RED.util.evaluateJSONataExpression(expression, seen, (error: unknown, value: unknown) => {
      if (error) warn();
      found(error ? null : readInstallationKeys(value));
    });
  };
}

function prepareExpression(RED: Pick<NodeAPI, 'util'>, node: Node, text: string) {
  try {
    return RED.util.prepareJSONataExpression(text, node);
  } catch {
    throw webhookError('hmac_key_from');
  }
}

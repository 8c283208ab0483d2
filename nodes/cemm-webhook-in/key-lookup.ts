/** Finds the HMAC keys of an installation where the user keeps them: environment, context store, or an expression. */
import type { Node, NodeAPI } from 'node-red';
import { CemmError } from '../../src/errors';
import { findInStore, readInstallationKeys, type KeyLookup } from '../../src/webhook/keys';
import { expandEnv } from '../lib/typed-input';
import { parameterNames, shortestKey } from './config';
import type { KeyStore } from './settings';

/**
 * Null where the key is the one that is entered in the node. Nothing is remembered: a key that is changed or taken away in
 * its store holds, or ends, with the next delivery.
 * @param complain `keyStore`: the search itself failed, which says nothing about the caller
 * @throws CemmError CONFIG
 */
export function createKeyLookup(
  RED: Pick<NodeAPI, 'util'>,
  node: Node,
  { keyStore, path }: { readonly keyStore: KeyStore | null; readonly path: string },
  complain: (about: 'keyStore' | 'shortKey') => void,
): KeyLookup | null {
  if (keyStore === null) return null;
  const find = finderOf(RED, node, keyStore, path, () => {
    complain('keyStore');
  });
  return (sender, found) => {
    find(sender, (keys) => {
      if (keys !== null && keys.current.length < shortestKey) complain('shortKey');
      found(keys);
    });
  };
}

function finderOf(
  RED: Pick<NodeAPI, 'util'>,
  node: Node,
  keyStore: KeyStore,
  path: string,
  complain: () => void,
): KeyLookup {
  const { type, text } = keyStore;
  const parameters = parameterNames(path);
  if (type === 'env') return inEnvironment(RED, node, text, parameters);
  return type === 'jsonata'
    ? byExpression(RED, node, text, complain)
    : inContext(RED, node, type, expandEnv(RED, node, text), parameters, complain);
}

/** A variable per installation: its name holds the parameters as `${installation}`. */
function inEnvironment(RED: Pick<NodeAPI, 'util'>, node: Node, text: string, parameters: readonly string[]): KeyLookup {
  // What is no parameter is a variable itself, as in every other field.
  const pieces = text
    .split(/(\$\{[^}]+\})/)
    .map((piece) => parameters.find((name) => piece === `\${${name}}`) ?? { itself: expandEnv(RED, node, piece) });
  return (sender, found) => {
    const name = pieces
      .map((piece) => (typeof piece === 'string' ? (sender?.params[piece] ?? '') : piece.itself))
      .join('');
    found(readInstallationKeys(RED.util.getSetting(node, name)));
  };
}

/** One object for all: by the values of the parameters, in the order of the path. */
function inContext(
  RED: Pick<NodeAPI, 'util'>,
  node: Node,
  type: 'flow' | 'global',
  name: string,
  parameters: readonly string[],
  complain: () => void,
): KeyLookup {
  return (sender, found) => {
    const values = parameters.map((parameter) => sender?.params[parameter] ?? '');
    RED.util.evaluateNodeProperty(name, type, node, {}, (error: unknown, store: unknown) => {
      if (error) complain();
      found(error ? null : findInStore(store, values));
    });
  };
}

/** Sees `req.params`, as behind a core `http in`, and `installation`. */
function byExpression(RED: Pick<NodeAPI, 'util'>, node: Node, text: string, complain: () => void): KeyLookup {
  const expression = prepare(RED, node, text);
  return (sender, found) => {
    const seen = { req: { params: { ...sender?.params } }, installation: sender?.installation ?? '' };
    RED.util.evaluateJSONataExpression(expression, seen, (error: unknown, value: unknown) => {
      if (error) complain();
      found(error ? null : readInstallationKeys(value));
    });
  };
}

function prepare(RED: Pick<NodeAPI, 'util'>, node: Node, text: string) {
  try {
    return RED.util.prepareJSONataExpression(text, node);
  } catch {
    throw new CemmError('CONFIG', 'The expression for the HMAC key cannot be read.', {
      reason: 'webhook_hmac_key_from',
    });
  }
}

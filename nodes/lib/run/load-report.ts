/**
 * Says why the code of a node cannot be loaded, such as a dependency that is missing. In Node-RED's language, because the connection,
 * which may have another one, is not loaded either.
 */
import type { Node, NodeAPI } from 'node-red';
import { asCemmError, toNodeError } from './node-error';
import { errorStatus } from './status';
import { createTranslate } from './translate';

export function reportUnloadable(RED: NodeAPI, node: Node, thrown: unknown): void {
  const translate = createTranslate(RED, { type: node.type, language: () => '' });
  const error = asCemmError(thrown);
  node.error(toNodeError(error, translate));
  node.status(errorStatus(error, translate));
}

/** A connection as shown in its dialog, deployed or not: the input of the admin routes. */
import type { Node, NodeAPI } from 'node-red';
import { parseBaseUrl } from '../../src/clients/address';
import { CemmError } from '../../src/errors';
import { untouched } from '../lib/stored/config';
import { AdminError, type BodyReader, refuseVariables } from '../lib/admin-routes';
import { connectionType } from '../lib/run/connection-node';
import { expandEnv } from '../lib/stored/typed-input';
import { connectionDefaults, connectionModes, type ConnectionConfig } from './config';
import type { ConnectionSettings } from '../../src/library/open-connection';
import type { StoredConnection } from './settings';

const mostTextCharacters = 500;
/** A node without a flow: getSetting() then returns variables of the process only. */
const noNode = {} as unknown as Node;

/** The settings of a deployed connection; null if it has none or cannot work with them. */
export type DeployedSettings = (node: Node) => ConnectionSettings | null;

export interface FormInput extends StoredConnection {
  readonly config: ConnectionConfig;
  /** The deployed node of the same id. */
  readonly node: Node | null;
}

/** @throws {Refusal} */
export function readForm(RED: NodeAPI, body: BodyReader, settingsOf: DeployedSettings, mayDeploy: boolean): FormInput {
  const id = readFormText(body, 'id');
  if (!mayDeploy) refuseVariables(RED, id, body, ['baseUrl', 'host', 'mac', 'timezone', 'apiKey']);
  const mode = connectionModes.find((known) => known === body('mode'));
  if (mode === undefined) throw new AdminError(400, 'bad_request');
  const node = deployedConnection(RED, id);
  const config: ConnectionConfig = {
    ...connectionDefaults,
    mode,
    baseUrl: readFormText(body, 'baseUrl'),
    host: readFormText(body, 'host'),
    mac: readFormText(body, 'mac'),
    timezone: readFormText(body, 'timezone'),
    deadline: readDeadline(body('deadline')),
    allowLoopback: readFlag(body, 'allowLoopback'),
  };
  // Variables of the flow are available to a deployed node only, those of the process always.
  const expand = (text: string): string => expandEnv(RED, node ?? noNode, text);
  return { config, node, expand, apiKey: mode === 'remote' ? readTypedKey(readFormText(body, 'apiKey')) : undefined };

  function readTypedKey(typed: string): string {
    if (typed !== untouched) return typed;
    if (node === null) throw new AdminError(404, 'not_deployed');
    const deployed = settingsOf(node);
    // A stored key is sent only to the service that it was stored for, never to a newly typed address.
    if (
      deployed?.mode === 'remote' &&
      readOrigin(() => expand(config.baseUrl)) === readOrigin(() => deployed.baseUrl)
    ) {
      return deployed.apiKey;
    }
    throw new AdminError(409, 'key_elsewhere');
  }
}

function readOrigin(baseUrl: () => string): string {
  try {
    return new URL(parseBaseUrl(baseUrl())).origin;
  } catch (error) {
    if (error instanceof CemmError) return '';
    throw error;
  }
}

/** Null if it is not deployed. */
export function deployedConnection(RED: NodeAPI, id: string): Node | null {
  const node = RED.nodes.getNode(id) as Node | null | undefined;
  return node?.type === connectionType ? node : null;
}

export function readFormText(body: BodyReader, name: string): string {
  const value = body(name);
  if (value === undefined) return '';
  if (typeof value !== 'string' || value.length > mostTextCharacters) throw new AdminError(400, 'bad_request');
  return value;
}

/** The dialog sends every field as text. */
export function readFlag(body: BodyReader, name: string): boolean {
  const value = body(name);
  return value === true || value === 'true';
}

function readDeadline(value: unknown): number {
  const number = typeof value === 'string' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : connectionDefaults.deadline;
}

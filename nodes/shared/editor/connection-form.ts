/** A connection as the admin routes want it: from its open dialog, or as the editor holds it, deployed or not. */
import { connectionDefaults } from '../../cemm-connection/config';
import { untouched } from '../admin';
import { textFrom } from './open-form';

export type ConnectionForm = Readonly<Record<string, string>>;

const fields = Object.keys(connectionDefaults).filter((name) => name !== 'name');

export function openDialogForm(id: string): ConnectionForm {
  const value = (name: string): string => textFrom($(`#node-config-input-${name}`).val());
  return { id, apiKey: value('apiKey'), ...Object.fromEntries(fields.map((name) => [name, value(name)])) };
}

/** Null where no connection is chosen, or none that the editor knows. */
export function chosenForm(id: string): ConnectionForm | null {
  const node = RED.nodes.node(id);
  if (node === null || node === undefined) return null;
  const credentials = node['credentials'];
  const typed: unknown =
    typeof credentials === 'object' && credentials !== null ? Reflect.get(credentials, 'apiKey') : undefined;
  const apiKey = typeof typed === 'string' ? typed : untouched;
  return { id, apiKey, ...Object.fromEntries(fields.map((name) => [name, textFrom(node[name])])) };
}

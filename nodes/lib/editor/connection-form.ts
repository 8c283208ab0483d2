/** The fields of a connection as the admin routes expect them, and the generation of its monitors. */
import { connectionDefaults } from '../../cemm-connection/config';
import { untouched } from '../stored/config';
import { textMember } from './admin-calls';
import { fieldText, textFrom } from './open-form';

type ConnectionForm = Readonly<Record<string, string>>;

/** Prices say nothing about the monitor; the meters of the house are sent apart. */
const unsent: readonly string[] = ['name', 'prices', 'pricesType', 'meters', 'version'];
const fields = Object.keys(connectionDefaults).filter((name) => !unsent.includes(name));

export function openDialogForm(id: string): ConnectionForm {
  const configValue = (name: string): string => fieldText($(`#node-config-input-${name}`));
  return { id, apiKey: configValue('apiKey'), ...Object.fromEntries(fields.map((name) => [name, configValue(name)])) };
}

/** Null if no connection is chosen, or an unknown one. */
export function chosenForm(id: string): ConnectionForm | null {
  const node = RED.nodes.node(id);
  if (node === null || node === undefined) return null;
  const apiKey = textMember(node['credentials'], 'apiKey') ?? untouched;
  return { id, apiKey, ...Object.fromEntries(fields.map((name) => [name, textFrom(node[name])])) };
}

/** Null if no connection is chosen, or an unknown one. */
export function modeOf(connection: string): string | null {
  return textFrom(RED.nodes.node(connection)?.['mode']) || null;
}

/** An unknown connection counts as not public. */
export function isPublic(connection: string): boolean {
  return modeOf(connection) === 'public';
}

/** Shows the rows for the generation of the chosen connection, and follows the choice. */
export function showGeneration(): void {
  const connection = $('#node-input-connection');
  const show = (): void => {
    const is3 = isPublic(textFrom(connection.val()));
    $('.cemm-open').toggle(!is3);
    $('.cemm-public').toggle(is3);
    // The checks of these fields depend on the connection.
    $('.cemm-open input, .cemm-public input').trigger('change');
  };
  connection.on('change', show);
  show();
}

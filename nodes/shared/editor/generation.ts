/** Which generation of monitors a connection reaches: an Open API is asked by alias and period, a public API by channel. */
import { textFrom } from './open-form';

/** Of a connection that is not chosen, or not known, nothing is known: then it is no public one. */
export function isPublic(connection: string): boolean {
  return RED.nodes.node(connection)?.['mode'] === 'public';
}

/** Shows the rows of the generation that the chosen connection reaches, and follows the choice. */
export function showGeneration(): void {
  const connection = $('#node-input-connection');
  const show = (): void => {
    const is3 = isPublic(textFrom(connection.val()));
    $('.cemm-open').toggle(!is3);
    $('.cemm-public').toggle(is3);
    // What is right in these fields depends on the connection.
    $('.cemm-open input, .cemm-public input').trigger('change');
  };
  connection.on('change', show);
  show();
}

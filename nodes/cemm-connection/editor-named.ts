/** Opens the dialog of the connection that the address of the editor names, as a link of the page of the house does. */
import { dialogHash } from './config';

/** Call once, at the start: the editor replaces its address by that of a flow. */
export function openNamedConnection(): void {
  const { hash } = location;
  let isOpen = !hash.startsWith(dialogHash);
  RED.events.on('flows:loaded', () => {
    const node = RED.nodes.node(hash.slice(dialogHash.length));
    if (isOpen || node?.type !== 'cemm-connection') return;
    isOpen = true;
    RED.editor.editConfig('', node.type, node.id);
  });
}

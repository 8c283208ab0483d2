/** Opens the dialog of the connection that the address of the editor names, as a link of the page of the house does. */
import { dialogHash } from './config';

let meterToShow: string | null = null;

/** Call once, at the start: the editor replaces its address by that of a flow. */
export function openNamedConnection(): void {
  const { hash } = location;
  const [id = '', meter] = hash.slice(dialogHash.length).split('/');
  let isOpen = !hash.startsWith(dialogHash);
  RED.events.on('flows:loaded', () => {
    const node = RED.nodes.node(id);
    if (isOpen || node?.type !== 'cemm-connection') return;
    isOpen = true;
    meterToShow = meter === undefined ? null : decoded(meter);
    RED.editor.editConfig('', node.type, node.id);
  });
}

/** The meter whose row the address names, once; null without one. */
export function takeMeterToShow(): string | null {
  const meter = meterToShow;
  meterToShow = null;
  return meter;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

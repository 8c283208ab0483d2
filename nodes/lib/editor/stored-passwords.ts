/**
 * Knows which passwords a node has. They are not in the flow, and the editor requests them only for an open dialog. Requesting
 * them earlier marks a closed node without its key.
 */
import { readMember } from '../../../src/checks/record';
import { textMember } from './admin-calls';

interface KnownNode {
  readonly id: string;
  readonly type: string;
}

/** Node id → response of the server: `has_<name>` for each password. Null until it arrives. */
const answers = new Map<string, unknown>();

RED.events.on('deploy', () => {
  answers.clear();
});

/** False only if the password is known to be blank. */
export function mayHavePassword(node: KnownNode, name: string): boolean {
  const credentials: unknown = Reflect.get(node, 'credentials');
  // Set by a dialog, or by an import that contains the passwords.
  const isSet = readMember(credentials, `has_${name}`);
  if (typeof isSet === 'boolean') return isSet;
  const typed = textMember(credentials, name);
  if (typed !== null) return typed !== '';
  if (!answers.has(node.id)) fetchCredentials(node);
  const answer = answers.get(node.id) ?? null;
  return answer === null || readMember(answer, `has_${name}`) === true;
}

function fetchCredentials({ id, type }: KnownNode): void {
  answers.set(id, null);
  void $.getJSON(`credentials/${type}/${id}`).done((answer: unknown) => {
    answers.set(id, answer);
    const node = RED.nodes.node(id);
    if (node === null || node === undefined) return;
    RED.editor.validateNode(node);
    RED.view.redraw(false);
  });
}

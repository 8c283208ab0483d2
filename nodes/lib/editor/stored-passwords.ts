/**
 * Which passwords a node has. They are not in the flow, and the editor asks the server only when a dialog opens; here it is
 * asked before, so that a node without its key is marked without being opened.
 */
import { member, textMember } from './admin-calls';

interface KnownNode {
  readonly id: string;
  readonly type: string;
}

/** Node id → what the server says: `has_<name>` for each password. Null while nobody has answered. */
const answers = new Map<string, unknown>();

RED.events.on('deploy', () => {
  answers.clear();
});

/** False only where it is known that the password is blank. */
export function mayHavePassword(node: KnownNode, name: string): boolean {
  const credentials: unknown = Reflect.get(node, 'credentials');
  // Of a dialog, or of an import that brings them along.
  const isSet = member(credentials, `has_${name}`);
  if (typeof isSet === 'boolean') return isSet;
  const typed = textMember(credentials, name);
  if (typed !== null) return typed !== '';
  if (!answers.has(node.id)) ask(node);
  const answer = answers.get(node.id) ?? null;
  return answer === null || member(answer, `has_${name}`) === true;
}

function ask({ id, type }: KnownNode): void {
  answers.set(id, null);
  void $.getJSON(`credentials/${type}/${id}`).done((answer: unknown) => {
    answers.set(id, answer);
    const node = RED.nodes.node(id);
    if (node === null || node === undefined) return;
    RED.editor.validateNode(node);
    RED.view.redraw(false);
  });
}

/** The row of interval.html: how often a node polls. The floor follows the connection that is chosen. */
import { intervalFloors } from '../../../src/limits';
import { catalogueOf } from './catalogue';
import * as checks from './checks';
import { type OpenForm, textFrom } from './open-form';
import type { EditorNode, Validator } from './red';
import { textValidator } from './validators';

type Mode = keyof typeof intervalFloors;

/** Null where no connection is chosen yet. */
function modeOf(connection: string): Mode | null {
  const mode = textFrom(RED.nodes.node(connection)?.['mode']);
  return Object.hasOwn(intervalFloors, mode) ? (mode as Mode) : null;
}

/** The smallest interval that the chosen connection can bear, in seconds; the lowest of all where none is chosen. */
export function floorOf(connection: string): number {
  const mode = modeOf(connection);
  return mode === null ? Math.min(...Object.values(intervalFloors)) : intervalFloors[mode];
}

/**
 * @param typed the typed inputs that the node evaluates as it is set up: a node that polls has no message to take
 * them from
 */
export function intervalValidator<Config>(
  nodeType: string,
  form: OpenForm,
  typed: (node: EditorNode<Config>) => readonly string[],
): Validator<Config> {
  return textValidator(nodeType, (text, node) => {
    const result = checks.interval(floorOf(form.textOf(node, 'connection')))(text);
    if (result !== true || Number(text) === 0) return result;
    const needsMessage = typed(node).some((property) => form.textOf(node, `${property}Type`) === 'msg');
    return needsMessage ? { key: 'check.intervalNeedsMessage' } : true;
  });
}

/** What a new node stores, and what is proposed per kind of connection. */
interface Proposals {
  readonly initial: number;
  readonly proposed: Readonly<Record<Mode, number>>;
}

/** Shows the floor beside the field. With proposals the interval follows the connection until somebody types another one. */
export function prepareIntervalField(nodeType: string, proposals?: Proposals): void {
  const text = catalogueOf(nodeType);
  const connection = $('#node-input-connection');
  const field = $('#node-input-interval');
  let chosen = textFrom(connection.val());
  let proposed = proposals === undefined ? [] : [proposals.initial, proposalFor(chosen)];
  showFloor();
  connection.on('change', () => {
    const now = textFrom(connection.val());
    if (now === chosen) return;
    chosen = now;
    const proposal = proposalFor(chosen);
    if (proposal !== null && proposed.includes(Number(field.val()))) {
      field.val(proposal).trigger('change');
      proposed = [proposal];
    }
    showFloor();
  });

  function proposalFor(id: string): number | null {
    const mode = modeOf(id);
    return mode === null || proposals === undefined ? null : proposals.proposed[mode];
  }

  function showFloor(): void {
    $('#cemm-interval-hint').text(text('form.intervalHint', { floor: floorOf(chosen) }));
  }
}

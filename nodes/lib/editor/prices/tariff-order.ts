/** Which of the two tariffs of a meter is the low one: in the Netherlands the first, in Belgium the second. */
import { textFrom } from '../open-form';
import type { FieldPrefix } from '../problem-lines';

export function isLowSecond(prefix: FieldPrefix): boolean {
  return timezoneOf(prefix) === 'Europe/Brussels';
}

/** The time zone of the house, in the dialog of its connection or of a node that has one. */
function timezoneOf(prefix: FieldPrefix): string {
  if (prefix === 'node-config-input') return textFrom($(`#${prefix}-timezone`).val());
  return textFrom(RED.nodes.node(textFrom($(`#${prefix}-connection`).val()))?.['timezone']);
}

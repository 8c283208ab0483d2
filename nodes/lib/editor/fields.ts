/** A property that came with a later release: a flow that does not have it stays as it is until somebody sets it. */
import { type OpenForm, textFrom } from './open-form';
import { typedValues } from '../shared-config';
import type { EditorNode, TypedInputType, Validator } from './red';
import { matchingZones } from './form-values';
import * as checks from './checks';
import { catalogueOf } from './catalogue';
import { textValidator } from './validators';

/**
 * To be called by `oneditsave`: without its field the editor does not look at the property at all.
 * @param usual what the field says where nobody touched it
 */
export function leaveAbsent(node: object, property: string, selector: string, usual: string): void {
  if (Reflect.get(node, property) === undefined && textFrom($(selector).val()).trim() === usual) $(selector).remove();
}

// A typed input for a property `x` that keeps its type in `xType`.

/** The ways in which a value can be given in a node of this package, own ones first. */
export function typedField(property: string, ownTypes: readonly TypedInputType[] = []): void {
  const own = ownTypes.map((type) => type.value);
  const types = [...ownTypes, ...typedValues.filter((value) => !own.includes(value))];
  $(`#node-input-${property}`).typedInput({ types, typeField: `#node-input-${property}Type` });
}

/** A typed input shows a copy of its field, so a placeholder that changes has to be set on the copy. */
export function setPlaceholder(property: string, text: string): void {
  $(`#node-input-${property}`)
    .next('.red-ui-typedInput-container')
    .find('.red-ui-typedInput-input')
    .attr('placeholder', text);
}

// A text field that proposes the names of the browser's time zone database; any other name can still be typed.

export function suggestTimezones(field: JQuery): void {
  const zones = Intl.supportedValuesOf('timeZone');
  field.autoComplete({ search: (text) => matchingZones(zones, text).map((zone) => ({ value: zone, label: zone })) });
}

// The row of interval.html: how often a node asks by itself. The floor follows the connection that is chosen.

/** Per mode of a connection: the smallest interval that is allowed and the one that is proposed, in seconds. */
type IntervalLimits = Readonly<Record<string, { readonly floor: number; readonly proposed: number }>>;

/** Of a connection that is not chosen yet only the lowest floor is known. */
function limitOf(limits: IntervalLimits, connection: string): { floor: number; proposed: number | null } {
  const mode = textFrom(RED.nodes.node(connection)?.['mode']);
  const lowest = Math.min(...Object.values(limits).map((limit) => limit.floor));
  return limits[mode] ?? { floor: lowest, proposed: null };
}

/** The smallest interval that the chosen connection can bear, in seconds. */
export function floorOf(limits: IntervalLimits, connection: string): number {
  return limitOf(limits, connection).floor;
}

/**
 * @param typed the typed inputs that the node evaluates as it is set up: a node that asks by itself has no message to take
 * them from
 */
export function intervalValidator<Config>(
  nodeType: string,
  form: OpenForm,
  limits: IntervalLimits,
  typed: (node: EditorNode<Config>) => readonly string[],
): Validator<Config> {
  return textValidator(nodeType, (text, node) => {
    const verdict = checks.interval(limitOf(limits, form.textOf(node, 'connection')).floor)(text);
    if (verdict !== true || Number(text) === 0) return verdict;
    const needsMessage = typed(node).some((property) => form.textOf(node, `${property}Type`) === 'msg');
    return needsMessage ? { key: 'check.intervalNeedsMessage' } : true;
  });
}

/**
 * Shows the floor beside the field. With `initial` (what a new node stores) the proposed interval follows the connection
 * as long as nobody has typed another one.
 */
export function prepareIntervalField(nodeType: string, limits: IntervalLimits, initial?: number): void {
  const text = catalogueOf(nodeType);
  const connection = $('#node-input-connection');
  const field = $('#node-input-interval');
  let chosen = textFrom(connection.val());
  let proposals = initial === undefined ? [] : [initial, limitOf(limits, chosen).proposed];
  const showFloor = (): void => {
    $('#cemm-interval-hint').text(text('form.intervalHint', { floor: limitOf(limits, chosen).floor }));
  };
  showFloor();
  connection.on('change', () => {
    const now = textFrom(connection.val());
    if (now === chosen) return;
    chosen = now;
    const { proposed } = limitOf(limits, chosen);
    if (proposed !== null && proposals.includes(Number(field.val()))) {
      field.val(proposed).trigger('change');
      proposals = [proposed];
    }
    showFloor();
  });
}

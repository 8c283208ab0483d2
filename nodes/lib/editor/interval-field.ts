/** The row of interval.html: the polling interval. Its minimum depends on the chosen connection. */
import type { ConnectionMode } from '../../cemm-connection/config';
import { intervalFloor, own } from '../stored/field-rules';
import { createCatalogueText } from './catalogue';
import { modeOf } from './connection-form';
import { isSetByAdministrator } from './node-defaults';
import { textFrom } from './open-form';

/** Smallest interval of the chosen connection in seconds; without a connection, the smallest of all. */
export function floorOf(connection: string): number {
  return intervalFloor({ textOf: () => '', mode: modeOf(connection) });
}

/** Interval of a new node, and the suggestion per kind of connection. */
interface Proposals {
  readonly initial: number;
  readonly proposed: Readonly<Record<ConnectionMode, number>>;
}

/** Shows the minimum beside the field, and what 0 means. With proposals, the interval follows the connection until the user types another one. */
export function prepareIntervalField(nodeType: string, proposals?: Proposals): void {
  const text = createCatalogueText(nodeType);
  const connection = $('#node-input-connection');
  const field = $('#node-input-interval');
  let chosen = textFrom(connection.val());
  const hasProposals = proposals !== undefined && !isSetByAdministrator(nodeType, 'interval');
  let proposed = hasProposals ? [proposals.initial, proposalFor(chosen)] : [];
  showFloor();
  showUnit();
  field.on('input change', showUnit);
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
    const proposed: Readonly<Record<string, number>> = proposals?.proposed ?? {};
    return mode === null ? null : (own(proposed, mode) ?? null);
  }

  function showUnit(): void {
    const isZero = /^\s*0+\s*$/.test(textFrom(field.val()));
    field.nextAll('span').text(text(isZero ? 'form.onlyByMessage' : 'form.seconds'));
  }

  function showFloor(): void {
    $('#cemm-interval-hint').text(text('form.intervalHint', { floor: floorOf(chosen) }));
  }
}

/** "Meters of the house": a table of meters with name and role. "Find meters" fills it; the names are those of all nodes. */
import type { MeterDirection, NamedMeterEntry } from './admin-answers';
import { connectionRoutes } from './config';
import { houseMeters } from './meters-check';
import { findModbusMeter, foundRow, newRows, type RowTexts, splitMeterNames, textsOf, writtenRow } from './meter-texts';
import { createMeterRow, type MeterRowFields } from './editor-meter-row';
import { prepareRowList, unchangedRows } from './editor-row-list';
import { ask, onClick, readHouseMeters } from '../lib/editor/admin-calls';
import type { CatalogueText } from '../lib/editor/catalogue';
import { openDialogForm } from '../lib/editor/connection-form';

/** The suggestion for a meter whose role the monitor does not know. */
const suggestions: Readonly<Record<MeterDirection, 'production' | 'consumption' | 'battery'>> = {
  export: 'production',
  import: 'consumption',
  both: 'battery',
};

/** Names other inputs in another mode. */
const inputsOfMode = /^-?s0[23]$/i;

export interface MetersPanel {
  /** The rows as they are stored. */
  read(): readonly unknown[];
  /** Shows the row of a meter, a new one where it has none. */
  showRow(meter: string): void;
}

/**
 * @param id of the connection
 * @param stored rows of the node, as a flow file has them
 */
export function prepareMetersPanel(id: string, stored: unknown, text: CatalogueText): MetersPanel {
  const status = $('#cemm-meters-status');
  const problem = $('#cemm-meters-problem');
  const mode = $('#node-config-input-mode');
  const before = mode.val();
  let found: readonly NamedMeterEntry[] = [];

  const refresh = (): void => {
    const all = rows();
    const written = all.map((row) => row.read());
    for (const row of all) row.update(written);
    const kept = written.filter((row) => writtenRow(row) !== null);
    const result = houseMeters(JSON.stringify(kept.map(writtenRow)));
    problem.text(result === true ? '' : text(result.key, result.values));
    const wrong = result === true ? null : kept[Number(result.values?.['row']) - 1];
    all.forEach((row, index) => {
      row.mark(wrong !== undefined && wrong !== null && written[index] === wrong);
    });
    const isMoved =
      mode.val() !== before &&
      written.some(({ meter }) => meter.split(',').some((one) => inputsOfMode.test(one.trim())));
    const unreadable = mode.val() === 'remote' ? findModbusMeter(written) : null;
    const hints = [
      isMoved ? text('meters.otherInputs') : '',
      unreadable === null ? '' : text('meters.noModbus', { meter: unreadable }),
    ];
    $('#cemm-meters-mode').text(hints.filter((hint) => hint !== '').join(' '));
  };
  const { rows, add, fill } = prepareRowList($('#cemm-meters'), {
    words: { add: text('meters.add'), remove: text('meters.remove') },
    textsOf,
    createRow: (texts: RowTexts) =>
      createMeterRow(texts, { text, factsOf: (row) => foundRow(found, row), suggestions, onChange: refresh }),
    onChange: refresh,
  });
  fill(stored);
  mode.on('change', refresh);
  refresh();

  onClick($('#cemm-meters-find'), async () => {
    status.text(text('form.picks.loading'));
    const { body, problem: refusal } = await ask(connectionRoutes.houseMeters, openDialogForm(id), text);
    if (body === undefined) {
      status.text(refusal ?? '');
      return;
    }
    found = readHouseMeters(body);
    for (const texts of newRows(
      found,
      rows().map((row) => row.read()),
    ))
      add(texts);
    refresh();
    const words = text('meters.found', { count: found.length });
    status.text(refusal === null ? words : `${refusal} ${found.length > 0 ? words : ''}`.trim());
  });

  return {
    read() {
      const shown = rows().flatMap((row) => writtenRow(row.read()) ?? []);
      return unchangedRows(stored, shown, (row) => writtenRow(textsOf(row)));
    },
    showRow(meter) {
      const namesMeter = (row: MeterRowFields): boolean => splitMeterNames(row.read().meter).includes(meter);
      if (!rows().some(namesMeter)) add({ ...textsOf({}), meter });
      rows().find(namesMeter)?.focus();
    },
  };
}

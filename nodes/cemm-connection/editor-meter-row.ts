/** One row of the meters of the house: meter, name and role, and below them what the meter shows now. */
import { rowRoles } from '../../src/model/meter-rows';
import type { MeterDirection, NamedMeterEntry } from './admin-answers';
import type { RowTexts } from './meter-texts';
import type { CatalogueText } from '../lib/editor/catalogue';
import { createOption, markInput } from '../lib/editor/form-parts';
import { textFrom } from '../lib/editor/open-form';
import { describeMeter } from '../lib/editor/pick-lists';

export interface MeterRowFields {
  readonly element: JQuery;
  read(): RowTexts;
  /** @param all rows of the table: the devices that this meter may be behind */
  update(all: readonly RowTexts[]): void;
  mark(isWrong: boolean): void;
  focus(): void;
}

export interface MeterRowWords {
  readonly text: CatalogueText;
  /** The found meter of a row; null if none was found. */
  readonly factsOf: (texts: RowTexts) => NamedMeterEntry | null;
  readonly suggestions: Readonly<Record<MeterDirection, 'production' | 'consumption' | 'battery'>>;
  readonly onChange: () => void;
}

export function createMeterRow(
  first: RowTexts,
  { text, factsOf, suggestions, onChange }: MeterRowWords,
): MeterRowFields {
  const input = (key: string, value: string): JQuery =>
    $('<input>')
      .attr({ type: 'text', 'aria-label': text(key), placeholder: text(key), autocomplete: 'off' })
      .val(value);
  const meter = input('meters.meter', first.meter).addClass('cemm-meter');
  const name = input('meters.name', first.name).addClass('cemm-meter-name').attr('maxlength', 40);
  const monitor = input('meters.monitor', first.monitor).addClass('cemm-meter-monitor');
  const role = $('<select>').addClass('cemm-meter-role').attr('aria-label', text('meters.role'));
  const own = createOption('', '');
  role.append(own);
  for (const value of rowRoles)
    role.append(createOption(value, text(value === 'none' ? 'meters.none' : `form.picks.role.${value}`)));
  role.val(first.role);
  const within = $('<select>').addClass('cemm-meter-within').attr('aria-label', text('meters.within'));
  const facts = $('<span>').addClass('cemm-meter-facts');
  const suggestion = $('<button>').attr('type', 'button').addClass('cemm-pick');
  let chosenWithin = first.within;

  const read = (): RowTexts => ({
    monitor: textFrom(monitor.val()),
    meter: textFrom(meter.val()),
    name: textFrom(name.val()),
    role: textFrom(role.val()),
    within: chosenWithin,
  });
  const showFacts = (): void => {
    const found = factsOf(read());
    const ownRole = found?.role ?? null;
    own.text(
      ownRole === null ? text('meters.unknown') : text('meters.own', { role: text(`form.picks.role.${ownRole}`) }),
    );
    facts.text(found === null ? '' : describeMeter(found, text));
    const counts = found?.counts ?? null;
    const isOpen = counts !== null && role.val() === '';
    suggestion.toggle(isOpen);
    if (counts === null) return;
    const suggested = suggestions[counts];
    suggestion
      .text(text(`meters.suggest.${counts}`, { role: text(`form.picks.role.${suggested}`) }))
      .off('click')
      .on('click', () => {
        role.val(suggested).trigger('change').trigger('focus');
      });
  };
  const showDevices = (all: readonly RowTexts[]): void => {
    const { meter: ownMeter, monitor: ownMonitor } = read();
    const devices = all.filter(
      (row) => row.role === 'consumption' && row.monitor === ownMonitor && row.meter !== ownMeter && row.meter !== '',
    );
    const isMissing = chosenWithin !== '' && !devices.some((row) => row.meter === chosenWithin);
    within.empty().append(createOption('', text('meters.notBehind')));
    for (const row of devices)
      within.append(createOption(row.meter, text('meters.behind', { device: row.name || row.meter })));
    if (isMissing) within.append(createOption(chosenWithin, text('meters.behind', { device: chosenWithin })));
    within.val(chosenWithin).toggle(role.val() === 'consumption' && (devices.length > 0 || isMissing));
  };

  within.on('change', () => {
    chosenWithin = textFrom(within.val());
    onChange();
  });
  role.add(meter).add(name).add(monitor).on('change', onChange);
  meter.on('input', showFacts);

  const element = $('<div>')
    .addClass('cemm-meter-row')
    .append(meter, name, role, $('<div>').addClass('cemm-hint').append(facts, ' ', suggestion, monitor, within));
  return {
    element,
    read,
    update(all) {
      const several = all.some((row) => row.monitor !== '');
      monitor.toggle(several);
      showFacts();
      showDevices(all);
    },
    mark(isWrong) {
      markInput(meter, 'cemm-meters-problem', isWrong);
    },
    focus() {
      const target = meter.val() === '' ? meter : name;
      target.get(0)?.scrollIntoView({ block: 'center' });
      target.trigger('focus');
    },
  };
}

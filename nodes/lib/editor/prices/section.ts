/**
 * The rows of prices.html: where prices come from, and a form to enter them. The form writes JSON into the property when
 * somebody types in it, and not before.
 */
import { unusualPrices } from '../../../../src/balance/prices/prices-input';
import { parseJsonText } from '../../../../src/checks/record';
import type { CatalogueText } from '../catalogue';
import { createButton } from '../form-parts';
import { type OpenForm, textFrom } from '../open-form';
import { createPriceChart } from './chart';
import { createPriceFlowForm, housePrices } from './flow-form';
import { formOf, jsonOf, priceNames, shownNumber } from './form';
import { createRows } from './rows';
import { isLowSecond } from './tariff-order';
import { controlOf } from '../problem-lines';
import type { TypedInputType } from '../red';
import { nameTypedInput } from '../dashboard/widget-names';

/** In the order of the list of choices; the editor knows the other types. */
const ownTypes = { json: 'enter', connection: 'connection', none: 'none' } as const;

/** Prices that the chart of a list shows. */
const listed = ['import', 'export'] as const;

interface PricesOf {
  /** The kinds of prices that the node has. */
  readonly types: readonly string[];
  readonly text: CatalogueText;
  /** Id of the connection whose dialog it is. */
  readonly connection?: string;
}

/** Call from `oneditprepare`. */
export function preparePrices({ prefix }: OpenForm, { types, text, connection }: PricesOf): void {
  const field = $(`#${prefix}-prices`);
  const typeField = $(`#${prefix}-pricesType`);
  const own = Object.entries(ownTypes)
    .filter(([value]) => types.includes(value))
    .map(([value, key]): TypedInputType => ({ value, label: text(`form.price.${key}`), hasValue: false }));
  const others = types.filter((type) => !(type in ownTypes));
  field.typedInput({ types: [...own, ...others], typeField });
  nameTypedInput(field);

  const row = field.closest('.form-row');
  const note = row.children('.cemm-prices-note');
  const section = row.next('.cemm-prices');
  const box = $('<div>');
  const chart = connection === undefined ? null : createPriceChart(connection, '', text);
  if (chart !== null) note.after(chart.element);
  // The form changes the JSON that was there when it was filled in.
  let [opened, written, shownType] = ['', '', textFrom(typeField.val())];
  const rows = createRows(box, {
    prefix,
    text,
    hasList: (name) => formOf(opened, '')?.prices[name].way === 'other',
    isLowSecond: () => isLowSecond(prefix),
    listActions: (name) => {
      const [place = ''] = others;
      const take = (variable: string): void => {
        field.typedInput('type', place).typedInput('value', variable);
        controlOf(field).trigger('focus');
      };
      const button = createButton(text('form.price.takeFrom', { place: `${place}.prices` }), 'fa fa-download');
      const actions = $('<div>').append(button);
      button.on('click', () => {
        take('prices');
      });
      if (connection === undefined || name !== 'import') return actions;
      const onAdded = (): void => {
        take(housePrices);
      };
      return actions.append(createPriceFlowForm({ prefix, connection, text, prices: () => written, onAdded }));
    },
  });
  const editJson = createButton(text('form.price.json'), 'fa fa-code').on('click', () => {
    const stored = parseJsonText(textFrom(field.val()));
    RED.editor.editJSON({
      value: stored === undefined ? textFrom(field.val()) : JSON.stringify(stored, null, 4),
      focus: true,
      complete: (json) => {
        const edited = parseJsonText(json);
        field.typedInput('value', edited === undefined ? json : JSON.stringify(edited));
      },
    });
  });
  section.append(box, $('<div>').addClass('form-row').addClass('cemm-actions').append(editJson));

  const showNote = (isShown: boolean): void => {
    const chosen = textFrom($(`#${prefix}-connection`).val());
    const isOfKey = prefix === 'node-config-input' && $(`#${prefix}-mode`).val() === 'remote';
    const lines = [
      shownType === 'json' && !isShown ? text('form.price.notShown') : '',
      shownType === 'connection' ? ofConnection(chosen, text) : '',
      others.includes(shownType) ? text('form.price.hint.expression') : '',
      shownType !== 'none' && isOfKey ? text('form.price.shared') : '',
    ];
    note.text(lines.filter((line) => line !== '').join(' '));
  };
  const mark = (): void => {
    rows.mark(unusualPrices(parseJsonText(written)));
  };
  const show = (): void => {
    const type = textFrom(typeField.val());
    const isChosen = type !== shownType;
    shownType = type;
    const json = textFrom(field.val());
    const form = type === 'json' ? formOf(json, text('form.price.preset')) : null;
    section.toggle(type === 'json');
    box.toggle(form !== null);
    showNote(form !== null);
    const hasList = form !== null && listed.some((name) => form.prices[name].way === 'other');
    chart?.show(type === 'global' || hasList);
    if (form === null) return;
    if (json !== written || isChosen) {
      [opened, written] = [json, json];
      rows.show(form);
      mark();
    }
    // The list of choices is above the form, which may be below the edge of the dialog.
    if (isChosen) row[0]?.scrollIntoView({ block: 'start' });
  };
  const write = (): void => {
    written = jsonOf(rows.read(), opened);
    // Without an event: what is being typed is not wrong yet.
    field.add(controlOf(field)).val(written);
  };
  box.on('input', 'input', write);
  box.on('change', 'input, select', () => {
    write();
    mark();
    field.typedInput('value', written);
  });
  field.on('change', show);
  $(`#${prefix}-connection, #${prefix}-mode`).on('change', show);
  show();
}

/** Describes the prices of the chosen connection. */
function ofConnection(id: string, text: CatalogueText): string {
  const connection = RED.nodes.node(id);
  const [prices, pricesType] = [textFrom(connection?.['prices']), textFrom(connection?.['pricesType'])];
  if (pricesType === 'global') return text('form.price.connectionGlobal', { place: `global.${prices}` });
  if (pricesType !== 'json') return text('form.price.connectionNone');
  const form = formOf(prices, '');
  const list = priceNames.flatMap((name) => {
    const { way, first, second } = form?.prices[name] ?? { way: 'one', first: '', second: '' };
    const decimal = text('form.price.decimal');
    const numbers = [first, second]
      .flatMap((stored) => (stored === '' ? [] : shownNumber(stored, decimal)))
      .join(' / ');
    return way === 'one' && numbers === '' ? [] : [`${text(`form.price.${name}`)} ${numbers || '…'}`];
  });
  return text('form.price.connectionHas', { prices: [form?.currency ?? '', ...list].join(' · ') });
}

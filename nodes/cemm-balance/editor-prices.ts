/** The field for prices: a table for fixed prices, JSON or a typed value for others. */
import type { CatalogueText } from '../lib/editor/catalogue';
import { textFrom } from '../lib/editor/open-form';
import type { TypedInputType } from '../lib/editor/red';
import { nameTypedInput } from '../lib/editor/widget-names';
import { hasTariffs, jsonOf, priceRows, tableOf, type PriceCells, type PriceRow } from './price-table';

/** Call from `oneditprepare`. */
export function preparePrices(text: CatalogueText): void {
  const field = $('#node-input-prices');
  const none: TypedInputType = { value: 'none', label: text('prices.none'), hasValue: false };
  field.typedInput({
    types: [none, 'json', 'msg', 'flow', 'global', 'jsonata'],
    typeField: '#node-input-pricesType',
  });
  nameTypedInput(field);
  const body = $('#cemm-balance-prices');
  const currency = inputOf().attr('maxlength', 8);
  const cells = new Map(priceRows.map((row) => [row, { first: inputOf(), second: inputOf() }]));
  body.append(rowOf(text('prices.currency'), currency));
  body.append($('<tr>').append($('<th>'), $('<td>').text(text('prices.t1')), $('<td>').text(text('prices.t2'))));
  for (const [row, { first, second }] of cells) {
    const inputs = hasTariffs(row) ? [first, second] : [first];
    body.append(rowOf(text(`prices.${row}`), ...inputs));
    if (!hasTariffs(row)) continue;
    inputs.forEach((input, index) => {
      input.attr('aria-label', `${text(`prices.${row}`)} ${text(`prices.t${index + 1}`)}`);
    });
  }

  let written = '';
  const write = (): void => {
    const rows = Object.fromEntries(
      [...cells].map(([row, { first, second }]): [PriceRow, PriceCells] => [
        row,
        { first: textFrom(first.val()), second: textFrom(second.val()) },
      ]),
    ) as Record<PriceRow, PriceCells>;
    written = jsonOf({ currency: textFrom(currency.val()), rows });
    field.typedInput('value', written);
  };
  const show = (): void => {
    const type = textFrom($('#node-input-pricesType').val());
    const json = type === 'json' ? textFrom(field.typedInput('value')) : '';
    const table = type === 'json' ? tableOf(json) : null;
    $('.cemm-balance-prices').toggle(table !== null);
    $('.cemm-balance-list').toggle(type !== 'none' && table === null);
    if (table === null || json === written) return;
    currency.val(table.currency);
    for (const [row, { first, second }] of cells) {
      first.val(table.rows[row].first);
      second.val(table.rows[row].second);
    }
  };
  body.on('input', 'input', write);
  field.on('change', show);
  show();
}

function inputOf(): JQuery {
  return $('<input>').attr({ type: 'text', inputmode: 'decimal' });
}

function rowOf(label: string, ...inputs: JQuery[]): JQuery {
  for (const input of inputs) input.attr('aria-label', label);
  return $('<tr>').append($('<th>').text(label), ...inputs.map((input) => $('<td>').append(input)));
}

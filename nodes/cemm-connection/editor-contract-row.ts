/** One contract of the table: name, days, netting, and its prices in the form that balance nodes have. */
import { createRows } from '../lib/editor/prices/rows';
import { isLowSecond } from '../lib/editor/prices/tariff-order';
import type { CatalogueText } from '../lib/editor/catalogue';
import { createButton, createOption, markInput } from '../lib/editor/form-parts';
import { textFrom } from '../lib/editor/open-form';
import { createPriceChart } from '../lib/editor/prices/chart';
import { createPriceFlowForm, housePrices } from '../lib/editor/prices/flow-form';
import { formOf, jsonOf } from '../lib/editor/prices/form';
import { parseJsonText } from '../../src/checks/record';
import { unusualPrices } from '../../src/balance/prices/prices-input';
import { type ContractTexts, isNetting, mayNet, withNetting } from './contract-texts';

export interface ContractRowFields {
  readonly element: JQuery;
  read(): ContractTexts;
  mark(isWrong: boolean): void;
  focus(): void;
}

interface ContractRowParts {
  /** Id of the connection of the open dialog. */
  readonly connection: string;
  readonly text: CatalogueText;
  readonly onChange: () => void;
}

/** @param id unique in the dialog */
export function createContractRow(
  id: string,
  first: ContractTexts,
  { connection, text, onChange }: ContractRowParts,
): ContractRowFields {
  const input = (key: 'name' | 'from' | 'until' | 'global', value: string): JQuery =>
    $('<input>')
      .attr({ type: 'text', 'aria-label': text(`contracts.${key}`), placeholder: text(`contracts.${key}`) })
      .attr('autocomplete', 'off')
      .val(value);
  const name = input('name', first.name).addClass('cemm-contract-name').attr('maxlength', 40);
  const [from, until] = [input('from', first.from), input('until', first.until)].map((date) =>
    date.attr('type', 'date').addClass('cemm-contract-date'),
  );
  const place = $('<select>').attr('aria-label', text('contracts.where'));
  place
    .append(...['json', 'global'].map((type) => createOption(type, text(`contracts.${type}`))))
    .val(first.pricesType);
  const global = input('global', first.pricesType === 'global' ? first.prices : '');
  let json = first.pricesType === 'json' ? first.prices : '';
  const netting = $('<input>').attr({ type: 'checkbox', id: `${id}-netting` });
  const nettingRow = $('<div>')
    .addClass('form-row')
    .append(netting, $('<label>').addClass('cemm-choice').attr('for', `${id}-netting`).text(text('contracts.netting')));
  const takeGlobal = (): void => {
    place.val('global').trigger('change');
    global.trigger('focus');
  };
  const box = $('<div>');
  const rows = createRows(box, {
    prefix: id,
    problem: 'cemm-contracts-problem',
    text,
    hasList: (price) => formOf(json, '')?.prices[price].way === 'other',
    isLowSecond: () => isLowSecond('node-config-input'),
    listActions: (name) => {
      const button = createButton(text('contracts.takeGlobal')).on('click', takeGlobal);
      if (name !== 'import') return button;
      const onAdded = (): void => {
        global.val(housePrices);
        takeGlobal();
      };
      return $('<div>').append(
        button,
        createPriceFlowForm({ prefix: id, connection, text, prices: () => json, onAdded }),
      );
    },
  });
  const editJson = createButton(text('form.price.json')).on('click', () => {
    const stored = parseJsonText(json);
    RED.editor.editJSON({
      value: stored === undefined ? json : JSON.stringify(stored, null, 4),
      focus: true,
      complete: (edited) => {
        json = edited;
        show();
        onChange();
      },
    });
  });
  const prices = $('<details>')
    .append($('<summary>').text(text('form.prices')), nettingRow, box)
    .append($('<div>').addClass('form-row').addClass('cemm-actions').append(editJson));
  // A new contract has no price yet.
  prices.prop('open', json === '');
  const chart = createPriceChart(connection, first.name.trim(), text);

  // A box that is ticked before there is a price counts as soon as there is one.
  const isNetted = (): boolean => netting.prop('checked') === true;
  const read = (): ContractTexts => {
    const pricesType = place.val() === 'global' ? 'global' : 'json';
    return {
      name: textFrom(name.val()),
      from: textFrom(from?.val()),
      until: textFrom(until?.val()),
      pricesType,
      prices: pricesType === 'global' ? textFrom(global.val()) : withNetting(json, isNetted()),
    };
  };
  const update = (): void => {
    const isJson = read().pricesType === 'json';
    global.toggle(!isJson);
    prices.toggle(isJson);
    // The deployed connection has no list of a contract that is new in this dialog.
    chart.show(!isJson && first.name.trim() !== '');
    nettingRow.toggle(isNetted() || mayNet(read()));
    rows.mark(unusualPrices(parseJsonText(json)));
    onChange();
  };
  const show = (): void => {
    const form = formOf(json, text('form.price.preset'));
    box.toggle(form !== null);
    if (form !== null) rows.show(form);
    netting.prop('checked', isNetting(json));
  };
  box.on('input change', 'input, select', () => {
    json = jsonOf(rows.read(), json);
    update();
  });
  netting.on('change', () => {
    json = withNetting(json, isNetted());
    update();
  });
  name.add(global).on('input', onChange);
  for (const field of [from, until, place]) field?.on('change', update);
  show();
  update();

  const line = $('<div>').addClass('cemm-contract-line').append(name);
  for (const [key, date] of [
    ['from', from],
    ['until', until],
  ] as const) {
    if (date === undefined) continue;
    const words = $('<span>').text(text(`contracts.${key}`));
    line.append($('<span>').addClass('cemm-contract-day').append(words, date));
  }
  return {
    element: $('<div>').addClass('cemm-contract-row').append(line.append(place, global), chart.element, prices),
    read,
    mark(isWrong) {
      markInput(name, 'cemm-contracts-problem', isWrong);
    },
    focus() {
      name.get(0)?.scrollIntoView({ block: 'center' });
      name.trigger('focus');
    },
  };
}

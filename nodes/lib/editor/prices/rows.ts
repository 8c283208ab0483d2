/** The rows of the form for prices: a kind and one or two numbers for each price. */
import type { CatalogueText } from '../catalogue';
import { holdsVariable } from '../checks';
import { createOption, markInput } from '../form-parts';
import { textFrom } from '../open-form';
import {
  parseDecimal,
  type PriceFields,
  type PriceForm,
  priceKinds,
  type PriceName,
  priceNames,
  priceWays,
  shownNumber,
  storedNumber,
} from './form';

export interface PriceRows {
  read(): PriceForm;
  show(form: PriceForm): void;
  /** Marks what is no number, and warns of `unusual` prices, such as `import.t1`. */
  mark(unusual: readonly string[]): void;
}

export interface RowWords {
  /** Beginning of the ids of the fields. */
  readonly prefix: string;
  /** Id of the line that says what is wrong; default: that of the property. */
  readonly problem?: string;
  readonly text: CatalogueText;
  /** A list is in the JSON that is stored. */
  readonly hasList: (name: PriceName) => boolean;
  /** In Belgium t1 is the normal tariff, in the Netherlands the low one. */
  readonly isLowSecond: () => boolean;
  /** Buttons for a price that is a list. */
  readonly listActions: (name: PriceName) => JQuery;
}

interface Row {
  readonly way: JQuery;
  readonly first: JQuery;
  readonly second: JQuery;
  /** Follows the kind of price. */
  readonly update: () => void;
  readonly warning: JQuery;
}

/** Prices with a hint below them. */
const hinted: readonly PriceName[] = ['import', 'export', 'export_fee', 'per_day', 'per_year', 'peak'];

export function createRows(box: JQuery, words: RowWords): PriceRows {
  const { prefix, text, problem = `${prefix}-prices-problem` } = words;
  const currency = inputOf(`${prefix}-price-currency`).attr('maxlength', 8);
  box.append(createFormRow(`${prefix}-price-currency`, text('form.price.currency'), currency));
  const rare = $('<details>').append($('<summary>').text(text('form.price.capacity')));
  const rows = new Map(
    priceNames.map((name) => {
      const { row, place } = createRow(name, words);
      place.appendTo(priceKinds[name] === 'peak' ? rare : box);
      return [name, row];
    }),
  );
  box.append(rare);

  const fieldsOf = ({ way, first, second }: Row): PriceFields => ({
    way: priceWays.find((known) => known === way.val()) ?? 'one',
    first: storedNumber(textFrom(first.val())),
    second: storedNumber(textFrom(second.val())),
  });
  const shownIn = (stored: string): string => shownNumber(stored, text('form.price.decimal'));

  return {
    read: () => ({
      currency: textFrom(currency.val()),
      prices: Object.fromEntries([...rows].map(([name, row]) => [name, fieldsOf(row)])) as PriceForm['prices'],
    }),
    show({ currency: shown, prices }) {
      currency.val(shown);
      for (const [name, { way, first, second, update }] of rows) {
        first.val(shownIn(prices[name].first));
        second.val(shownIn(prices[name].second));
        way.val(prices[name].way);
        update();
      }
      const { way, first, second } = prices.peak;
      rare.prop('open', way === 'other' || first !== '' || second !== '');
    },
    mark(unusual) {
      for (const [name, row] of rows) {
        const { way, first, second } = fieldsOf(row);
        const isPair = way === 'tariffs' && (first + second).trim() !== '';
        markInput(row.first, problem, way !== 'other' && isWrong(first, isPair));
        markInput(row.second, problem, (isPair || priceKinds[name] === 'peak') && isWrong(second, isPair));
        const isCents = unusual.some((path) => new RegExp(`^${name}\\b`).test(path));
        row.warning.text(isCents ? text('form.price.cents') : '');
      }
    },
  };
}

function createRow(
  name: PriceName,
  { prefix, text, hasList, isLowSecond, listActions }: RowWords,
): { row: Row; place: JQuery } {
  const id = `${prefix}-price-${name}`;
  const label = text(`form.price.${name}`);
  const kind = priceKinds[name];
  const caption = (key: string): JQuery => $('<span>').text(text(`form.price.${key}`));
  const [first, second] = [inputOf(id), inputOf(`${id}-2`)];
  // A price of one kind has a list of kinds, too, which is not shown.
  const way = $('<select>').attr({ id: `${id}-way`, 'aria-label': text('form.price.kindOf', { price: label }) });
  way.append(...priceWays.map((value) => createOption(value, text(`form.price.way.${value}`))));
  const [t1, t2, kept] = [$('<span>'), $('<span>'), caption('kept')];
  const list = $('<div>').addClass('cemm-hint');
  const tariffs = $('<div>').addClass('cemm-hint').text(text('form.price.hint.tariffs'));
  const warning = $('<div>').addClass('cemm-hint cemm-warning').attr('role', 'status');
  const fields = $('<div>').addClass('cemm-price');
  const part = (...content: readonly JQuery[]): JQuery =>
    $('<span>')
      .addClass('cemm-price-part')
      .append(...content);
  const [firstPart, secondPart] =
    kind === 'peak'
      ? [part(first, caption('per_kw_year')), part(second, caption('at_least_kw'))]
      : [part(t1, first), part(t2, second)];
  fields.append(...(kind === 'peak' ? [] : [way]), firstPart, secondPart, kept);
  const update = (): void => {
    const chosen = textFrom(way.val());
    const isStored = hasList(name);
    way.toggle(kind === 'energy');
    for (const shown of [t1, tariffs]) shown.toggle(chosen === 'tariffs');
    firstPart.toggle(chosen !== 'other');
    secondPart.toggle(chosen === 'tariffs' || (kind === 'peak' && chosen !== 'other'));
    kept.toggle(chosen === 'other' && isStored);
    list.empty().toggle(chosen === 'other' && !isStored);
    if (chosen === 'other' && !isStored) list.append(text('form.price.hint.list'), ' ', listActions(name));
    const tariffNames = isLowSecond() ? ['normalFirst', 'lowSecond'] : ['lowFirst', 'normalSecond'];
    [t1, t2].forEach((words, index) => words.text(text(`form.price.${tariffNames[index] ?? ''}`)));
    const captions = kind === 'peak' ? ['per_kw_year', 'at_least_kw'] : chosen === 'tariffs' ? tariffNames : [];
    [first, second].forEach((input, index) => {
      const words = captions[index];
      input.attr('aria-label', words === undefined ? label : `${label} ${text(`form.price.${words}`)}`);
    });
  };
  way.on('change', update);
  const place = createFormRow(id, label, fields).append(warning, tariffs, list);
  if (hinted.includes(name))
    place.append(
      $('<div>')
        .addClass('cemm-hint')
        .text(text(`form.price.hint.${name}`)),
    );
  return { row: { way, first, second, update, warning }, place };
}

/** @param isNeeded blank is wrong, too */
function isWrong(written: string, isNeeded: boolean): boolean {
  if (written.trim() === '') return isNeeded;
  return typeof parseDecimal(written) !== 'number' && !holdsVariable(written);
}

function inputOf(id: string): JQuery {
  return $('<input>').attr({ type: 'text', id, inputmode: 'decimal', autocomplete: 'off' });
}

function createFormRow(id: string, label: string, fields: JQuery): JQuery {
  const place = fields.is('input') ? $('<div>').addClass('cemm-price').append(fields) : fields;
  return $('<div>').addClass('form-row').append($('<label>').attr('for', id).text(label), place);
}

/** The list of prices that the deployed connection has now: from when until when, a chart of today, and its holes. */
import { connectionRoutes } from '../../../cemm-connection/config';
import type { ListedTime, PriceListEntry } from '../../../cemm-connection/admin-answers';
import { ask, readPriceList, readPriceListState, textMember } from '../admin-calls';
import type { CatalogueText } from '../catalogue';

export interface PriceChart {
  readonly element: JQuery;
  /** The list is read when it is shown for the first time. */
  show(isShown: boolean): void;
}

const [width, height] = [480, 60];

/**
 * @param connection id of the connection of the open dialog
 * @param contract name of one of its contracts; blank: the prices of the connection
 */
export function createPriceChart(connection: string, contract: string, text: CatalogueText): PriceChart {
  const element = $('<div>').addClass('cemm-hint cemm-price-chart').attr('role', 'status').hide();
  let isRead = false;
  const read = async (): Promise<void> => {
    const { body, problem } = await ask(connectionRoutes.priceList, { id: connection, contract }, text);
    const list = readPriceList(body);
    const place = textMember(body, 'place') ?? '';
    if (problem !== null) element.text(problem);
    else if (list === null) element.text(text(`form.price.chart.${readPriceListState(body)}`, { place }));
    else element.empty().append(...describeList(list, text));
  };
  return {
    element,
    show(isShown) {
      element.toggle(isShown);
      if (!isShown || isRead) return;
      isRead = true;
      void read();
    },
  };
}

function describeList(list: PriceListEntry, text: CatalogueText): JQuery[] {
  const language = text('language.code');
  const clock = new Intl.DateTimeFormat(language, { timeZone: list.timezone, hour: '2-digit', minute: '2-digit' });
  const date = new Intl.DateTimeFormat(language, {
    timeZone: list.timezone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  });
  const words = (key: string, values: Readonly<Record<string, string>>): JQuery =>
    $('<div>').text(text(`form.price.chart.${key}`, values));
  const { from, until, holes, holeCount } = list;
  const range =
    until === null
      ? words('open', { from: date.format(from) })
      : words('range', { from: date.format(from), until: date.format(until) });
  const holeTimes = holes.map(({ start, end }) => date.formatRange(start, end)).join('; ');
  const more =
    holeCount > holes.length ? ` ${text('form.price.chart.more', { count: String(holeCount - holes.length) })}` : '';
  const today = describeDay(list, clock, text);
  return [
    range,
    $('<div>').text(today),
    ...(list.day.some(({ value }) => value !== null) ? [drawPrices(list, today)] : []),
    ...(holes.length === 0 ? [] : [words('holes', { holes: `${holeTimes}${more}` })]),
  ];
}

/** The lowest and the highest price of today, each with its first time. */
function describeDay(
  { day, currency, isImport }: PriceListEntry,
  clock: Intl.DateTimeFormat,
  text: CatalogueText,
): string {
  const known = day.flatMap(({ start, value }) => (value === null ? [] : [{ start, value }]));
  const [first, ...others] = known;
  if (first === undefined) return text('form.price.chart.noDay');
  const low = others.reduce((one, other) => (other.value < one.value ? other : one), first);
  const high = others.reduce((one, other) => (other.value > one.value ? other : one), first);
  const number = new Intl.NumberFormat(text('language.code'), { minimumFractionDigits: 2, maximumFractionDigits: 4 });
  return text(`form.price.chart.${isImport ? 'day' : 'dayExport'}`, {
    low: number.format(low.value),
    lowAt: clock.format(low.start),
    high: number.format(high.value),
    highAt: clock.format(high.start),
    currency,
  });
}

/** A bar for each price, down for one below 0; a time without a price is hatched. */
function drawPrices({ day, now }: PriceListEntry, label: string): JQuery {
  const [first, last] = [day[0]?.start ?? 0, day.at(-1)?.end ?? 1];
  const values = day.flatMap(({ value }) => value ?? []);
  const [least, most] = values.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [0, 0]);
  const x = (at: number): number => ((at - first) / (last - first)) * width;
  const y = (value: number): number => ((most - value) / (most - least || 1)) * height;
  const chart = element('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label });
  for (const { start, end, value } of day) {
    const [top, bottom] = value === null ? [0, height] : [y(Math.max(0, value)), y(Math.min(0, value))];
    chart.append(bar({ start, end }, value === null ? 'cemm-price-hole' : 'cemm-price-bar', x, top, bottom));
  }
  const line = { x1: x(now), x2: x(now), y1: 0, y2: height, class: 'cemm-price-now' };
  chart.append(element('line', line));
  return $('<div>').append(chart);
}

function bar(
  { start, end }: ListedTime,
  kind: string,
  x: (at: number) => number,
  top: number,
  bottom: number,
): SVGElement {
  const gap = 0.5;
  const size = { x: x(start) + gap / 2, y: top, width: x(end) - x(start) - gap, height: Math.max(1, bottom - top) };
  return element('rect', { ...size, class: kind });
}

function element(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}

/** Whether the numbers on the page agree with each other as they are printed. */
import { type Say, type TextKey, texting, languageOf } from '../../../nodes/cemm-page/page/draw/texts';
import type { ShownCard } from './shown-card';

/** A printed number. */
interface Printed {
  readonly value: number;
  /** The place of its last digit: 0.1 of `1.5`. */
  readonly unit: number;
}

interface Reader {
  readonly say: Say;
  /** Null for a dash. */
  readonly read: (text: string | undefined) => Printed | null;
}

type Named = readonly { readonly name: string; readonly text: string }[];

/** Added to and subtracted from the use of the house. */
const parts: readonly { readonly key: TextKey; readonly sign: 1 | -1 }[] = [
  { key: 'import', sign: 1 },
  { key: 'production', sign: 1 },
  { key: 'discharged', sign: 1 },
  { key: 'export', sign: -1 },
  { key: 'charged', sign: -1 },
];

/** @returns one line for each disagreement */
export function wrongSums(cards: readonly ShownCard[], language: string): string[] {
  const reader: Reader = { say: texting(languageOf(language)), read: readerOf(language) };
  return [
    ...cards.flatMap((card) => [
      ...ofScene(reader, card),
      ...(isPartlyMeasured(reader, card)
        ? []
        : [...ofParts(reader, card.tiles, card.title), ...ofShares(reader, card)]),
      ...ofCompared(reader, card),
      ...ofCost(reader, card),
      ...ofTable(reader, card),
    ]),
    ...(cards.some((card) => isPartlyMeasured(reader, card)) ? [] : ofBars(reader, cards)),
    ...ofBill(reader, cards),
    ...ofTotals(reader, cards),
  ];
}

function readerOf(language: string): Reader['read'] {
  const formatted = new Intl.NumberFormat(language).formatToParts(-1234567.5);
  const sign = (type: string): string => formatted.find((one) => one.type === type)?.value ?? '';
  const [group, decimal] = [sign('group'), sign('decimal')];
  const pattern = new RegExp(`([-−])?[^\\d−-]{0,2}(\\d[\\d${group}]*(?:[${decimal}](\\d+))?)`);
  return (text = '') => {
    const [, minus = '', digits = '', decimals = ''] = pattern.exec(text) ?? [];
    if (digits === '') return null;
    const value = Number(digits.replaceAll(group, '').replace(decimal, '.'));
    return { value: minus === '' ? value : -value, unit: 10 ** -decimals.length };
  };
}

function isPartlyMeasured({ say }: Reader, { tiles }: ShownCard): boolean {
  const [, after = ''] = say('measured', '|').split('|');
  return tiles.some(({ notes }) => notes.some((note) => note.endsWith(after) && !note.includes(':')));
}

function ofScene({ say, read }: Reader, { scene }: ShownCard): string[] {
  if (scene === null) return [];
  const below = [say('toGrid'), say('charges')];
  const shown = scene.parts.map(({ name, text, note }) => ({
    name,
    at: read(text),
    sign: below.includes(note) ? -1 : 1,
  }));
  const house = shown.find(({ name }) => name === say('house'))?.at ?? null;
  const others = shown.filter(({ name }) => name !== say('house'));
  if (house === null || others.some(({ at }) => at === null)) return [];
  const sum = others.reduce((all, { at, sign }) => all + sign * (at?.value ?? 0), 0);
  return isSame(sum, house.value, house.unit) ? [] : [`the house uses ${house.value}, its parts ${sum}`];
}

/** Exact: the printed parts add up to the printed use, unless some were measured for a shorter time. */
function ofParts({ say, read }: Reader, tiles: Named, place: string): string[] {
  const textFor = (key: TextKey): string | undefined => tiles.find(({ name }) => name === say(key))?.text;
  const used = read(textFor('used'));
  const shown = parts.flatMap(({ key, sign }) => {
    const text = textFor(key);
    return text === undefined ? [] : [{ sign, at: read(text) }];
  });
  if (used === null || shown.length === 0 || shown.some(({ at }) => at === null)) return [];
  const sum = shown.reduce((all, { at, sign }) => all + sign * (at?.value ?? 0), 0);
  return isSame(sum, used.value, used.unit) ? [] : [`${place}: used ${used.value}, its parts ${sum.toFixed(2)}`];
}

/** The amounts of the other period, below those of this one. */
function ofCompared(reader: Reader, { tiles, title }: ShownCard): string[] {
  const compared = tiles.flatMap(({ name, notes }) => {
    const text = notes.find((note) => /: \D*\d\D*/.test(note));
    return text === undefined ? [] : [{ name, text: text.slice(text.lastIndexOf(':') + 1) }];
  });
  return ofParts(reader, compared, `${title}, compared`);
}

/** A percentage lies between those of the least and of the largest amounts that are printed like this. */
function ofShares({ say, read }: Reader, { tiles, title }: ShownCard): string[] {
  const tileOf = (key: TextKey) => tiles.find(({ name }) => name === say(key));
  if (tileOf('discharged') !== undefined) return [];
  const check = (what: string, text: string | undefined, whole: TextKey, rest: TextKey): string[] => {
    const [share, all, other] = [read(text), read(tileOf(whole)?.text), read(tileOf(rest)?.text)];
    if (share === null || all === null || other === null || all.value <= all.unit) return [];
    const of = (by: number): number => (100 * (all.value + by - (other.value - by))) / (all.value + by);
    const isWithin = share.value >= Math.floor(of(-all.unit)) && share.value <= Math.min(100, of(all.unit));
    return isWithin && share.value >= 0 ? [] : [`${title}: ${what} ${share.value} %, not ${of(0).toFixed(1)}`];
  };
  const [, after = ''] = say('selfUsed', '|').split('|');
  return [
    ...check('self-sufficiency', tileOf('sufficiency')?.text, 'used', 'import'),
    ...check(
      'own use',
      tileOf('production')?.notes.find((note) => note.endsWith(after)),
      'production',
      'export',
    ),
  ];
}

function isCost({ say }: Reader, { table }: ShownCard): boolean {
  return table?.heads[0] === say('costPart') && table.hasSum;
}

function ofCost(reader: Reader, card: ShownCard): string[] {
  if (!isCost(reader, card)) return [];
  const values = (card.table?.rows ?? []).map((row) => reader.read(row[1])?.value ?? NaN);
  const total = values.at(-1) ?? NaN;
  const sum = values.slice(0, -1).reduce((all, value) => all + value, 0);
  return isSame(sum, total, 0.01) ? [] : [`${card.title}: total ${total}, its parts ${sum.toFixed(2)}`];
}

/** The rows are rounded one by one, so the total may differ by half a digit for each. */
function ofTable(reader: Reader, card: ShownCard): string[] {
  if (card.table?.hasSum !== true || isCost(reader, card)) return [];
  const { heads, rows } = card.table;
  const [body, totals] = [rows.slice(0, -1), rows.at(-1) ?? []];
  const columns = heads.slice(1).flatMap((head, index) => {
    const total = reader.read(totals[index + 1]);
    if (total === null) return [];
    const sum = body.reduce((all, row) => all + (reader.read(row[index + 1])?.value ?? 0), 0);
    const most = (total.unit * (body.length + 1)) / 2;
    return Math.abs(sum - total.value) <= most ? [] : [`${head}: total ${total.value}, its rows ${sum.toFixed(2)}`];
  });
  const named = (row: readonly string[]): Named =>
    heads.map((head, index) => ({ name: head.replace(/ \(.*/, ''), text: row[index] ?? '' }));
  return [...columns, ...ofParts(reader, named(totals), `${card.title}, total`)];
}

/** kWh that an inverter takes in the night of a day: these hours have no bar. */
const nightUse = 0.3;

/** Bars, by the ticks beside them, against the number of the same thing. */
function ofBars({ say, read }: Reader, cards: readonly ShownCard[]): string[] {
  return cards.flatMap((card, index) => {
    const { chart } = card;
    const tiles = [card, ...cards.slice(0, index).reverse()].find((one) => one.tiles.length > 0)?.tiles ?? [];
    const [lowest, highest] = [chart?.ticks[0], chart?.ticks.at(-1)];
    const [from, to] = [read(lowest?.text), read(highest?.text)];
    if (chart === null || lowest === undefined || highest === undefined || from === null || to === null) return [];
    if (new Set(chart.ticks.map(({ text }) => text)).size < chart.ticks.length)
      return [`${card.title}: the same tick twice`];
    if (chart.rects.length === 0) return [];
    const scale = (to.value - from.value) / (lowest.y - highest.y);
    const zero = lowest.y + from.value / scale;
    const sumOf = (colour: string, isBelow: boolean): number =>
      chart.rects
        .filter((bar) => bar.colour === colour && bar.y + bar.height > zero + 0.01 === isBelow)
        .reduce((all, { height }) => all + height * scale, 0);
    const tileOf = (key: TextKey): Printed | null => read(tiles.find(({ name }) => name === say(key))?.text);
    const check = (key: TextKey, colour: string, isBelow = false): string[] => {
      const at = tileOf(key);
      const sum = sumOf(colour, isBelow);
      if (at === null) return [];
      const most = 1.5 * at.unit + 0.001 * scale * chart.rects.length;
      return Math.abs(sum - at.value) <= most ? [] : [`${card.title}: ${key} ${at.value}, its bars ${sum.toFixed(3)}`];
    };
    const [produced, given] = [tileOf('production'), tileOf('export')];
    const hasBattery = tiles.some(({ name }) => name === say('discharged'));
    const ownUse = sumOf('production', false);
    const own = produced === null || given === null || hasBattery ? ownUse : produced.value - given.value;
    const isOf = (colour: string): boolean => chart.rects.some((bar) => bar.colour === colour);
    if (isOf('gas')) return check('gas', 'gas');
    if (isOf('water')) return check('water', 'water');
    return [
      ...check('import', 'import'),
      ...check('export', 'export', true),
      ...check('discharged', 'battery'),
      ...check('charged', 'battery', true),
      ...(own - ownUse <= 3 * (produced?.unit ?? 1) && ownUse - own < nightUse + 3 * (produced?.unit ?? 1)
        ? []
        : [`${card.title}: own use ${own}, its bars ${ownUse}`]),
    ];
  });
}

/** The sentence of the bill, its two amounts and the table below it. */
function ofBill({ say, read }: Reader, cards: readonly ShownCard[]): string[] {
  const card = cards.find(({ sentence }) => sentence.includes('€'));
  if (card === undefined) return [];
  const tileOf = (key: TextKey) => read(card.tiles.find(({ name }) => name === say(key))?.text)?.value ?? NaN;
  const [netted, total] = [tileOf('netted'), tileOf('unnetted')];
  const amounts = [...card.sentence.matchAll(/[-−]?€\s?[-−]?\d[\d.,]*\d|[-−]?\d[\d.,\u202f]*\d\s?€/g)].map(
    ([text]) => read(text)?.value,
  );
  const [saysTotal = NaN, saysNetted = saysTotal, saysMore = 0] = amounts;
  const isRight =
    isSame(saysTotal, total, 0.01) &&
    isSame(saysNetted, netted, 0.01) &&
    isSame(Math.abs(total - netted), saysMore, 0.01);
  return isRight ? [] : [`${card.sentence} beside ${netted} and ${total}`];
}

/** The same thing has the same number in all cards. */
function ofTotals(reader: Reader, cards: readonly ShownCard[]): string[] {
  const { say, read } = reader;
  const costs = cards.filter((card) => isCost(reader, card));
  const [numbers] = cards.filter(({ tiles }) => tiles.length > 0);
  const tile = numbers?.tiles.find(({ name }) => name === say('cost') || name === say('unnetted'));
  return costs.flatMap(({ table }) => {
    const total = table?.rows.at(-1)?.[1];
    const isSameText = tile === undefined || read(tile.text)?.value === read(total)?.value;
    return isSameText ? [] : [`cost ${tile.text}, in the table ${total ?? ''}`];
  });
}

function isSame(one: number, other: number, unit: number): boolean {
  return Math.abs(one - other) < unit / 2;
}

/** Whether the numbers on the page agree with each other as they are printed. */
import { type Say, type TextKey, texting } from '../../../nodes/cemm-page/page/draw/texts';
import { textsFor } from './sheet';
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

/** @returns one line for each disagreement */
export function wrongSums(cards: readonly ShownCard[], language: string): string[] {
  const reader: Reader = { say: texting(textsFor(language)), read: readerOf(language) };
  const figures = cards.flatMap((card, index) => {
    const hero = cards.slice(0, index + 1).findLast((one) => one.hero !== null)?.hero ?? null;
    const isWhole = card.when?.isChosen !== true && hero !== null && !isPartlyMeasured(reader, card, hero);
    const isUse = hero?.name.startsWith(reader.say('used')) === true;
    return card.tiles.length > 0 && hero !== null && isWhole && isUse ? [{ card, hero }] : [];
  });
  return [
    ...cards.flatMap((card) => [...ofFlow(reader, card), ...ofCost(reader, card), ...ofTable(reader, card)]),
    ...cards.flatMap(ofTicks),
    ...figures.flatMap(({ card, hero }) => [
      ...ofFigures(reader, card, hero),
      ...ofShares(reader, card, hero),
      ...ofBars(reader, card),
    ]),
    ...(hasChosenBar(cards) ? [] : cards.flatMap((card) => ofVolume(reader, card))),
    ...ofBill(reader, cards),
    ...ofTotals(reader, cards),
  ];
}

function readerOf(language: string): Reader['read'] {
  const formatted = new Intl.NumberFormat(language).formatToParts(-1234567.5);
  const findSign = (type: string): string => formatted.find((one) => one.type === type)?.value ?? '';
  const [group, decimal] = [findSign('group'), findSign('decimal')];
  const pattern = new RegExp(`([-−])?[^\\d−-]{0,2}(\\d[\\d${group}]*(?:[${decimal}](\\d+))?)`);
  return (text = '') => {
    const [, minus = '', digits = '', decimals = ''] = pattern.exec(text) ?? [];
    if (digits === '') return null;
    const value = Number(digits.replaceAll(group, '').replace(decimal, '.'));
    return { value: minus === '' ? value : -value, unit: 10 ** -decimals.length };
  };
}

function isPartlyMeasured({ say }: Reader, { tiles }: ShownCard, hero: NonNullable<ShownCard['hero']>): boolean {
  const [, after = ''] = say('measured', '|').split('|');
  return [hero, ...tiles].some(({ notes }) => notes.some((note) => note.endsWith(after) && !note.includes(':')));
}

/** The number in a note such as `of 9.7 kWh`. */
function inNote({ say, read }: Reader, notes: readonly string[], key: TextKey): Printed | null {
  const [before = '', after = ''] = say(key, '|').split('|');
  return read(notes.find((note) => note.startsWith(before) && note.endsWith(after)));
}

function ofFlow({ say, read }: Reader, { flow }: ShownCard): string[] {
  if (flow === null) return [];
  const inWatt = (text: string): Printed | null => {
    const at = read(text);
    const factor = text.endsWith('kW') ? 1000 : 1;
    return at === null ? null : { value: at.value * factor, unit: at.unit * factor };
  };
  const below = [say('toGrid'), say('charges')];
  const sources = flow.nodes
    .filter(({ key }) => ['sun', 'grid', 'battery'].includes(key))
    .map(({ name, text }) => ({ at: inWatt(text), sign: below.includes(name.split(' · ').at(-1) ?? '') ? -1 : 1 }));
  const house = inWatt(`${flow.house.text}\u00a0${flow.house.unit}`);
  if (house === null || sources.some(({ at }) => at === null)) return [];
  const sum = sources.reduce((all, { at, sign }) => all + sign * (at?.value ?? 0), 0);
  return isWithinUnit(sum, house.value, house.unit) ? [] : [`the house uses ${house.value}, its parts ${sum}`];
}

/** Exact: the printed parts add up to the printed use, and own use and export to what the sun gave. */
function ofFigures(reader: Reader, card: ShownCard, hero: NonNullable<ShownCard['hero']>): string[] {
  const { say, read } = reader;
  const tileOf = (key: TextKey) => card.tiles.find(({ name }) => name === say(key));
  const readTile = (key: TextKey): Printed | null => read(tileOf(key)?.text);
  const used = read(hero.text);
  const own = tileOf('ownUse');
  const made = own === undefined ? { value: 0, unit: 0 } : inNote(reader, own.notes, 'ofSun');
  const battery = tileOf('discharged');
  const charged = battery === undefined ? { value: 0, unit: 0 } : inNote(reader, battery.notes, 'chargedBy');
  const [taken, given] = [
    readTile('import'),
    tileOf('export') === undefined ? { value: 0, unit: 0 } : readTile('export'),
  ];
  const discharged = battery === undefined ? { value: 0, unit: 0 } : readTile('discharged');
  const all = [used, made, charged, taken, given, discharged];
  if (all.includes(null) || used === null) return [];
  const value = (one: Printed | null): number => one?.value ?? 0;
  const sum = value(taken) + value(made) - value(given) + value(discharged) - value(charged);
  const difference = value(made) - value(given);
  return [
    ...(isWithinUnit(sum, used.value, used.unit)
      ? []
      : [`${card.title}: used ${used.value}, its parts ${sum.toFixed(2)}`]),
    ...(own === undefined || battery !== undefined || isWithinUnit(difference, value(readTile('ownUse')), used.unit)
      ? []
      : [`${card.title}: own use ${value(readTile('ownUse'))}, not ${difference.toFixed(2)}`]),
  ];
}

/** A percentage lies between those of the least and of the largest amounts that are printed like this. */
function ofShares({ say, read }: Reader, card: ShownCard, hero: NonNullable<ShownCard['hero']>): string[] {
  const tileOf = (key: TextKey) => card.tiles.find(({ name }) => name === say(key));
  if (tileOf('discharged') !== undefined) return [];
  const [share, all, other] = [read(tileOf('sufficiency')?.text), read(hero.text), read(tileOf('import')?.text)];
  if (share === null || all === null || other === null || all.value <= all.unit) return [];
  const of = (by: number): number => (100 * (all.value + by - (other.value - by))) / (all.value + by);
  const isWithin = share.value >= Math.floor(of(-all.unit)) && share.value <= Math.min(100, of(all.unit));
  return isWithin && share.value >= 0
    ? []
    : [`${card.title}: self-sufficiency ${share.value} %, not ${of(0).toFixed(1)}`];
}

function ofCost({ read }: Reader, { shares, title }: ShownCard): string[] {
  if (shares?.sum === null || shares === null) return [];
  const total = read(shares.sum.text)?.value ?? NaN;
  const sum = shares.list.reduce((all, { text }) => all + (read(text)?.value ?? 0), 0);
  return isWithinUnit(sum, total, 0.01) ? [] : [`${title}: total ${total}, its parts ${sum.toFixed(2)}`];
}

/** The rows are rounded one by one, so the total may differ by half a digit for each. */
function ofTable(reader: Reader, card: ShownCard): string[] {
  const { say } = reader;
  if (card.table?.hasSum !== true || card.title.startsWith(say('costPart'))) return [];
  const { heads, rows } = card.table;
  const [body, totals] = [rows.slice(0, -1), rows.at(-1) ?? []];
  return heads.slice(1).flatMap((head, index) => {
    const total = reader.read(totals[index + 1]);
    if (total === null) return [];
    const sum = body.reduce((all, row) => all + (reader.read(row[index + 1])?.value ?? 0), 0);
    const most = (total.unit * (body.length + 1)) / 2;
    return Math.abs(sum - total.value) <= most ? [] : [`${head}: total ${total.value}, its rows ${sum.toFixed(2)}`];
  });
}

/** kWh that an inverter takes in the night of a day: these hours have no bar. */
const nightUse = 0.3;

/** Height of a chart by its ticks. */
function scaleOf(
  { read }: Reader,
  { chart }: ShownCard,
): { readonly zero: number; readonly perPercent: number } | null {
  const [lowest, highest] = [chart?.ticks[0], chart?.ticks.at(-1)];
  const [from, to] = [read(lowest?.text), read(highest?.text)];
  if (lowest === undefined || highest === undefined || from === null || to === null) return null;
  const perPercent = (to.value - from.value) / (lowest.y - highest.y);
  return { perPercent, zero: lowest.y + from.value / perPercent };
}

function ofTicks({ chart, title }: ShownCard): string[] {
  const texts = chart?.ticks.map(({ text }) => text) ?? [];
  return new Set(texts).size < texts.length ? [`${title}: the same tick twice`] : [];
}

function barsIn(reader: Reader, card: ShownCard, colour: string, isBelow: boolean): number {
  const scale = scaleOf(reader, card);
  if (scale === null) return 0;
  return (card.chart?.rects ?? [])
    .filter((bar) => bar.colour === colour && bar.y + bar.height > scale.zero + 0.01 === isBelow)
    .reduce((all, { height }) => all + height * scale.perPercent, 0);
}

/** Bars, by the ticks beside them, against the number of the same thing. */
function ofBars(reader: Reader, card: ShownCard): string[] {
  const { say, read } = reader;
  const scale = scaleOf(reader, card);
  const count = card.chart?.rects.length ?? 0;
  if (scale === null || count === 0) return [];
  const tileOf = (key: TextKey) => card.tiles.find(({ name }) => name === say(key));
  const check = (key: TextKey, at: Printed | null, colour: string, isBelow = false): string[] => {
    const sum = barsIn(reader, card, colour, isBelow);
    if (at === null) return [];
    const night = key === 'ownUse' ? nightUse : 0;
    const most = 1.5 * at.unit + 0.001 * scale.perPercent * count + night;
    return Math.abs(sum - at.value) <= most ? [] : [`${card.title}: ${key} ${at.value}, its bars ${sum.toFixed(3)}`];
  };
  return [
    ...check('import', read(tileOf('import')?.text), 'import'),
    ...check('ownUse', read(tileOf('ownUse')?.text), 'production'),
    ...check('export', read(tileOf('export')?.text), 'export', true),
    ...check('discharged', read(tileOf('discharged')?.text), 'battery'),
    ...check('charged', inNote(reader, tileOf('discharged')?.notes ?? [], 'chargedBy'), 'battery', true),
  ];
}

/** The amounts are those of one bar. */
function hasChosenBar(cards: readonly ShownCard[]): boolean {
  return cards.some(({ when }) => when?.isChosen === true);
}

/** Gas and water: the amount beside the title. */
function ofVolume(reader: Reader, card: ShownCard): string[] {
  const at = reader.read(card.note);
  const colour = (['gas', 'water'] as const).find((one) => card.chart?.rects.some((bar) => bar.colour === one));
  if (at === null || colour === undefined || card.tiles.length > 0) return [];
  const scale = card.note.endsWith('L') ? 0.001 : 1;
  const sum = barsIn(reader, card, colour, false);
  const most =
    1.5 * at.unit * scale + 0.001 * (scaleOf(reader, card)?.perPercent ?? 0) * (card.chart?.rects.length ?? 0);
  return Math.abs(sum - at.value * scale) <= most ? [] : [`${card.title}: ${card.note}, its bars ${sum.toFixed(3)}`];
}

/** The sentence of netting, and the table of the parts of each contract. */
function ofBill({ say, read }: Reader, cards: readonly ShownCard[]): string[] {
  const table = cards.find(({ title }) => title.startsWith(say('costPart')))?.table ?? null;
  const rowOf = (key: TextKey): readonly string[] | undefined => table?.rows.find(([name]) => name === say(key));
  const total = rowOf('totalUnnetted') ?? rowOf('total');
  if (table === null || total === undefined) return [];
  const parts = table.rows.slice(0, table.rows.indexOf(total));
  const wrong = table.heads.slice(1).flatMap((head, index) => {
    const at = read(total[index + 1]);
    const sum = parts.reduce((all, row) => all + (read(row[index + 1])?.value ?? 0), 0);
    return at === null || isWithinUnit(sum, at.value, at.unit) ? [] : [`${head}: total ${at.value}, its parts ${sum}`];
  });
  const sentence = cards.find(({ title }) => title === say('netting'))?.sentence ?? '';
  const [without, netted, more] = [
    ...sentence.matchAll(/[-−]?€\s?[-−]?\d[\d.,\u202f]*\d?|[-−]?\d[\d.,\u202f]*\s?€/g),
  ].map(([text]) => read(text)?.value ?? NaN);
  if (without === undefined || netted === undefined || more === undefined) return wrong;
  const shown = [total[1], rowOf('totalNetted')?.[1]].map((text) => read(text)?.value ?? NaN);
  const isRight = shown[0] === without && shown[1] === netted && isWithinUnit(Math.abs(without - netted), more, 0.01);
  return [...wrong, ...(isRight ? [] : [`${sentence} beside ${shown.join(' and ')}`])];
}

/** The same thing has the same number in all cards. */
function ofTotals({ read }: Reader, cards: readonly ShownCard[]): string[] {
  if (hasChosenBar(cards)) return [];
  const total = cards.find(({ hero }) => hero?.cost)?.hero?.cost?.text;
  const parts = cards.flatMap(({ shares }) => shares?.list ?? []);
  return [
    ...cards.flatMap(({ shares }) => {
      const text = shares?.sum?.text;
      if (text === undefined || total === undefined || read(text)?.value === read(total)?.value) return [];
      return [`cost ${total}, in the list ${text}`];
    }),
    ...cards.flatMap(({ title, aside }) => {
      const part = parts.find(({ name }) => title.startsWith(name));
      return aside === '' || part === undefined || part.text === aside ? [] : [`${title}: ${aside}, not ${part.text}`];
    }),
  ];
}

function isWithinUnit(one: number, other: number, unit: number): boolean {
  return Math.abs(one - other) < unit / 2;
}

/** The contents of the page for the template. All texts are in the language of the page. */
import type { Compare, View } from '../views';
import type { PriceField, Shape } from './choice';
import type { Calendar, Carpet, Flow } from './pictures';
import type { Say } from './texts';
import type { Colour } from '../../../lib/colours';

export interface Choosable<K extends string> {
  readonly key: K;
  readonly name: string;
  readonly isChosen: boolean;
}

/** An amount as it is shown: `9.73 kWh` is its text, `9.73` and `kWh` are its parts. */
interface Amount {
  readonly text: string;
  readonly number: string;
  readonly unit: string;
}

export interface Tile extends Amount {
  readonly key: string;
  readonly name: string;
  /** Null: no colour. */
  readonly colour: Colour | null;
  readonly notes: readonly string[];
}

/** The number of a view. */
export interface Hero extends Amount {
  /** Its name, and until when it counts. */
  readonly name: string;
  readonly notes: readonly string[];
  /** Beside it, on the right. */
  readonly cost: Tile | null;
}

/** A measure against a mark: places are percent of its length. */
export interface Bullet {
  readonly colour: Colour;
  readonly value: number;
  /** Hatched, behind the value; 0: none. */
  readonly expected: number;
  readonly mark: number | null;
  /** Texts below it. */
  readonly ends: readonly string[];
  /** For screen readers. */
  readonly label: string;
}

/** The price of the next hours: places are percent of the width and height. */
export interface PriceAhead {
  /** For screen readers: each time with its price. */
  readonly label: string;
  readonly d: string;
  /** End of the present slot. */
  readonly now: number;
  readonly cheap: { readonly x: number; readonly width: number } | null;
  readonly marks: readonly { readonly x: number; readonly text: string }[];
}

/** Places are percent of the width and height of the chart. */
export interface Rect {
  readonly colour: Colour | null;
  readonly x: number;
  readonly width: number;
  readonly y: number;
  readonly height: number;
  /** Measured in part. */
  readonly isPart: boolean;
}

interface Line {
  readonly colour: Colour | null;
  readonly d: string;
}

interface LegendEntry {
  readonly key: 'ghost' | 'line';
  readonly name: string;
}

/** A bar, or a place for one. */
export interface Column {
  readonly name: string;
  /** Its values, for screen readers. */
  readonly text: string;
  /** Over and without a value, and not one that is still read. */
  readonly isUnknown: boolean;
}

export interface Chart {
  readonly label: string;
  readonly unit: string;
  readonly columns: readonly Column[];
  readonly rects: readonly Rect[];
  /** Bars that are still read, as high as those of the compared period. */
  readonly unread: readonly Rect[];
  /** The compared period, behind the bars. */
  readonly ghosts: readonly Rect[];
  readonly lines: readonly Line[];
  readonly ticks: readonly { readonly y: number; readonly text: string }[];
  /** On the right, of a line with another unit. */
  readonly prices: readonly { readonly y: number; readonly text: string }[];
  readonly marks: readonly { readonly x: number; readonly text: string; readonly isMinor: boolean }[];
  readonly legend: readonly LegendEntry[];
  /** Percent of the width; null: the moment is not in the chart. */
  readonly now: number | null;
  /** The chosen bar; -1 for none. */
  readonly at: number;
  /** Only one of several: lower, without comparison. */
  readonly isSmall: boolean;
}

/** A part of a whole: a device, or a part of the cost. */
export interface Share {
  readonly key: string;
  readonly name: string;
  readonly text: string;
  readonly note: string;
  /** Null: no key. */
  readonly colour: string | null;
  /** 0 to 1 of the whole bar; null: in the list alone. */
  readonly part: number | null;
}

export interface Shares {
  readonly list: readonly Share[];
  /** Their sum; null: it is said above. */
  readonly sum: { readonly name: string; readonly text: string } | null;
}

/** The row above a chart: the chosen bar, or the unit. */
export interface When {
  readonly name: string;
  readonly text: string;
  /** A bar is chosen. */
  readonly isChosen: boolean;
}

export interface Table {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** The last row is a sum. */
  readonly hasSum: boolean;
}

export interface Card {
  readonly key: string;
  readonly title: string;
  readonly note: string;
  /** At the right of the title. */
  readonly aside: string;
  /** The answer that it waits for, or the reason for missing values; blank otherwise. */
  readonly state: string;
  /** Requests that are done, and all; null: nothing is waited for, or it is not known. */
  readonly progress: readonly [done: number, all: number] | null;
  readonly isFailure: boolean;
  readonly isOld: boolean;
  readonly isWide: boolean;
  /** The title is above the hero, for eyes as well; otherwise for screen readers alone. */
  readonly isTitled: boolean;
  readonly hero: Hero | null;
  readonly sentence: string;
  readonly flow: Flow | null;
  readonly bullet: Bullet | null;
  readonly when: When | null;
  readonly prices: PriceAhead | null;
  readonly tiles: readonly Tile[];
  readonly chart: Chart | null;
  readonly calendar: Calendar | null;
  /** It shows the hours of a year, which are asked for when it is seen. */
  readonly isCarpet: boolean;
  readonly carpet: Carpet | null;
  readonly shares: Shares | null;
  readonly table: Table | null;
  readonly notes: readonly string[];
}

/** A typed price. */
export interface Field {
  readonly key: PriceField;
  readonly name: string;
  readonly value: string;
  /** Why it is not accepted; blank if it is. */
  readonly error: string;
}

/** A day, week, month or year that can be chosen. */
export interface Pick {
  readonly key: string;
  readonly text: string;
  /** A day of it. */
  readonly date: string;
  readonly isChosen: boolean;
  /** It has not begun. */
  readonly isFuture: boolean;
  /** A day of another month: its place stays empty. */
  readonly isBlank: boolean;
}

export interface Picker {
  /** The chosen period, in full and for a narrow header. */
  readonly title: string;
  readonly date: string;
  readonly hasNext: boolean;
  readonly isCurrent: boolean;
  /** The choices: days of a month, months of a year, years. */
  readonly head: string;
  readonly columns: number;
  readonly heads: readonly string[];
  readonly picks: readonly Pick[];
  /** A day of the choices before and after; null: there are none. */
  readonly before: string | null;
  readonly after: string | null;
}

export type FileKind = 'excel' | 'csv';

export interface Drawn {
  readonly language: string;
  readonly view: View;
  readonly views: readonly (Choosable<View> & { readonly icon: string })[];
  /** Day and time at the house, in the view Now; blank in others. */
  readonly clock: string;
  /** One line for demo and example prices. */
  readonly label: string;
  /** Address that the label leads to. */
  readonly dialog: string | undefined;
  /** The date of today in the morning, when a day without a date is yesterday; null: no date. */
  readonly today: string | null;
  readonly picker: Picker | null;
  readonly compares: readonly Choosable<Compare>[];
  readonly shapes: readonly Choosable<Shape>[];
  readonly isTable: boolean;
  readonly fields: readonly Field[];
  readonly downloads: readonly Choosable<FileKind>[];
  /** The last failure without a question; blank for none. */
  readonly failure: string;
  readonly cards: readonly Card[];
  /** Names for buttons and parts without a visible name. */
  readonly name: Say;
}

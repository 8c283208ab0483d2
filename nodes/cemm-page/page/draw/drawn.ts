/** The contents of the page for the template. All texts are in the language of the page. */
import type { Compare, View } from '../views';
import type { PriceField, Shape } from './choice';
import type { Colour } from '../../../lib/colours';

export interface Choosable<K extends string> {
  readonly key: K;
  readonly name: string;
  readonly isChosen: boolean;
}

export interface Tile {
  readonly key: string;
  readonly name: string;
  readonly text: string;
  /** Null: no colour. */
  readonly colour: Colour | null;
  readonly notes: readonly string[];
}

export interface ScenePart {
  readonly key: 'sun' | 'grid' | 'house' | 'battery';
  readonly colour: Colour;
  readonly name: string;
  readonly text: string;
  /** The direction in words. */
  readonly note: string;
  /** Seconds of one step of the moving dots; 0: nothing flows. */
  readonly seconds: number;
  readonly x: number;
  readonly y: number;
  /** Paths. */
  readonly way: string;
  readonly icon: string;
  /** The dots move away from the house. */
  readonly isAway: boolean;
}

export interface Scene {
  readonly parts: readonly ScenePart[];
  readonly label: string;
}

/** Places are percent of the width and height of the chart. */
export interface Rect {
  readonly colour: Colour | null;
  readonly x: number;
  readonly width: number;
  readonly y: number;
  readonly height: number;
}

export interface Line {
  readonly colour: Colour | null;
  readonly d: string;
}

interface LegendEntry {
  readonly colour: Colour | null;
  readonly name: string;
  /** The value under the pointer; blank without one. */
  readonly text: string;
}

export interface Chart {
  readonly label: string;
  readonly unit: string;
  readonly columns: readonly string[];
  readonly rects: readonly Rect[];
  readonly lines: readonly Line[];
  readonly ticks: readonly { readonly y: number; readonly text: string }[];
  readonly marks: readonly { readonly x: number; readonly text: string; readonly isMinor: boolean }[];
  readonly legend: readonly LegendEntry[];
  /** The bar under the pointer; -1 for none. */
  readonly at: number;
  /** Its name, and for a screen reader its values. */
  readonly atName: string;
  readonly atText: string;
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
  /** The answer that it waits for, or the reason for missing values; blank otherwise. */
  readonly state: string;
  readonly isFailure: boolean;
  readonly isOld: boolean;
  readonly isWide: boolean;
  readonly sentence: string;
  readonly scene: Scene | null;
  readonly tiles: readonly Tile[];
  readonly chart: Chart | null;
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

interface Picker {
  readonly title: string;
  readonly date: string;
  readonly today: string;
  readonly hasNext: boolean;
}

export interface Drawn {
  readonly language: string;
  readonly views: readonly Choosable<View>[];
  /** Time at the house. */
  readonly clock: string;
  readonly labels: readonly string[];
  /** Address that the labels lead to. */
  readonly dialog: string | undefined;
  readonly picker: Picker | null;
  readonly compares: readonly Choosable<Compare>[];
  readonly shapes: readonly Choosable<Shape>[];
  readonly fields: readonly Field[];
  readonly downloads: readonly Choosable<'point' | 'comma'>[];
  /** The last failure without a question; blank for none. */
  readonly failure: string;
  readonly cards: readonly Card[];
  /** Names for buttons and parts without a visible name. */
  readonly name: (key: 'views' | 'previous' | 'next' | 'date' | 'compare') => string;
}

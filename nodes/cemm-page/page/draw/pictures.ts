/** The contents of the drawings that are no chart: the calendar of a month, the carpet of a year and the flow of this moment. */

/** From -4, much from the grid, to 4, much to the grid; 0: own sun covers the hour. */
export type Level = -4 | -3 | -2 | -1 | 0 | 1 | 2 | 3 | 4;

interface CalendarDay {
  /** Place in the bars of the month. */
  readonly index: number;
  readonly text: string;
  /** For screen readers: the date and its amount. */
  readonly label: string;
  /** Null: not known. */
  readonly level: Level | null;
  readonly isToday: boolean;
}

export interface Calendar {
  /** Names of the days, Monday first. */
  readonly heads: readonly string[];
  /** Empty cells before the first day. */
  readonly before: number;
  readonly days: readonly CalendarDay[];
  readonly levels: readonly Level[];
}

interface Mark {
  /** Percent along the axis. */
  readonly at: number;
  readonly text: string;
}

export interface Carpet {
  /** Days of the year: the width of the drawing. It is 24 high. */
  readonly days: number;
  /** In units of days and hours. */
  readonly paths: readonly { readonly level: Level; readonly d: string }[];
  /** Months without any known hour. */
  readonly unknown: readonly { readonly x: number; readonly width: number; readonly isFuture: boolean }[];
  readonly months: readonly Mark[];
  readonly hours: readonly Mark[];
  readonly levels: readonly Level[];
  readonly year: string;
}

/** Sources have a hue; devices are shades of the text. */
export type FlowColour = 'import' | 'export' | 'production' | 'battery' | 'device1' | 'device2' | 'rest';

export interface FlowPath {
  readonly colour: FlowColour;
  readonly d: string;
  /** 0: nothing flows. */
  readonly width: number;
  /** Time of one step of the moving dashes. */
  readonly seconds: number;
  /** Place and direction of the arrowhead, where nothing may move. */
  readonly tip: string;
}

export interface FlowNode {
  readonly key: string;
  readonly colour: FlowColour;
  readonly icon: string;
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly text: string;
  readonly name: string;
  readonly nameY: number;
  readonly isIdle: boolean;
}

/** A part of the ring, in percent, clockwise from the top. */
export interface RingPart {
  readonly colour: FlowColour;
  readonly from: number;
  readonly share: number;
}

export interface Flow {
  readonly height: number;
  readonly house: { readonly x: number; readonly y: number; readonly text: string; readonly unit: string };
  /** Icon of the house. */
  readonly icon: string;
  readonly ring: readonly RingPart[];
  readonly paths: readonly FlowPath[];
  readonly nodes: readonly FlowNode[];
  /** For screen readers. */
  readonly label: string;
}

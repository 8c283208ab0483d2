/** The name of a fact that is kept, and its place in the folder. */

/** `series`: responses for series, which go first when there is no room; `readings`: all else, in two copies. */
export type FactKind = 'series' | 'readings';

/** A fact and its place: the UTC month of the day, month or year that it is about. */
export interface FactName {
  readonly kind: FactKind;
  /** The MAC of a monitor, else `cemm-<number>`, else `inst-<hash>`. */
  readonly house: string;
  /** Start of the period, epoch ms. */
  readonly start: number;
  /** Interface, meter and period. */
  readonly name: string;
}

/** Path of its file, relative to the folder. */
export function factPath({ kind, house, start }: FactName): string {
  return `${house}/${utcMonth(start)}.${kind}`;
}

/** Such as `2026-05`. */
export function utcMonth(start: number): string {
  return new Date(start).toISOString().slice(0, 7);
}

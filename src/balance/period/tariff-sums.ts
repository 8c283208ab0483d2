/** Delivered sums of which each tariff is known, added up over a time. */
import type { Break } from '../meters/breaks';
import type { TariffSlot } from '../meters/shape';
import type { Tariffs } from '../prices/costs';
import type { Stretch } from '../meters/readings';
import { untilBorder } from './long-slots';

/**
 * The sums inside a time, of each moment the longest one; null if there is none.
 * @param stretches of the counter of the whole
 */
export function sumTariffs(
  sums: readonly TariffSlot[],
  stretches: readonly Stretch[],
  time: Break,
): (Tariffs & { readonly counted: number }) | null {
  const inside = sums
    .map((sum) => untilBorder(sum, stretches))
    .filter(({ start, end }) => start >= time.from && end <= time.to)
    .sort((a, b) => a.start - b.start || b.end - a.end);
  let [t1, t2, counted, last] = [0, 0, 0, time.from];
  for (const sum of inside) {
    if (sum.start < last) continue;
    [t1, t2, counted, last] = [t1 + sum.t1, t2 + sum.t2, counted + sum.known, sum.end];
  }
  return counted === 0 ? null : { t1, t2, counted };
}

/** The stretches inside a time; null if one of them crosses an end of it. */
export function within(list: readonly Stretch[], time: Break): readonly Stretch[] | null {
  const touched = list.filter(({ from, to }) => from < time.to && to > time.from);
  return touched.every(({ from, to }) => from >= time.from && to <= time.to) ? touched : null;
}

/** Error of sums of minutes against the meters, over a year of the simulated house. */
import { balance } from './small-house';
import { SimulatedYear } from './simulated-year';

/** The house of docs/evidence/balance.md. */
export const usualSeed = 7;

export interface ErrorRow {
  readonly direction: 'import' | 'export';
  /** kWh of the year by the counters, and by the minutes. */
  readonly counted: number;
  readonly minutes: number;
  /** Error of a day in kWh: the mean, and the largest. */
  readonly mean: number;
  readonly worst: number;
  readonly worstDay: string;
}

export function errorsOfMinutes(seed: number): ErrorRow[] {
  const year = new SimulatedYear(seed);
  const none = { p1: [], s01: [], mb5: [] };
  const days = year.days.map((day) => {
    const { values } = balance(day.label, year.meters(none, year.shapes(day)));
    return { label: day.label, values, truth: year.truth(day) };
  });
  return (['import', 'export'] as const).map((direction) => {
    const rows = days.map(({ label, values, truth }) => ({
      label,
      counted: truth[direction],
      minutes: values[`energy_${direction}_kwh`] ?? NaN,
    }));
    const off = rows.map(({ label, counted, minutes }) => ({ label, error: Math.abs(minutes - counted) }));
    const worst = off.reduce((most, row) => (row.error > most.error ? row : most));
    const addUp = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
    return {
      direction,
      counted: addUp(rows.map(({ counted }) => counted)),
      minutes: addUp(rows.map(({ minutes }) => minutes)),
      mean: addUp(off.map(({ error }) => error)) / off.length,
      worst: worst.error,
      worstDay: worst.label,
    };
  });
}

/** The rows in the format of docs/evidence/balance.md. */
export function errorTable(rows: readonly ErrorRow[]): string {
  const formatKwh = (value: number): string => value.toFixed(3);
  const lines = rows.map(({ direction, counted, minutes, mean, worst, worstDay }) => {
    const share = `${(((minutes - counted) / counted) * 100).toFixed(2)} %`;
    const cells = [
      direction,
      formatKwh(counted),
      formatKwh(minutes),
      share,
      formatKwh(mean),
      `${formatKwh(worst)} (${worstDay})`,
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return [
    '| Direction | By the meter, kWh | From minutes, kWh | Off by | Mean of a day, kWh | Worst day, kWh |',
    '|---|---|---|---|---|---|',
    ...lines,
  ].join('\n');
}

// How far sums of minutes are from the counters over a year of the simulated house: the table of docs/balance.md.
// tsx scripts/balance-error.ts
import { errorsOfMinutes } from '../test/unit/balance/minutes-error';

const kwh = (value: number): string => value.toFixed(3);

console.log('| Seed | Direction | Counted, kWh | From minutes, kWh | Off by | Mean of a day, kWh | Worst day, kWh |');
console.log('|---|---|---|---|---|---|---|');
for (const seed of [1, 2, 3]) {
  for (const { direction, counted, minutes, mean, worst, worstDay } of errorsOfMinutes(seed)) {
    const share = `${(((minutes - counted) / counted) * 100).toFixed(2)} %`;
    const cells = [seed, direction, kwh(counted), kwh(minutes), share, kwh(mean), `${kwh(worst)} (${worstDay})`];
    console.log(`| ${cells.join(' | ')} |`);
  }
}

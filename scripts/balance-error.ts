// Error of sums of minutes against the counters over a year of the simulated house: the table of docs/evidence/balance.md.
// tsx scripts/balance-error.ts [seed]
import { errorsOfMinutes, errorTable, usualSeed } from '../test/support/balance/minutes-error';

console.log(errorTable(errorsOfMinutes(Number(process.argv[2] ?? usualSeed))));

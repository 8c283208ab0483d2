/**
 * Random houses with random events, a year each, compared with their actual flows: `npm run campaign -- houses`. CEMM_HOUSES is their
 * number (10,000), CEMM_HOUSE_SEED the first seed (1) and CEMM_HOUSE_DAYS the length (365); CEMM_HOUSES=1 with a seed repeats
 * one. Then CEMM_TICKED_HOUSES (200) houses that are known by a webhook alone, a month each.
 */
import { readByChance, describeFailedHouses } from '../../support/houses/by-chance';
import { tickedHouse } from '../../support/houses/ticked-house';

async function main(): Promise<void> {
  const number = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise);
  const [count, first, days] = [
    number('CEMM_HOUSES', 10_000),
    number('CEMM_HOUSE_SEED', 1),
    number('CEMM_HOUSE_DAYS', 365),
  ];
  const began = Date.now();
  const minutes = (): string => ((Date.now() - began) / 60_000).toFixed(1);
  console.log(`${count} houses of ${days} days from seed ${first}`);
  const campaign = await readByChance({
    days,
    looks: 1,
    daysBack: 2,
    seeds: Array.from({ length: count }, (_, index) => first + index),
    onHouse: (done, failed) => {
      if (done % 500 === 0) console.log(`${done} houses, ${failed} failed, ${minutes()} min`);
    },
  });
  const { houses, balances, failed, seconds } = campaign;
  if (failed.length > 0) console.log(describeFailedHouses(campaign, count === 1 ? 1 : 20));
  console.log(
    `${houses} houses, ${balances} balances, ${failed.length} houses failed; ${seconds.toFixed(0)} s of processor time, ${minutes()} min`,
  );
  const broken = await readTicked(number('CEMM_TICKED_HOUSES', 200), first, Math.min(days, 30));
  process.exit(failed.length > 0 || broken > 0 || houses === 0 ? 1 : 0);
}

/** Returns the number of houses that broke a rule. */
async function readTicked(count: number, first: number, days: number): Promise<number> {
  let [failed, balances, known] = [0, 0, 0];
  for (let seed = first; seed < first + count; seed += 1) {
    const result = await tickedHouse(seed, days);
    balances += result.balances;
    known += result.known;
    if (result.broken.length === 0) continue;
    failed += 1;
    for (const line of result.broken.slice(0, 4)) console.log(line);
  }
  console.log(`${count} houses by webhook, ${balances} balances, ${known} sums that had to be known, ${failed} failed`);
  return failed;
}

void main();

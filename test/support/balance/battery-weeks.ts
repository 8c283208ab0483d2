/**
 * The rule of the battery against the optimum, on weeks of two simulated households. The optimum is exact: energies, power and
 * capacity are whole steps, so dynamic programming over the charge in steps finds it.
 */
import { savedByBattery } from '../../../src/balance/bill/battery';
import { quarterMs, millis } from '../../../src/time/units';
import { perKwh } from '../../../src/balance/meters/amounts';
import { SimulatedYear } from './simulated-year';
import { runAtOnce } from '../../../src/time/pause';

const weekMs = 7 * 96 * quarterMs;
/** kWh that are stored in a step of charge; of 0.05 kWh nine tenths are stored. */
const step = 0.045;
const takenPerStep = 0.05;
/** Sizes whose power in a quarter is a whole number of steps, in both directions. */
const sizes = [3.6, 7.2, 10.8] as const;

export interface Quarter {
  readonly start: number;
  /** From the grid, in steps of 0.045 kWh. */
  readonly taken: number;
  /** To the grid, in steps of 0.05 kWh. */
  readonly given: number;
}

/** Cents per kWh. */
export interface Contract {
  readonly name: string;
  /** In low and in normal hours. */
  readonly buys: readonly [low: number, normal: number];
  readonly sells: number;
}

export const contracts: readonly Contract[] = [
  { name: 'one price: 0.25', buys: [25, 25], sells: 5 },
  { name: 'two tariffs: 0.24 and 0.28', buys: [24, 28], sells: 5 },
  { name: 'two tariffs: 0.15 and 0.35', buys: [15, 35], sells: 5 },
];

/** Fifty weeks of each household. */
export function weeksOf(seeds: readonly number[]): Quarter[][] {
  return seeds.flatMap((seed) => {
    const { household, days } = new SimulatedYear(seed);
    const start = days[0]?.start ?? NaN;
    return Array.from({ length: 50 }, (_, week) => {
      const rounded = { taken: rounding(step), given: rounding(takenPerStep) };
      return Array.from({ length: 7 * 96 }, (__, index): Quarter => {
        const from = start + week * weekMs + index * quarterMs;
        let [taken, given] = [0, 0];
        for (let minute = 0; minute < 15; minute += 1) {
          const kwh = household.minute(millis(from + minute * 60_000)).gridW / 60_000;
          taken += Math.max(0, kwh);
          given += Math.max(0, -kwh);
        }
        // Where the power is less than both directions together, a step of one is no step of the other.
        const both = Math.min(taken, given);
        const isMuch = taken + given > 0.4;
        return {
          start: from,
          taken: rounded.taken(isMuch ? taken - both : taken),
          given: rounded.given(isMuch ? given - both : given),
        };
      });
    });
  });
}

/** Whole steps whose sum follows that of the energies. */
function rounding(unit: number): (kwh: number) => number {
  let [sum, given] = [0, 0];
  return (kwh) => {
    sum += kwh;
    const steps = kwh === 0 ? 0 : Math.max(0, Math.round(sum / unit) - given);
    given += steps;
    return steps;
  };
}

/** Normal hours: 7:00 to 23:00 of working days, by the clock of the winter. */
function isNormal(moment: number): boolean {
  const local = new Date(moment + 3_600_000);
  return local.getUTCDay() % 6 !== 0 && local.getUTCHours() >= 7 && local.getUTCHours() < 23;
}

function priceAt({ start }: Quarter, { buys: [low, normal] }: Contract): number {
  return isNormal(start) ? normal : low;
}

/** Euros that the rule saves. */
export function savedByRule(week: readonly Quarter[], contract: Contract, kwh: number): number {
  const slots = week.map((quarter) => ({
    start: quarter.start,
    end: quarter.start + quarterMs,
    known: quarterMs,
    taken: Math.round(quarter.taken * step * perKwh),
    given: Math.round(quarter.given * takenPerStep * perKwh),
    buys: BigInt(priceAt(quarter, contract)),
    sells: BigInt(contract.sells),
  }));
  return Number(runAtOnce(savedByBattery(slots, kwh))) / perKwh / 100;
}

/** Euros of the optimum, which knows the week before it begins. */
export function optimumOf(week: readonly Quarter[], contract: Contract, kwh: number): number {
  const capacity = Math.round(kwh / step);
  // In a quarter it takes power / 4, of which nine tenths are stored, and gives power / 4.
  const [mostIn, mostOut] = [Math.round((kwh * 0.125 * 0.9) / step), Math.round((kwh * 0.125) / step)];
  let later = new Float64Array(capacity + 1);
  for (const quarter of [...week].reverse()) {
    const earns = (priceAt(quarter, contract) / 100) * step;
    const costs = (contract.sells / 100) * takenPerStep;
    const best = new Float64Array(capacity + 1);
    for (let charge = 0; charge <= capacity; charge += 1) {
      let most = -Infinity;
      const into = Math.min(quarter.given, mostIn, capacity - charge);
      const out = Math.min(quarter.taken, mostOut, charge);
      for (let taken = 0; taken <= into; taken += 1) {
        for (let given = 0; given <= out; given += 1) {
          if (taken * takenPerStep + given * step > kwh * 0.125 + 1e-9) break;
          most = Math.max(most, given * earns - taken * costs + (later[charge + taken - given] ?? -Infinity));
        }
      }
      best[charge] = most;
    }
    later = best;
  }
  return later[0] ?? NaN;
}

export interface Distance {
  readonly contract: string;
  readonly kwh: number;
  /** Euros of all weeks. */
  readonly rule: number;
  readonly optimum: number;
  /** Euros of the week in which the rule is furthest below the optimum. */
  readonly worst: number;
  /** True if the rule is never above the optimum. */
  readonly isNeverAbove: boolean;
}

export function distancesOf(weeks: readonly Quarter[][]): Distance[] {
  return contracts.flatMap((contract) =>
    sizes.map((kwh): Distance => {
      const all = weeks.map((week) => [savedByRule(week, contract, kwh), optimumOf(week, contract, kwh)] as const);
      return {
        contract: contract.name,
        kwh,
        rule: all.reduce((sum, [rule]) => sum + rule, 0),
        optimum: all.reduce((sum, [, optimum]) => sum + optimum, 0),
        worst: Math.max(...all.map(([rule, optimum]) => optimum - rule)),
        isNeverAbove: all.every(([rule, optimum]) => rule <= optimum + 1e-9),
      };
    }),
  );
}

/** The rows in the format of docs/evidence/balance.md. */
export function distanceTable(distances: readonly Distance[]): string {
  const rows = distances.map(({ contract, kwh, rule, optimum, worst }) => {
    const below = optimum === 0 ? 0 : Math.max(0, ((optimum - rule) / optimum) * 100);
    const cells = [
      contract,
      kwh,
      rule.toFixed(2),
      optimum.toFixed(2),
      `${below.toFixed(1)} %`,
      Math.max(0, worst).toFixed(2),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return [
    '| Contract | Battery, kWh | By the rule, € | Optimum, € | Below it | Furthest week, € |',
    '|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

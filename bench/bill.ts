/** Benchmark of a long bill: how long its longest part keeps the other events of the process waiting. */
import { readFileSync } from 'node:fs';
import type { BalanceMeter } from '../src/balance/meters/placed-meters';
import type * as Shapes from '../src/balance/meters/shape';
import type * as ContractBill from '../src/balance/bill/contract-bill';
import type * as HouseContracts from '../src/balance/prices/house-contracts';
import type * as Periods from '../src/calendar/periods';
import type { InParts } from '../src/time/pause';
import { millis } from '../src/time/units';
import { SOURCE, zone } from '../test/support/balance/small-house';
import { quarterMs, spanOf } from '../test/support/bills/calendar';
import { buildBalanceMeters, yearOf } from '../test/support/bills/household';
import { median } from './support/interleaved';
import { shipped } from './support/shipped';
import { rounded, type Table } from './support/table';

const { billOfContracts } = shipped<typeof ContractBill>('balance/bill/contract-bill');
const { billedAsAsked, parseContractsAsked } = shipped<typeof HouseContracts>('balance/prices/house-contracts');
const { toShape } = shipped<typeof Shapes>('balance/meters/shape');
const { dayRange } = shipped<typeof Periods>('calendar/periods');

const minuteMs = quarterMs / 15;
/** A computation pauses when it has run for so long (src/time/pause.ts). */
const pauseMs = 4;
const runs = 5;

export async function bill(): Promise<Table> {
  const [start, end] = spanOf('2027');
  const house = {
    monitor: { id: '001122aabbcc' },
    period: dayRange(zone, millis(start), millis(end - 1)),
    meters: buildBalanceMeters(yearOf(2027, 4), [start, end], true).map(splitIntoMinutes),
    slots: 'minutes' as const,
    source: SOURCE,
    now: end,
  };
  const market = (stepMs: number): object[] =>
    Array.from({ length: (end - start) / stepMs }, (_, index) => ({
      start: start + index * stepMs,
      value: ((index * 7) % 37) / 100,
    }));
  // As many entries as a question may have: those of two lists of quarters, and of eight lists of hours.
  const [quarters, hours] = [market(quarterMs), market(4 * quarterMs)];
  const asked = Array.from({ length: 10 }, (_, index) => ({
    name: `Contract ${index}`,
    prices: {
      currency: 'EUR',
      import: { list: index < 2 ? quarters : hours, times: 1.21, plus: index / 100, every: '1h' },
      export: 0.05,
      per_day: 0.3,
      peak: { per_kw_year: 53.25, at_least_kw: 2.5 },
    },
  }));
  const results: Measured[] = [];
  for (let run = 0; run < runs; run += 1) {
    const reading = measureParts(parseContractsAsked(asked, zone, 'contracts'));
    const question = { contracts: billedAsAsked(reading.result, zone), batteriesKwh: [5, 10] };
    const computing = measureParts(billOfContracts(house, question, null));
    results.push({
      parts: reading.parts + computing.parts,
      allMs: reading.allMs + computing.allMs,
      longestMs: Math.max(reading.longestMs, computing.longestMs),
    });
  }
  const longest = median(results.map(({ longestMs }) => longestMs));
  return Promise.resolve({
    name: 'bill',
    rows: [
      {
        what: 'ten contracts by the hour over a year',
        figure: rounded(median(results.map(({ allMs }) => allMs)), 0),
        unit: 'ms CPU',
      },
      { what: 'its parts', figure: median(results.map(({ parts }) => parts)), unit: '' },
      {
        what: 'its longest time without a pause, each run',
        figure: results.map(({ longestMs }) => rounded(longestMs, 1)).join(', '),
        unit: 'ms CPU',
      },
    ],
    goals: [
      {
        what: 'ten contracts by the hour over a year: longest time without a pause, CPU ms',
        value: longest,
        limit: 50,
      },
    ],
  });
}

/** A meter whose quarters are minutes, as a monitor measures them. */
function splitIntoMinutes(meter: BalanceMeter): BalanceMeter {
  const shapes = Object.entries(meter.shapes).map(([quantity, { starts, amounts }]) => {
    const minutes = Array.from({ length: 15 * starts.length }, (_, minute) => {
      const quarter = Math.floor(minute / 15);
      const start = (starts[quarter] ?? 0) + (minute % 15) * minuteMs;
      return { start, end: start + minuteMs, amount: (amounts[quarter] ?? 0) / 15, known: minuteMs };
    });
    return [quantity, toShape(minutes)];
  });
  return { ...meter, shapes: Object.fromEntries(shapes) as BalanceMeter['shapes'] };
}

interface Measured {
  readonly parts: number;
  readonly allMs: number;
  /** Between two pauses. */
  readonly longestMs: number;
}

/** Runs a computation, and measures its parts as they pass between two pauses. */
function measureParts<Result>(computation: InParts<Result>): Measured & { readonly result: Result } {
  let [parts, allMs, longestMs, sincePause] = [0, 0, 0, 0];
  for (;;) {
    const begun = threadMs();
    const { done, value } = computation.next();
    const took = threadMs() - begun;
    parts += 1;
    allMs += took;
    sincePause += took;
    longestMs = Math.max(longestMs, sincePause);
    if (done === true) return { parts, allMs, longestMs, result: value };
    if (sincePause >= pauseMs) sincePause = 0;
  }
}

/** Processor time of the main thread: other threads, such as those that collect garbage, keep no event waiting. */
function threadMs(): number {
  const [nanoseconds = ''] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
  return Number(nanoseconds) / 1e6;
}

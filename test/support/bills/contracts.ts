/** Contracts as people have them: one row per bill. */
import { drawNumbers } from '../random';
import { quarterMs, spanOf } from './calendar';
import { type Household, householdOf, yearOf } from './household';
import type { WrittenPrices } from './naive-costs';

/** A household in the year of a bill, which is made when it is first needed. */
interface BilledHousehold {
  readonly year: string;
  readonly make: () => Household;
}

export interface Contract {
  readonly name: string;
  readonly household: BilledHousehold;
  readonly prices: WrittenPrices;
  readonly hasQuarters: boolean;
}

function billedIn(year: number, make: (year: number) => Household): BilledHousehold {
  let made: Household | null = null;
  return { year: String(year), make: () => (made ??= make(year)) };
}

/** More from the grid than to it; about as much; far more to it. */
const dim = billedIn(2027, (year) => yearOf(year, 1));
const sunny = billedIn(2027, (year) => yearOf(year, 4));
const selling = billedIn(2027, (year) => yearOf(year, 30));
const leap = billedIn(2028, (year) => yearOf(year, 4));
const movedIn = billedIn(2027, (year) => yearOf(year, 4, '2027-07-01'));
/** 2,021 kWh of import and 3,078 kWh of export, evenly over the year. */
const ofExample = billedIn(2027, (year) => {
  const [from, to] = spanOf(String(year));
  const count = (to - from) / quarterMs;
  const evenly = (wh: number, index: number): number =>
    Math.floor((wh * (index + 1)) / count) - Math.floor((wh * index) / count);
  return householdOf(from, to, (_, index) => ({
    import: evenly(2_021_000, index),
    export: evenly(3_078_000, index),
    gas: 0,
    water: 0,
  }));
});

/** Market prices of a year: some negative, some missing. */
function market(year: string, stepMs: number, seed: number, missing = 0): { start: number; value: number }[] {
  const [from, to] = spanOf(year);
  const draw = drawNumbers(seed);
  return Array.from({ length: (to - from) / stepMs }, (_, index) => ({
    start: from + index * stepMs,
    value: Number((draw() * 0.3 - 0.06).toFixed(5)),
  })).filter(() => draw() >= missing);
}

const hourly = market('2027', 4 * quarterMs, 1);
const quarterly = market('2027', quarterMs, 2);
const quarterlyWithGaps = market('2027', quarterMs, 4, 0.001);
const hourlyWithGaps = market('2027', 4 * quarterMs, 3, 0.02);
/** Gas days begin at 06:00. */
const gasDays = Array.from({ length: 366 }, (_, day) => {
  const date = new Date(Date.UTC(2026, 11, 31 + day)).toISOString().slice(0, 10);
  return { start: `${date}T06:00`, value: Number((0.3 + (day % 17) / 100).toFixed(2)) };
});

/** Brussels and Wallonia from 2026 on: cheap at night and at noon, dear in the evening; the weekend is cheap. */
const threeZones = (cheap: number, middle: number, dear: number) => ({
  value: cheap,
  zones: [
    { days: 'Mon-Fri', hours: '7-11', value: middle },
    { days: 'Mon-Fri', hours: '17-22', value: dear },
    { days: 'Mon-Fri', hours: '22-1', value: middle },
  ],
});

const flanders = { per_kw_year: 53.25, at_least_kw: 2.5 } as const;
const lowHigh = (t1: number, t2: number) => ({ t1, t2 });

/** Prices in euros. */
type EuroPrices = Omit<WrittenPrices, 'currency'>;

function contract(name: string, household: BilledHousehold, prices: EuroPrices): Contract {
  return { name, household, prices: { currency: 'EUR', ...prices }, hasQuarters: false };
}

/** Quarters are needed for the price or the peak. */
function byQuarter(name: string, household: BilledHousehold, prices: EuroPrices): Contract {
  return { ...contract(name, household, prices), hasQuarters: true };
}

export const contracts: readonly Contract[] = [
  contract('one price', sunny, { import: 0.25, export: 0.05 }),
  contract('only a price of import', sunny, { import: 0.2387, per_day: 0.3 }),
  contract('the house of 2,021 and 3,078 kWh without feed-in costs', ofExample, {
    import: 0.25,
    export: 0.05,
    per_day: 0.3,
  }),
  contract('the house of 2,021 and 3,078 kWh with feed-in costs of 5 cents', ofExample, {
    import: 0.25,
    export: 0.05,
    export_fee: 0.05,
    per_day: 0.3,
  }),
  contract('the house of 2,021 and 3,078 kWh with feed-in costs of 10 cents', ofExample, {
    import: 0.25,
    export: 0.05,
    export_fee: 0.1,
    per_day: 0.3,
  }),
  contract('two tariffs', sunny, { import: lowHigh(0.2249, 0.25713), export: lowHigh(0.061, 0.0834), per_day: 1.0437 }),
  contract('two tariffs for import, one price for export', dim, { import: lowHigh(0.21, 0.33), export: 0.08 }),
  contract('one price for import, two tariffs for export, and a house that sells', selling, {
    import: 0.3,
    export: lowHigh(0.04, 0.09),
  }),
  contract('two equal tariffs', sunny, { import: lowHigh(0.25, 0.25), export: lowHigh(0.05, 0.07) }),
  contract('feed-in costs by tariff', selling, {
    import: lowHigh(0.3, 0.35),
    export: 0.08,
    export_fee: lowHigh(0.031, 0.0115),
  }),
  contract('a reduction of energy tax per day', dim, { import: 0.29, per_day: -1.72318 }),
  contract('a reduction of energy tax per year, with a price per day', dim, {
    import: 0.29,
    per_day: 1.2,
    per_year: -628.96,
  }),
  contract('a reduction per year in a leap year', leap, { import: 0.29, export: 0.01, per_year: -628.96 }),
  contract('a fee by classes of export, as its class in a leap year', leap, {
    import: lowHigh(0.2, 0.3),
    export: 0.06,
    per_day: 0.25,
    per_year: 187.5,
  }),
  contract('only gas and water', dim, { gas: 1.34127, water: 1.125 }),
  contract('everything of one supplier', sunny, {
    import: lowHigh(0.24, 0.28),
    export: 0.05,
    export_fee: 0.029,
    gas: 1.3,
    water: 1.1,
    per_day: 0.42,
    per_year: -628.96,
    example: true,
  }),
  contract('gas and water that change on a date', dim, {
    import: 0.25,
    gas: [
      { start: '2026-07-01', value: 1.21 },
      { start: '2027-02-11', value: 1.453 },
    ],
    water: [
      { start: '2027-01-01', value: 1.05 },
      { start: '2027-10-31', value: 1.1 },
    ],
  }),
  contract('one price that changes on a date', sunny, {
    export: 0.06,
    per_day: 0.3,
    import: [
      { start: '2026-04-15', value: 0.2811 },
      { start: '2027-04-15', value: 0.2394 },
    ],
  }),
  contract('two tariffs that change on a date, in both directions, in a house that sells', selling, {
    import: [
      { start: '2026-11-20', value: lowHigh(0.26, 0.31) },
      { start: '2027-05-20', value: lowHigh(0.2211, 0.2737) },
    ],
    export: [
      { start: '2026-11-20', value: lowHigh(0.09, 0.11) },
      { start: '2027-08-02', value: lowHigh(0.05, 0.045) },
    ],
  }),
  contract('from one price to two tariffs on the day on which clocks are set forward', sunny, {
    per_year: 60,
    import: [
      { start: '2026-03-28', value: 0.3 },
      { start: '2027-03-28', value: lowHigh(0.19, 0.34) },
    ],
    export: [
      { start: '2026-01-01', value: 0.1 },
      { start: '2027-10-31', value: 0.02 },
    ],
    export_fee: [
      { start: '2026-01-01', value: 0.01 },
      { start: '2027-10-31', value: lowHigh(0.03, 0.04) },
    ],
  }),
  contract('three changes in a leap year, one on 29 February', leap, {
    export: 0.07,
    import: [
      { start: '2028-01-01', value: lowHigh(0.2, 0.3) },
      { start: '2028-02-29', value: lowHigh(0.21, 0.28) },
      { start: '2028-06-15', value: lowHigh(0.22, 0.26) },
      { start: '2028-12-31', value: lowHigh(0.23, 0.24) },
    ],
  }),
  contract('prices that begin on 1 April and end on 1 November', sunny, {
    per_day: 0.5,
    gas: 1.3,
    import: [{ start: '2027-04-01', end: '2027-11-01', value: lowHigh(0.2, 0.3) }],
    export: 0.05,
  }),
  byQuarter('by the hour, with negative prices', sunny, { import: hourly, export: hourly, per_day: 0.2 }),
  byQuarter('by the quarter of an hour, with negative prices', selling, {
    import: quarterly,
    export: quarterly,
    export_fee: 0.0201,
  }),
  byQuarter('by the quarter of an hour with tax and a charge, exported at the bare price', sunny, {
    import: { list: quarterly, times: 1.21, plus: 0.15117 },
    export: { list: quarterly, plus: -0.02 },
  }),
  byQuarter('by the hour with missing hours', sunny, { import: { list: hourlyWithGaps, times: 1.21 }, export: 0.05 }),
  byQuarter('gas by its days from 06:00, with tax and energy tax', dim, {
    import: 0.3,
    gas: { list: gasDays, times: 1.21, plus: 0.72602 },
  }),
  byQuarter('Flanders: the capacity tariff beside two tariffs', sunny, {
    import: lowHigh(0.28, 0.31),
    export: 0.03,
    per_year: 103.47,
    peak: flanders,
  }),
  byQuarter('Flanders: a least peak above every quarter, and prices by the quarter of an hour', dim, {
    import: quarterly,
    peak: { per_kw_year: 48.7, at_least_kw: 9 },
  }),
  byQuarter('a peak without a least one, and nothing else', leap, { peak: { per_kw_year: 41.0123 } }),
  contract('moved in on 1 July, one price', movedIn, { import: 0.25, export: 0.05, gas: 1.3, per_year: -628.96 }),
  contract('moved in on 1 July, two tariffs that change on a date', movedIn, {
    export: lowHigh(0.05, 0.06),
    export_fee: 0.02,
    import: [
      { start: '2027-06-12', value: lowHigh(0.25, 0.29) },
      { start: '2027-09-12', value: lowHigh(0.22, 0.27) },
    ],
  }),
  byQuarter('moved in on 1 July, in Flanders: the months before have no peak', movedIn, {
    import: 0.33,
    peak: flanders,
  }),
  byQuarter('Wallonia: three zones of the clock on working days', sunny, {
    import: threeZones(0.2214, 0.2671, 0.3325),
    export: 0.04,
    per_year: 71.2,
  }),
  byQuarter('dear winter evenings from half past five, in a leap year', leap, {
    export: 0.05,
    import: { value: 0.25, zones: [{ months: 'Nov-Mar', days: 'Mon-Fri', hours: '17:30-22', value: 0.35 }] },
  }),
  byQuarter('zones in the hours in which clocks are set, with a fee of export by the clock', selling, {
    import: { value: 0.31, zones: [{ hours: '1:15-2:45', value: 0.19 }] },
    export: { zones: [{ days: 'Sun', hours: '2-3', value: -0.02 }, { value: 0.06 }] },
    export_fee: { value: 0.01, zones: [{ months: 'Apr-Sep', hours: '10-16', value: 0.07 }] },
  }),
  byQuarter('zones without a price for the rest of the day', dim, {
    import: { zones: [{ hours: '6-23', value: 0.29 }] },
    export: 0.05,
  }),
  contract('a price of summer and one of winter, one of the weekend and one of working days', sunny, {
    per_day: 0.3,
    import: {
      value: 0.26,
      zones: [
        { months: 'Oct-Mar', days: 'Sat-Sun', value: 0.24 },
        { months: 'Oct-Mar', value: 0.3 },
      ],
    },
    export: { value: 0.03, zones: [{ months: 'Jun,Jul,Aug', value: 0.01 }] },
  }),
  byQuarter('dynamic by the hour on a market of quarters: surcharge, energy tax and VAT in one formula', sunny, {
    per_day: 0.2,
    per_year: -628.96,
    netting: true,
    import: { list: quarterly, times: 1.21, plus: 0.15117, every: '1h' },
    export: { list: quarterly, plus: 0.018, every: '1h' },
  }),
  byQuarter('by the hour on a market of quarters, some of which are missing', dim, {
    import: { list: quarterlyWithGaps, every: '1h' },
    export: 0.04,
  }),
  contract('a sheet of 2027 with a feed-in fee of 0.05434 and feed-in costs of 0.05184', ofExample, {
    import: 0.24713,
    export: 0.05434,
    export_fee: 0.05184,
    gas: 1.27,
    per_day: 0.24,
    per_year: -628.96,
  }),
  contract('a variable contract: four new prices in a year, two within a month', sunny, {
    export_fee: 0.02,
    gas: 1.3,
    import: [
      { start: '2027-01-01', value: 0.262 },
      { start: '2027-03-12', value: 0.248 },
      { start: '2027-07-01', value: 0.239 },
      { start: '2027-10-17', value: 0.271 },
    ],
    export: [
      { start: '2027-01-01', value: 0.051 },
      { start: '2027-07-09', value: 0.022 },
    ],
  }),
];

/** Reads the balances of a random house through a connection, and compares them with the actual flows. */
import type { Balances } from '../../../src/balance/balances';
import { everyMeter } from '../../../src/balance/meters/choice';
import { parsePrices, priceDecimals, type Prices } from '../../../src/balance/prices/prices';
import { periodContaining, type PeriodUnit } from '../../../src/calendar/periods';
import type { CounterStore } from '../../../src/balance/requests/period-reader';
import { MeterTable, parseMeterRows } from '../../../src/model/meter-table';
import { openBalances } from '../clients/in-process';
import { CemmError } from '../../../src/errors';
import type { BalancePayload, BalanceStep } from '../../../src/model/payload';
import { minuteMs, hourMs, millis } from '../../../src/time/units';
import { findUnitStart } from '../bills/calendar';
import { Random } from '../random';
import { FakeMonitor } from './fake-monitor';
import { type DevicePrices, devicesBrokenIn } from './device-rules';
import { brokenIn } from './invariants';
import { deviceLedger } from './random-devices';
import { isRecorded, type RandomHouse } from './random-house';
import { KeptInMemory, StillClock } from './still-clock';

/** A broken rule, and its place. */
export interface Finding {
  readonly seed: number;
  readonly period: string;
  readonly now: string;
  readonly broken: string;
}

export interface HouseResult {
  readonly balances: number;
  readonly findings: readonly Finding[];
}

/** The user has entered the battery, in the node or as a device. */
function targetOf({ battery, described }: RandomHouse) {
  if (battery === null || described.isBatteryDevice) return { monitor: null, meters: everyMeter };
  const reversed = battery.isReversed ? [battery.alias] : [];
  return { monitor: null, meters: { ...everyMeter, battery: [battery.alias], reversed } };
}

const forUser = { signal: new AbortController().signal };

/** The balances of a new connection. */
function open(house: RandomHouse, clock: StillClock): Balances {
  return openBalances({
    client: new FakeMonitor(house, () => clock.moment),
    clock,
    meters: new MeterTable(parseMeterRows(house.described.rows)),
  }).balances;
}

export interface Plan {
  /** Number of moments at which the house is read. */
  readonly looks: number;
  /** Number of earlier days that are read each time. */
  readonly daysBack: number;
}

export async function readHouse(house: RandomHouse, { looks, daysBack }: Plan): Promise<HouseResult> {
  const random = new Random(house.seed ^ 0x5eed);
  const { prices, ofHour } = pricesOf(random, house);
  const devices = deviceLedger(house, ofHour);
  const findings: Finding[] = [];
  let balances = 0;
  const nows = Array.from({ length: looks }, () => lookAt(house, random)).sort((a, b) => a - b);
  const store = house.kind === 'local' && house.keepsReadings ? new KeptInMemory() : null;
  let kept = house.start;
  for (const now of nows) {
    if (store !== null) kept = await keepMidnights(house, store, kept, now, random);
    const asked = open(house, new StillClock(now));
    for (const [unit, at, step] of questions(house, now, daysBack, random)) {
      const period = periodContaining(unit, house.timezone, millis(at));
      const payload = await readHouseBalance(asked, house, { period, step, prices, counters: store });
      balances += 1;
      if (payload === null) continue;
      const rules = [
        brokenIn(payload, house.flowed, now),
        wrongCost(payload, prices),
        devicesBrokenIn(payload, devices, now),
      ];
      for (const broken of rules.flat()) {
        findings.push({ seed: house.seed, period: period.label, now: new Date(now).toISOString(), broken });
      }
    }
    asked.close();
  }
  return { balances, findings };
}

/** Null if no meter answers. */
async function readHouseBalance(
  balances: Balances,
  house: RandomHouse,
  asked: {
    readonly period: ReturnType<typeof periodContaining>;
    readonly step: BalanceStep;
    readonly prices: Prices | null;
    readonly counters: CounterStore | null;
  },
): Promise<BalancePayload | null> {
  try {
    return await balances.read({ ...targetOf(house), ...asked, wantsPeak: false }, forUser);
  } catch (error) {
    if (error instanceof CemmError && error.reason !== 'internal') return null;
    throw error;
  }
}

/** A moment at which the monitor answers. */
function lookAt({ start, end, ...house }: RandomHouse, random: Random): number {
  for (;;) {
    const now = start + Math.floor(random.next() * (end - start));
    if (isRecorded({ start, end, ...house }, 'p1', now)) return now;
  }
}

/** The package reads the counters at each midnight, unless Node-RED is stopped or the monitor is away. */
async function keepMidnights(
  house: RandomHouse,
  store: CounterStore,
  from: number,
  until: number,
  random: Random,
): Promise<number> {
  const clock = new StillClock(from);
  const balances = open(house, clock);
  let midnight = findUnitStart('day', from + 26 * hourMs);
  for (; midnight <= until; midnight = findUnitStart('day', midnight, 1)) {
    for (const moment of [midnight - minuteMs, midnight + 1000]) {
      clock.moment = moment;
      if (
        moment > until ||
        random.happens(0.1) ||
        !house.outages.every((one) => one.of !== 'all' || moment < one.from || moment >= one.to)
      )
        continue;
      await balances.keepCounters(targetOf(house), store, forUser);
    }
  }
  balances.close();
  return midnight - minuteMs;
}

type Question = readonly [unit: PeriodUnit, at: number, step: BalanceStep];

function questions({ start }: RandomHouse, now: number, daysBack: number, random: Random): Question[] {
  const step = random.pick(['PT1H', 'PT15M'] as const);
  const earlier = (): number => start + Math.floor(random.next() * (now - start));
  return [
    ['day', now, step],
    ['day', Math.max(start, now - 24 * hourMs), step],
    ...Array.from({ length: daysBack }, (): Question => ['day', earlier(), 'PT1H']),
    ['month', now, 'P1D'],
    ['month', earlier(), 'P1D'],
    ['year', now, 'P1M'],
  ];
}

interface HousePrices {
  readonly prices: Prices | null;
  /** Of a clock hour, by tariff null: the cost of a device is compared where it has one price. */
  readonly ofHour: (hour: number) => DevicePrices | null;
}

function pricesOf(random: Random, { seed, start, end }: RandomHouse): HousePrices {
  const hours = () =>
    Array.from({ length: Math.ceil((end - start) / hourMs) }, (_, hour) => ({
      start: start + hour * hourMs,
      value: Math.round(random.next() * 4e5 - 5e4) / 1e6,
    }));
  const dayOf = (number: number) => periodContaining('day', 'Europe/Amsterdam', millis(start + number * 24 * hourMs));
  const dated = [
    { start: dayOf(-400).label, value: { t1: 0.24, t2: 0.28 } },
    { start: dayOf(9).label, value: 0.31 },
    { start: dayOf(21).label, value: { t1: -0.05, t2: 0.44 } },
  ];
  const isSingle = (hour: number): boolean => hour >= dayOf(9).start && hour < dayOf(21).start;
  const given = random.pick<() => HousePrices>([
    () => ({ prices: null, ofHour: () => null }),
    () => ({
      prices: parseHousePrices({ currency: 'EUR', import: 0.31, export: 0.07, gas: 1.3, water: 1.1, per_day: 0.7 }),
      ofHour: () => ({ import: 0.31, export: 0.07 }),
    }),
    () =>
      seed % 2 === 0
        ? {
            prices: parseHousePrices({ currency: 'EUR', import: { t1: 0.24, t2: 0.28 }, export: 0.05 }),
            ofHour: () => null,
          }
        : {
            prices: parseHousePrices({
              currency: 'EUR',
              import: dated,
              export: dated,
              export_fee: 0.03,
              gas: 1.3,
              per_year: -628.96,
            }),
            ofHour: (hour) => (isSingle(hour) ? { import: 0.31, export: 0.31 - 0.03 } : null),
          },
    // A list of a year of hours takes long to parse.
    ...(end - start < 50 * 24 * hourMs ? [byHour] : []),
  ]);
  return given();

  function byHour(): HousePrices {
    const list = hours();
    return {
      prices: parseHousePrices({ currency: 'EUR', import: list, export: 0.01 }),
      ofHour: (hour) => {
        const { value = null } = list[Math.floor((hour - start) / hourMs)] ?? {};
        return value === null ? null : { import: value, export: 0.01 };
      },
    };
  }
}

function parseHousePrices(given: object): Prices {
  return parsePrices(given, 'Europe/Amsterdam');
}

/** The cost of a single price is amount × price. */
function wrongCost({ values, cost, points = [] }: BalancePayload, prices: Prices | null): string[] {
  if (cost === undefined || prices === null) return [];
  const broken: string[] = [];
  const checkCost = (name: string, got: number | null, wanted: number): void => {
    if (got !== null && Math.abs(got - wanted) > 1e-6) broken.push(`cost: ${name} is ${got}, wanted ${wanted}`);
  };
  for (const [part, field] of [
    ['import', 'energy_import_kwh'],
    ['export', 'energy_export_kwh'],
  ] as const) {
    const price = prices[part];
    const amount = values[field] ?? null;
    if (price?.kind !== 'fixed' || typeof price.value !== 'bigint' || amount === null) continue;
    checkCost(part, cost[part], amount * (Number(price.value) / 10 ** priceDecimals));
  }
  const { import: taken, export: given, export_fee: fee, gas, water, fixed, peak, total } = cost;
  const added = [taken, fee, gas, water, fixed, peak].reduce<number>((sum, part) => sum + (part ?? 0), 0);
  if (total !== null) checkCost('total', total, added - (given ?? 0));
  const ofPoints = points.map((point) => point['cost'] ?? null);
  if (total !== null && ofPoints.length > 0 && ofPoints.every((one) => one !== null)) {
    checkCost(
      'sum of points',
      ofPoints.reduce((sum, one) => sum + one, 0),
      total,
    );
  }
  return broken;
}

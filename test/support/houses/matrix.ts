/** Checks all results of the package for one house at one moment against its ledger. */
import { everyMeter } from '../../../src/balance/meters/choice';
import { parsePrices, type Prices } from '../../../src/balance/prices/prices';
import { periodContaining, previousPeriod, type PeriodUnit } from '../../../src/calendar/periods';
import type { Balances } from '../../../src/balance/balances';
import type { BalanceTarget } from '../../../src/balance/house-reader';
import { openBalances, usualSteps } from '../clients/in-process';
import { CemmError } from '../../../src/errors';
import { createFormatter } from '../../../src/formats/formatter';
import { formats } from '../../../src/checks/limits';
import type { BalancePayload } from '../../../src/model/payload';
import { dayMs, millis } from '../../../src/time/units';
import { type HouseName, listHouseMeters } from '../../../src/simulator/houses';
import { ExampleTexts } from './example-texts';
import { type DeviceLedger, devicesBrokenIn } from './device-rules';
import { brokenIn } from './invariants';
import { oddIn, oddNumbers, oldIn } from './odd-values';
import { SimulatedHouse } from './simulated-house';
import { KeptInMemory, StillClock } from './still-clock';

export interface Moment {
  readonly now: number;
  /** Start of the measurements. */
  readonly since: number;
}

export interface Seen {
  readonly comparisons: number;
  readonly broken: readonly string[];
}

export const prices: Prices = pricesFrom({
  currency: 'EUR',
  import: 0.31,
  export: 0.07,
  gas: 1.3,
  water: 1.1,
  per_day: 0.7,
});

export function ledgerOf(house: SimulatedHouse): DeviceLedger {
  const { used, returned, flowed } = house;
  const within = (meter: string): string | undefined => house.within(meter);
  return { used, returned, flowed, within, prices: () => ({ import: 0.31, export: 0.07 }) };
}

function pricesFrom(given: object): Prices {
  return parsePrices(given, 'Europe/Amsterdam');
}

/** The meter at a battery counts only where a user names it. */
function targetOf({ house }: SimulatedHouse): BalanceTarget {
  const isDescribed = house.rows !== undefined;
  const battery = listHouseMeters(house).flatMap(({ of, alias }) => (of === 'battery' && !isDescribed ? [alias] : []));
  return { monitor: null, meters: battery.length === 0 ? everyMeter : { ...everyMeter, battery } };
}

const user = { signal: new AbortController().signal };
const intervals = { local: 10_000, remote: 60_000 } as const;

/** Reads everything over both connections. */
export async function seenAt(name: HouseName, moment: Moment): Promise<Seen> {
  const clock = new StillClock(moment.now);
  const house = new SimulatedHouse(name, moment.now, moment.since, clock);
  const [remote, local] = [
    await seenOver('remote', house, moment, clock),
    await seenOver('local', house, moment, clock),
  ];
  return { comparisons: remote.comparisons + local.comparisons, broken: [...remote.broken, ...local.broken] };
}

async function seenOver(
  kind: 'local' | 'remote',
  house: SimulatedHouse,
  moment: Moment,
  clock: StillClock,
): Promise<Seen> {
  const { timezone } = house.household;
  const store = kind === 'local' ? new KeptInMemory() : null;
  const { connection, balances } = openBalances({
    client: house.client(kind, clock),
    timezone,
    clock,
    meters: house.table,
  });
  try {
    // A fault of the current day is a different one after each midnight.
    if (store !== null && house.house.faults === undefined)
      await keepMidnights(balances, targetOf(house), store, clock, moment, timezone);
    return await look(kind, house, balances, store, clock);
  } catch (error) {
    // No meter answers, so there is an error instead of a number.
    if (error instanceof CemmError && error.reason !== 'internal') return { comparisons: 1, broken: [] };
    throw error;
  } finally {
    await connection.close();
  }
}

/** Node-RED has run for two days. */
async function keepMidnights(
  balances: Balances,
  target: BalanceTarget,
  store: KeptInMemory,
  clock: StillClock,
  { now, since }: Moment,
  timezone: string,
): Promise<void> {
  let day = periodContaining('day', timezone, millis(now));
  const midnights: number[] = [];
  for (let back = 0; back < 2; back += 1) {
    midnights.unshift(day.start);
    day = previousPeriod(day);
  }
  for (const midnight of midnights) {
    // A minute before and a second after, like the package: the closer one counts.
    for (const moment of [midnight - 60_000, midnight + 1000]) {
      if (moment < since + 60_000 || moment > now) continue;
      clock.moment = moment;
      await balances.keepCounters(target, store, user);
    }
  }
  clock.moment = now;
}

async function look(
  kind: 'local' | 'remote',
  house: SimulatedHouse,
  balances: Balances,
  counters: KeptInMemory | null,
  clock: StillClock,
): Promise<Seen> {
  const { moment: now } = clock;
  const { timezone } = house.household;
  const target = targetOf(house);
  const broken: string[] = [];
  let comparisons = 0;
  const addBroken = (what: string, found: readonly string[], count: number): void => {
    comparisons += count;
    broken.push(...found.map((one) => `${what}: ${one}`));
  };
  const ledger = ledgerOf(house);
  const pages = new Reports(now);
  const present = await balances.readNow({ ...target, intervalMs: intervals[kind] }, user).catch((error: unknown) => {
    if (error instanceof CemmError && error.reason === 'no_meters') return null;
    throw error;
  });
  if (present !== null) {
    const found = [...oddIn(present), ...oldIn(present, timesOf(kind, house, present), now, intervals[kind])];
    addBroken(`${kind} now`, [...found, ...unexplained(present)], 6 + Object.keys(present.values).length);
    addBroken(`${kind} now`, formatted(present), formats.length);
    addBroken(`${kind} now`, devicesBrokenIn(present, ledger, now), present.devices?.length ?? 0);
    pages.now(present);
  }
  const asked: readonly (readonly [PeriodUnit, number])[] = [
    ['day', now],
    ['day', now - dayMs],
    ['month', now],
    ['year', now],
  ];
  const aheadMs = Math.max(0, house.house.clockMinutes ?? 0) * 60_000;
  for (const [unit, at] of asked) {
    const period = periodContaining(unit, timezone, millis(at));
    const step = usualSteps[unit];
    const payload = await balances.read({ ...target, period, step, prices, wantsPeak: false, counters }, user);
    const what = `${kind} ${period.label}`;
    addBroken(what, brokenIn(payload, house.flowed, now, aheadMs), 20 + 3 * (payload.points?.length ?? 0));
    addBroken(what, devicesBrokenIn(payload, ledger, now), 4 * (payload.devices?.length ?? 0));
    addBroken(what, formatted(payload), formats.length);
    pages.period(payload);
  }
  addBroken(`${kind} pages`, oddNumbers(pages.shown), pages.shown.length);
  return { comparisons, broken };
}

/** A missing power must have a reason. */
function unexplained({ values, missing }: BalancePayload): string[] {
  return Object.entries(values).flatMap(([field, value]) =>
    value === null && missing[field] === undefined ? [`rule 2: ${field} is null, and missing does not say why`] : [],
  );
}

/** The times of the powers, as reported by the monitor itself; a meter with pulses has none between two pulses. */
function timesOf(kind: 'local' | 'remote', house: SimulatedHouse, { meters, values }: BalancePayload) {
  const prefix = kind === 'local' ? '/open-api/v1/' : `/v1/cemm/${house.monitor.mac.replaceAll(':', '-')}/`;
  const query = new URLSearchParams({ api_key: 'demo' });
  const oldest = (aliases: readonly string[]): number | null => {
    const times = aliases.map((alias) => {
      const answer = house.routes[kind]({ method: 'GET', path: `${prefix}${alias}/realtime/`, query });
      return timeIn(JSON.parse(answer?.body ?? ''));
    });
    return times.length === 0 ? null : Math.min(...times);
  };
  const isIdle = values['power_production_w'] === 0;
  return { grid: oldest(meters.grid), production: isIdle ? null : oldest(meters.production) };
}

function timeIn(response: unknown): number {
  const data: unknown = Reflect.get(Object(response), 'data');
  const power: unknown = Reflect.get(Object(data), 'electric_power');
  return Array.isArray(power) ? Number(power[0]) : 0;
}

/** The payload in every format; a format without a form for it must say so. */
export function formatted(payload: Readonly<{ source: { readonly fetchedAt: number } }>): string[] {
  return formats.flatMap((format) => {
    try {
      const messages = createFormatter(format, { now: () => payload.source.fetchedAt })({ payload });
      return oddNumbers(messages).map((one) => `format ${format}: ${one}`);
    } catch (error) {
      if (error instanceof CemmError) return [];
      throw error;
    }
  });
}

/** The examples that report a balance. */
class Reports {
  private readonly alarms: ExampleTexts;
  private readonly surplus: ExampleTexts;

  constructor(private readonly moment: number) {
    this.alarms = new ExampleTexts('alarms', { FUSE_A: '25', PHASES: '3' });
    this.surplus = new ExampleTexts('solar-surplus', {});
  }

  get shown(): unknown[] {
    return [this.alarms, this.surplus].flatMap((example) => example.shown);
  }

  now(payload: BalancePayload): void {
    this.surplus.to('cemm-surplus-decide', { payload }, this.moment);
  }

  period(payload: BalancePayload): void {
    if (payload.period?.unit === 'day') this.alarms.from('cemm-alarms-balance', { payload }, this.moment);
  }
}

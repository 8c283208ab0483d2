/**
 * A random house that is known by its webhook alone: what is ticked, the keys of its meters, lost deliveries and restarts are random. Its
 * balances are compared with what really flowed, and what the ticked topics show must be known.
 */
import { CemmError } from '../../../src/errors';
import type { MeterChoice } from '../../../src/balance/meters/choice';
import { everyMeter } from '../../../src/balance/meters/choice';
import { MonitorRows, parseMeterRows } from '../../../src/model/meter-table';
import type { StoredMeterRow } from '../../../src/model/meter-rows';
import type { BalancePayload } from '../../../src/model/payload';
import { minuteMs, dayMs } from '../../../src/time/units';
import { Random } from '../random';
import { AddedDeliveries, NothingAdded } from './added-deliveries';
import { type DeviceLedger, devicesBrokenIn } from './device-rules';
import { brokenIn, fieldOf, type Flow } from './invariants';
import { type Column, Ledger } from './ledger';
import { isLowTariff } from './low-tariff';
import { findUnitStart } from '../bills/calendar';
import { everyTopic, type FakeChannel, type FakeMeter, specifiedBody } from './specified-webhook';

/** Before the first delivery, so that last month has flows of its own. */
const before = 40;

export interface TickedResult {
  readonly balances: number;
  /** Numbers that could be wrong or missing were compared: of today, yesterday, the month and the year. */
  readonly known: number;
  /** Devices of these balances with a known energy. */
  readonly devices: number;
  readonly broken: readonly string[];
}

export async function tickedHouse(seed: number, days: number): Promise<TickedResult> {
  const random = new Random(seed ^ 0x71c4ed);
  const first = Date.parse(random.pick(['2026-03-27T09:00:00Z', '2026-10-23T13:00:00Z', '2026-11-28T06:00:00Z']));
  const start = findUnitStart('day', first, -before);
  const [hasSun, hasGas, hasWater] = [random.happens(0.6), random.happens(0.5), random.happens(0.5)];
  // Numbers of their own: a device changes nothing else in the house.
  const ofDevices = new Random(seed ^ 0xdec1ce);
  const hasDevice = ofDevices.happens(0.6);
  const hasInner = hasDevice && ofDevices.happens(0.5);
  const ledger = new Ledger({
    seed,
    start,
    minutes: (before + days + 2) * 1440,
    battery: null,
    hasDevice,
    hasInner,
    dead: [],
    hasGas,
    hasWater,
    inverters: hasSun ? [random.int(800, 5000)] : [],
    ownUse: random.pick([0, 4]),
    isLow: (minute) => isLowTariff(start + minute * minuteMs),
  });
  const flowed = (flow: Flow, from: number, to: number): number | null =>
    (flow === 'production' && !hasSun) || (flow === 'gas' && !hasGas) || (flow === 'water' && !hasWater)
      ? null
      : ledger.flowed(flow, from, to);
  const { meters: ofHouse, choice } = createFakeMeters(ledger, random, { hasSun, hasGas, hasWater });
  const devices = devicesOf(ledger, { hasDevice, hasInner });
  const meters = [...ofHouse, ...devices.map(({ meter }) => meter)];
  const rows = devices.map(({ row }) => row);
  const ticks = new Map(
    meters.flatMap(({ key, channels }) => {
      const chosen = ofHouse.some((one) => one.key === key) ? random : ofDevices;
      return channels.map((channel) => [`${key} ${channel.key}`, topicsOf(chosen)]);
    }),
  );
  // Without its import, what an inverter takes at night cannot be known.
  const [, inverter] = hasSun ? ofHouse : [];
  if (inverter !== undefined) {
    const same = topicsOf(random);
    for (const channel of inverter.channels) ticks.set(`${inverter.key} ${channel.key}`, same);
  }
  const ticked = (meter: string, channel: string): readonly string[] => ticks.get(`${meter} ${channel}`) ?? [];
  const stepMs = random.pick([5, 15, 15, 60]) * minuteMs;
  const loses = random.pick([0, 0, 0.03, 0.3]);
  const added = new AddedDeliveries(choice, 60_000, new MonitorRows(parseMeterRows(rows), true));
  const result = { balances: 0, known: 0, devices: 0, broken: [] as string[] };
  const deviceLedger = ledgerOfDevices(ledger, flowed, rows);
  // A monitor may send some seconds late, or at other minutes than those of the quarters.
  const begin = first + new Random(seed ^ 0x0ff5e7).pick([0, 0, 1_000, 20_000, 45_000, 4 * minuteMs, 7 * minuteMs]);
  let last = begin;
  for (let at = begin; at <= begin + days * dayMs; at += stepMs) {
    if (at > begin && random.happens(loses)) continue;
    await added.add(specifiedBody(meters, ticked, at), at);
    last = at;
    if (random.happens(0.005)) added.restart();
    if (!random.happens(stepMs / dayMs)) continue;
    await check(at);
  }
  await check(last);
  return result;

  /** The most that flows in the last five minutes of a day, of gas in its last hour, kWh or m³. */
  function mostBeforeMidnight(flow: KnownFlow, from: number, to: number): number {
    const margin = (flow === 'gas' ? 60 : 5) * minuteMs;
    let most = 0;
    for (let midnight = findUnitStart('day', from); midnight <= to; midnight = findUnitStart('day', midnight, 1)) {
      most = Math.max(most, Math.abs(ledger.flowed(flow, midnight - margin, midnight)));
    }
    return most;
  }

  async function check(now: number): Promise<void> {
    for (const { label, from, to, topics } of periodsOf(now)) {
      const payload = await added.balance(label, now + 1000).catch(toUnanswered);
      if (payload === null) continue;
      result.balances += 1;
      const said = (text: string): void => {
        result.broken.push(`seed ${seed}, ${label} at ${new Date(now).toISOString()}: ${text}`);
      };
      // A balance of these topics shows what its meters have counted, and says so.
      for (const broken of brokenIn(payload, flowed, now + 1000)) said(broken);
      for (const broken of devicesBrokenIn(payload, deviceLedger, now)) said(broken);
      result.devices += payload.devices?.filter(({ energy_kwh: energy = null }) => energy !== null).length ?? 0;
      // A balance goes to the last whole minute.
      if (to - from < minuteMs) continue;
      for (const flow of knownFlows) {
        if (!topics.some((topic) => isTicked(payload, flow, topic))) continue;
        result.known += 1;
        const value = payload.values[fieldOf[flow]] ?? null;
        // A reading up to five minutes before midnight, of gas up to an hour, stands for it, and says its own time.
        const { start: first = null, end: last = null } = payload.counters[fieldOf[flow]] ?? {};
        const isCounted = first !== null && last !== null;
        const wanted = isCounted ? ledger.flowed(flow, first[0], last[0]) : ledger.flowed(flow, from, to);
        // Where such a reading meets delivered sums of whole days, the minutes between can be in both, or in neither.
        const isMixed = !isCounted && isTicked(payload, flow, 'reading');
        const ofMinute = Math.abs(ledger.flowed(flow, Math.floor(to / minuteMs) * minuteMs, to));
        const permitted = 0.002 + ofMinute + (isMixed ? mostBeforeMidnight(flow, from, to) : 0);
        if (value === null || Math.abs(value - wanted) > permitted) said(`${flow} is ${value}, ticked and ${wanted}`);
      }
    }
  }

  /** True if a topic is ticked of the counters of a flow, and their meter counts in its role. */
  function isTicked({ meters: counted }: BalancePayload, flow: KnownFlow, topic: string): boolean {
    const { role, channels } = sourcesOf[flow];
    return counted[role].some((key) =>
      channels.some((all) => all.every((channel) => ticked(key, channel).includes(topic))),
    );
  }
}

const knownFlows = ['import', 'export', 'production', 'gas', 'water'] as const satisfies readonly Flow[];
type KnownFlow = (typeof knownFlows)[number];

/** The role of the meter of a flow, and the channels each of whose lists alone is its amount. */
const sourcesOf: Readonly<
  Record<KnownFlow, { readonly role: 'grid' | 'production' | 'gas' | 'water'; readonly channels: readonly string[][] }>
> = {
  import: {
    role: 'grid',
    channels: [['electric_energy_import'], ['electric_energy_import_t1', 'electric_energy_import_t2']],
  },
  export: {
    role: 'grid',
    channels: [['electric_energy_export'], ['electric_energy_export_t1', 'electric_energy_export_t2']],
  },
  production: { role: 'production', channels: [['electric_energy_export', 'electric_energy_import']] },
  gas: { role: 'gas', channels: [['volume']] },
  water: { role: 'water', channels: [['volume']] },
};

/** A house of which nothing was delivered yet, or that cannot answer. */
function toUnanswered(error: unknown): null {
  if (error instanceof NothingAdded || (error instanceof CemmError && error.reason !== 'internal')) return null;
  throw error;
}

function periodsOf(now: number) {
  const iso = (moment: number): string => new Date(moment + dayMs / 2).toISOString();
  const [day, yesterday] = [findUnitStart('day', now), findUnitStart('day', now, -1)];
  const [month, lastMonth] = [findUnitStart('month', now), findUnitStart('month', now, -1)];
  const year = findUnitStart('year', now);
  return [
    { label: iso(day).slice(0, 10), from: day, to: now, topics: ['this/day'] },
    { label: iso(yesterday).slice(0, 10), from: yesterday, to: day, topics: ['last/day'] },
    { label: iso(month).slice(0, 7), from: month, to: now, topics: ['this/month'] },
    { label: iso(lastMonth).slice(0, 7), from: lastMonth, to: month, topics: ['last/month'] },
    { label: iso(year).slice(0, 4), from: year, to: now, topics: ['this/year'] },
  ].filter(({ from, to }) => to > from);
}

function topicsOf(random: Random): string[] {
  const found = everyTopic.filter(() => random.happens(0.4));
  return found.length > 0 ? found : ['reading'];
}

const grids = ['smartmeter-dsmr', 'hoofdmeter', 'p1', 'meter 1'];

function createFakeMeters(
  ledger: Ledger,
  random: Random,
  { hasSun, hasGas, hasWater }: Readonly<Record<'hasSun' | 'hasGas' | 'hasWater', boolean>>,
): { meters: FakeMeter[]; choice: MeterChoice } {
  const energy = (key: string, base: number, ...columns: readonly SignedColumn[]): FakeChannel =>
    energyOf(ledger, key, base, ...columns);
  const volume = (column: Column, base: number): FakeChannel => ({
    kind: 'counter',
    key: 'volume',
    shows: (moment) => base + ledger.at(column, moment) / 1_000_000,
  });
  const { import: taken, export: given, importLow, exportLow } = ledger;
  const tariffs = [
    ...[energy('electric_energy_import_t1', 1200.5, [importLow, 1])],
    ...[energy('electric_energy_import_t2', 2100.25, [taken, 1], [importLow, -1])],
    ...[energy('electric_energy_export_t1', 300, [exportLow, 1])],
    ...[energy('electric_energy_export_t2', 400, [given, 1], [exportLow, -1])],
  ];
  const whole = [
    energy('electric_energy_import', 3300.75, [taken, 1]),
    energy('electric_energy_export', 700, [given, 1]),
  ];
  const key = random.pick(grids);
  const [sun] = ledger.inverters;
  const names = {
    sun: random.pick(['zon', 'omvormer', 'garage']),
    gas: random.pick(['gas', 'gasmeter', 'teller 7']),
    water: random.pick(['water', 'Watermeter', 'teller 8']),
  };
  const meters: FakeMeter[] = [
    { key, channels: random.pick([whole, tariffs, [...whole, ...tariffs]]) },
    ...(hasSun && sun !== undefined ? [{ key: names.sun, channels: ofInverter(ledger, sun) }] : []),
    ...(hasGas ? [{ key: names.gas, channels: [volume(ledger.gas, 432.5)] }] : []),
    ...(hasWater ? [{ key: names.water, channels: [volume(ledger.water, 87.25)] }] : []),
  ];
  return {
    meters,
    choice: {
      ...everyMeter,
      ...(key === 'meter 1' && { grid: [key] }),
      ...(names.gas === 'teller 7' && hasGas && { gas: [names.gas] }),
      ...(names.water === 'teller 8' && hasWater && { water: [names.water] }),
    },
  };
}

type SignedColumn = readonly [Column, 1 | -1];

function energyOf(ledger: Ledger, key: string, base: number, ...columns: readonly SignedColumn[]): FakeChannel {
  const shows = (moment: number): number =>
    base + columns.reduce((sum, [column, sign]) => sum + (sign * ledger.at(column, moment)) / 60_000, 0);
  return { kind: 'counter', key, shows };
}

/** A device of the connection, and one behind its meter. */
function devicesOf(
  ledger: Ledger,
  { hasDevice, hasInner }: { readonly hasDevice: boolean; readonly hasInner: boolean },
) {
  const device = (key: string, column: Column, row: Partial<StoredMeterRow> = {}) => ({
    meter: { key, channels: [energyOf(ledger, 'electric_energy_import', 33.5, [column, 1])] },
    row: { meter: key, role: 'consumption', ...row } as const,
  });
  const [outer, inner] = [
    device('warmtepomp', ledger.device),
    device('boiler', ledger.inner, { within: 'warmtepomp' }),
  ];
  return [...(hasDevice ? [outer] : []), ...(hasInner ? [inner] : [])];
}

function ledgerOfDevices(
  ledger: Ledger,
  flowed: DeviceLedger['flowed'],
  rows: readonly StoredMeterRow[],
): DeviceLedger {
  return {
    used: (meter, from, to) => {
      const column = meter === 'boiler' ? ledger.inner : ledger.device;
      return (ledger.at(column, Math.max(from, to)) - ledger.at(column, from)) / 60_000;
    },
    returned: () => 0,
    within: (meter) => rows.find((row) => row.meter === meter)?.within,
    flowed,
    prices: () => null,
  };
}

/** What an inverter takes at night is below zero in the ledger; it is the import of its meter. */
function ofInverter(ledger: Ledger, sun: Column): FakeChannel[] {
  const [up, down] = [new Float64Array(sun.length), new Float64Array(sun.length)];
  for (let minute = 1; minute < sun.length; minute += 1) {
    const change = (sun[minute] ?? 0) - (sun[minute - 1] ?? 0);
    up[minute] = (up[minute - 1] ?? 0) + Math.max(0, change);
    down[minute] = (down[minute - 1] ?? 0) + Math.max(0, -change);
  }
  return [
    { kind: 'counter', key: 'electric_energy_export', shows: (moment) => 5000 + ledger.at(up, moment) / 60_000 },
    { kind: 'counter', key: 'electric_energy_import', shows: (moment) => 12 + ledger.at(down, moment) / 60_000 },
  ];
}

/** Adds up the deliveries of a random house like the node, and compares the result with the actual flows. */
import type { MeterChoice } from '../../../src/balance/meters/choice';
import { addMessage } from '../../../src/balance/messages/add-message';
import { emptyState } from '../../../src/balance/messages/state';
import { balanceOfHouse } from '../../../src/balance/messages/houses';
import { readState } from '../../../src/balance/messages/stored-state';
import { periodContaining } from '../../../src/calendar/periods';
import { DeliveryNormalizer } from '../../../src/model/delivery';
import { MonitorRows, parseMeterRows } from '../../../src/model/meter-table';
import type { WebhookPayload } from '../../../src/model/payload';
import { minuteMs, hourMs, millis } from '../../../src/time/units';
import { findUnitStart } from '../bills/calendar';
import { Random } from '../random';
import { readBody } from '../webhook/context';
import { devicesBrokenIn } from './device-rules';
import { brokenIn, type Flowed } from './invariants';
import { deviceLedger } from './random-devices';
import type { Column } from './ledger';
import { isMeasuredWhole, lastRecorded, type MeterPlace, showCounter, type RandomHouse } from './random-house';
import type { Finding, HouseResult } from './read-house';

const choice: MeterChoice = {
  grid: ['smartmeter-dsmr'],
  production: ['zon'],
  battery: ['accu'],
  gas: ['gas'],
  water: ['water'],
};

interface Channel {
  readonly meter: string;
  readonly key: string;
  readonly of: MeterPlace;
  readonly column: Column;
  readonly base: number;
}

/** A delivery contains the counters, amounts, or both; some never arrive, some twice, some late. */
export function deliverHouse(house: RandomHouse, days: number): HouseResult {
  const random = new Random(house.seed ^ 0xde11);
  const step = random.pick([15, 15, 60]) * minuteMs;
  const what = random.pick(['readings', 'amounts', 'both'] as const);
  const loses = random.pick([0, 0, 0.02, 0.2]);
  const normalizer = new DeliveryNormalizer();
  const channels = listHouseChannels(house);
  const start = findUnitStart('day', house.start + hourMs);
  const now = Math.min(house.end, start + days * 24 * hourMs) - random.int(0, 20 * 60) * minuteMs;
  const sent: WebhookPayload[] = [];
  for (let at = start; at < now; at += step) {
    if (isAway(house, at) || random.happens(loses)) continue;
    const payload = readBody(normalizer, bodyOf(house, channels, at, step, what), at);
    sent.push(payload);
    if (house.hasDuplicates && random.happens(0.05)) sent.push(payload);
    const before = sent.length - 2;
    const other = sent[before];
    if (house.isShuffled && other !== undefined && random.happens(0.1))
      [sent[before], sent[sent.length - 1]] = [payload, other];
  }
  let state = emptyState();
  for (const payload of sent) {
    addMessage(state, payload, { timezone: house.timezone, now: payload.ts + 1000 });
    // Node-RED restarts now and then.
    if (random.happens(0.0005)) state = readState(JSON.parse(JSON.stringify(state))) ?? emptyState();
  }
  return check(house, state, start, now, random);
}

function check(
  house: RandomHouse,
  state: ReturnType<typeof emptyState>,
  start: number,
  now: number,
  random: Random,
): HouseResult {
  const findings: Finding[] = [];
  const asked = [
    ['day', now, 'PT15M'],
    ['day', now - 24 * hourMs, 'PT1H'],
    ['day', start + Math.floor(random.next() * (now - start)), 'PT1H'],
    ['month', now, 'P1D'],
    ['year', now, 'P1M'],
  ] as const;
  const rows = new MonitorRows(parseMeterRows(house.described.rows));
  const devices = deviceLedger(house, () => null);
  const flowed: Flowed = (flow, from, to) => house.flowed(flow, from, to);
  for (const [unit, at, step] of asked) {
    const period = periodContaining(unit, house.timezone, millis(Math.max(start, at)));
    const payload = balanceOfHouse(
      { name: '1', monitor: { id: null, cemm: 1 }, installation: undefined, state },
      choice,
      { period, step, prices: null, now, rows },
    );
    // Hours are known until the last delivery.
    const ofDevices = devicesBrokenIn(payload, devices, Math.min(now, state.newest));
    for (const broken of [...brokenIn(payload, flowed, now), ...ofDevices]) {
      findings.push({
        seed: house.seed,
        period: `delivered ${period.label}`,
        now: new Date(now).toISOString(),
        broken,
      });
    }
  }
  return { balances: asked.length, findings };
}

function listHouseChannels({
  hasGrid,
  offersExport,
  inverters,
  battery,
  hasDevice,
  described,
  gas,
  hasWater,
  ledger,
}: RandomHouse): Channel[] {
  const [inverter] = ledger.inverters;
  return [
    ...(hasGrid ? [channel('smartmeter-dsmr', 'electric_energy_import', 'p1', ledger.import, 3333.75)] : []),
    ...(hasGrid && offersExport
      ? [channel('smartmeter-dsmr', 'electric_energy_export', 'p1', ledger.export, 777.625)]
      : []),
    // A single inverter has its meter's own key.
    ...(inverters.length === 1 && inverter !== undefined
      ? [channel('zon', 'electric_energy_export', 'inverters', inverter, 5432.1)]
      : []),
    ...(battery === null
      ? []
      : [
          channel('accu', 'electric_energy_import', 'battery', ledger.charged, 812.5),
          channel('accu', 'electric_energy_export', 'battery', ledger.discharged, 640.25),
        ]),
    // Without a row it counts for nothing.
    ...(hasDevice ? [channel('laadpaal', 'electric_energy_import', 'device', ledger.device, 33.5)] : []),
    ...(described.hasInner ? [channel('boiler', 'electric_energy_import', 'inner', ledger.inner, 12.25)] : []),
    ...(gas === 'none' ? [] : [channel('gas', 'gas', 'gas', ledger.gas, 4321.5)]),
    ...(hasWater ? [channel('water', 'volume', 'water', ledger.water, 87.25)] : []),
  ];
}

function channel(meter: string, key: string, of: Channel['of'], column: Column, base: number): Channel {
  return { meter, key, of, column, base };
}

function isAway({ outages }: RandomHouse, at: number): boolean {
  return outages.some((one) => one.of === 'all' && at >= one.from && at < one.to);
}

type Records = Record<string, Record<string, Record<string, { time: number; value: number } | null>>>;

function bodyOf(
  house: RandomHouse,
  channels: readonly Channel[],
  at: number,
  step: number,
  what: 'readings' | 'amounts' | 'both',
): object {
  const data: Records = {};
  const topic = step === hourMs ? 'last/hour' : 'last/15minutes';
  for (const { meter, key, of, column, base } of channels) {
    const records: Record<string, { time: number; value: number } | null> = {};
    if (what !== 'amounts') {
      const read = lastRecorded(house, of, at - 2000);
      const ts = of === 'gas' ? Math.floor(read / hourMs) * hourMs : read;
      records['reading'] = {
        time: Math.floor(ts / 1000),
        value: showCounter(house, of, column, base, Math.floor(ts / 1000) * 1000),
      };
    }
    if (what !== 'readings') {
      const unit = of === 'gas' || of === 'water' ? 1_000_000 : 60_000;
      const amount = (house.ledger.at(column, at) - house.ledger.at(column, at - step)) / unit;
      records[topic] = isMeasuredWhole(house, of, at - step, at)
        ? { time: at / 1000, value: Math.round(amount * 1e6) / 1e6 }
        : null;
    }
    data[meter] = { ...data[meter], [key]: records };
  }
  return { format: 'basic-v1', cemm: 1, time: Math.floor(at / 1000), data };
}

/** True for a house whose deliveries are complete: further inverters have no key. */
export function canDeliver({ inverters }: RandomHouse): boolean {
  return inverters.length < 2;
}

/** One payload of every kind, small enough to write down its output in each format. */
import type {
  AvailabilityPayload,
  BalancePayload,
  MeterPayload,
  MonitorPayload,
  PayloadBase,
  ProblemPayload,
  RealtimePayload,
  SeriesPayload,
  TotalsPayload,
  WebhookPayload,
} from '../../../src/model/payload';
import { minuteMs, hourMs } from '../../../src/time/units';

/** 2026-10-25T12:00:00Z */
export const T = 1_792_929_600_000;
export const MAC = '001122aabbcc';

const base = {
  schema: 'cemm/1',
  ts: T,
  time: '2026-10-25T12:00:00.000Z',
  monitor: { id: MAC, name: 'Meter cupboard', host: '192.0.2.9', type: 'CEMM_basic', version: '2.26.0.0' },
  source: { transport: 'local', fetchedAt: T + 900, latencyMs: 41, requests: 1, promises: 0 },
} satisfies Partial<PayloadBase>;

/** The day before that afternoon begins in summer time and has 25 hours. */
const day = {
  unit: 'day',
  label: '2026-10-25',
  timezone: 'Europe/Amsterdam',
  start: Date.UTC(2026, 9, 24, 22),
  end: Date.UTC(2026, 9, 25, 23),
} as const;

export const realtime: RealtimePayload = {
  ...base,
  kind: 'realtime',
  id: `rt:${MAC}:p1:${T}`,
  meter: { alias: 'p1', role: 'grid' },
  values: {
    power_w: -1240,
    power_import_w: 0,
    power_export_w: 1240,
    energy_import_t1_kwh: 4310.52,
    energy_import_t2_kwh: null,
    energy_import_kwh: null,
    energy_net_kwh: 12,
    gas_m3: 2511.873,
    tariff: 2,
    switch_raw: null,
  },
  times: { gas_m3: T - 5 * minuteMs },
  missing: { energy_import_t2_kwh: 'no_timestamp', energy_import_kwh: 'incomplete_sum', switch_raw: 'no_timestamp' },
};

export const water: RealtimePayload = {
  ...base,
  kind: 'realtime',
  id: `rt:${MAC}:pulse-2:${T}`,
  meter: { alias: 'pulse-2', role: 'water' },
  values: { flow_lpm: 6, water_m3: 800.5 },
  times: { water_m3: T - 1500 },
  missing: {},
};

export const totals: TotalsPayload = {
  ...base,
  kind: 'totals',
  id: `tt:${MAC}:p1:2026-10-25`,
  meter: { alias: 'p1', role: 'grid' },
  period: { ...day, final: false },
  values: { energy_import_t1_kwh: 4310.5, energy_export_t1_kwh: 0, gas_m3: null },
  times: {},
  missing: { gas_m3: 'not_offered' },
};

/** Minutes 0, 1, 3 and 4 of the day; minute 2 is missing, and gas has a value every second minute. */
export const series: SeriesPayload = {
  ...base,
  kind: 'series',
  id: `sr:${MAC}:p1:day:2026-10-25`,
  ts: day.start,
  time: new Date(day.start).toISOString(),
  meter: { alias: 'p1', role: 'grid' },
  period: { ...day, step: 'PT1M' },
  fields: {
    power_w: { unit: 'W', semantics: 'average', unitSource: 'specification', semanticsSource: 'assumed' },
    gas_lpm: { unit: 'L/min', semantics: 'average', unitSource: 'assumed', semanticsSource: 'assumed' },
  },
  points: [
    { ts: day.start, power_w: 250, gas_lpm: 3 },
    { ts: day.start + minuteMs, power_w: 300.5, gas_lpm: null },
    { ts: day.start + 2 * minuteMs, power_w: null, gas_lpm: 0 },
    { ts: day.start + 3 * minuteMs, power_w: 0, gas_lpm: null },
    { ts: day.start + 4 * minuteMs, power_w: -20, gas_lpm: 1.5 },
  ],
  stats: { expected: 5, received: 2, gaps: 3, duplicates: 0, futureTrimmed: 0, outside: 0 },
  complete: false,
};

const delivery = {
  format: 'basic-v1',
  verified: ['hmac'],
  keyUsed: 'current',
  ageMs: 640,
  bytes: 812,
  replayCheck: 'window',
} satisfies WebhookPayload['delivery'];

const ofDsmr = { meter: 'dsmr', unitSource: 'assumed' } as const;
const power = { ...ofDsmr, channel: 'electric_power_import', field: 'power_import_w', unit: 'W' } as const;
const energy = { ...ofDsmr, channel: 'electric_energy_import', field: 'energy_import_kwh', unit: 'kWh' } as const;

export const webhook: WebhookPayload = {
  ...base,
  kind: 'webhook',
  id: `wh:24000001:${T / 1000}:9f2c41d07be3a816`,
  monitor: { id: null, cemm: 24_000_001 },
  source: { ...base.source, transport: 'webhook' },
  delivery,
  readings: [
    { ...power, topic: 'realtime', value: 412.5, unitSource: 'monitor', ts: T - 1000 },
    { ...power, topic: 'last/15minutes', value: 398, ts: T, window: { start: T - 15 * minuteMs, end: T } },
    { ...energy, topic: 'this/day', value: 3.2, ts: T, window: { start: day.start, end: T } },
    { ...energy, topic: 'realtime', value: null, ts: null, missing: 'topic_not_valid' },
    {
      meter: 'boiler gas',
      channel: 'volume',
      topic: 'reading',
      field: 'gas_m3',
      value: 2511.8,
      unit: 'm3',
      unitSource: 'monitor',
      ts: null,
    },
    {
      meter: 'boiler gas',
      channel: 'flow',
      topic: 'realtime',
      field: 'flow_lpm',
      value: null,
      unit: 'L/min',
      unitSource: 'assumed',
      ts: null,
      missing: 'no_recent_value',
    },
  ],
  values: { dsmr: { power_import_w: 412.5 }, 'boiler gas': { gas_m3: 2511.8 } },
};

export const timeseries: WebhookPayload = {
  ...base,
  kind: 'webhook',
  id: `wh:/cemm:${T / 1000}:9f2c41d07be3a816`,
  monitor: { id: null },
  installation: 'house-1',
  source: { ...base.source, transport: 'webhook' },
  delivery: { ...delivery, format: 'timeseries', ageMs: null, replayCheck: 'none' },
  readings: [],
  values: {},
  points: [
    { ts: T - 2 * minuteMs, power_w: 100 },
    { ts: T - minuteMs, power_w: null },
  ],
  meter: { key: 'dsmr', role: null },
};

/** A delivery without a monitor and an installation. */
export const nameless: WebhookPayload = { ...timeseries };
delete nameless.installation;

export const unknownDelivery: WebhookPayload = {
  ...base,
  kind: 'webhook',
  id: `wh:24000001:${T / 1000}:0000000000000000`,
  monitor: { id: null, cemm: 24_000_001 },
  source: { ...base.source, transport: 'webhook' },
  delivery: { ...delivery, format: 'basic-v9' },
  readings: [],
  values: {},
  raw: { something: 'else' },
};

const monitor: MonitorPayload = {
  ...base,
  kind: 'monitor',
  id: `mo:${MAC}`,
  change: 'new',
  verified: true,
};

const meter: MeterPayload = {
  ...base,
  kind: 'meter',
  id: `me:${MAC}:p1`,
  meter: { alias: 'p1', role: 'grid', ioId: 1 },
};

/** A reading of p1, some seconds later. */
export function later(seconds: number, values: RealtimePayload['values']): RealtimePayload {
  const ts = T + seconds * 1000;
  return { ...realtime, ts, source: { ...realtime.source, fetchedAt: ts }, values, times: {}, missing: {} };
}

export const offline: AvailabilityPayload = {
  ...base,
  kind: 'availability',
  id: `av:${MAC}:p1:offline:${T}`,
  meter: { alias: 'p1', role: 'grid' },
  state: 'offline',
  since: T,
  reason: 'NETWORK',
  failures: 3,
  nextRetryMs: 20_000,
};

export const problem: ProblemPayload = {
  ...base,
  kind: 'problem',
  id: `wp:/cemm:missed:${T - minuteMs}:${T}`,
  monitor: { id: null, cemm: 24_000_001 },
  source: { ...base.source, transport: 'webhook' },
  reason: 'missed',
  count: 1,
  remote: null,
  slot: { start: T - minuteMs, end: T },
};

const house = { ...base, kind: 'balance' } as const;

/** The house uses 700 W, of which the sun supplies 500 W. */
export const houseNow: BalancePayload = {
  ...house,
  id: `bl:${MAC}:now:${T}`,
  meters: { grid: ['p1'], production: ['s01'], gas: [], water: [] },
  values: {
    power_import_w: 200,
    power_export_w: 0,
    power_production_w: 500,
    power_house_w: 700,
    power_self_consumed_w: 500,
  },
  method: {},
  coverage: {},
  peak: { power_w: null, start: T, end: T + 15 * minuteMs, expected_w: 210 },
  counters: {},
  estimated: [],
  missing: {},
  complete: true,
};

/** Two hours of the day; in the second one the inverter could not be read. */
export const houseDay: BalancePayload = {
  ...house,
  id: `bl:${MAC}:day:2026-10-25:PT1H`,
  ts: day.start,
  time: new Date(day.start).toISOString(),
  meters: { grid: ['p1'], production: ['s01'], gas: ['p1'], water: [] },
  period: { ...day, step: 'PT1H' },
  values: {
    energy_import_kwh: 1.25,
    energy_export_kwh: 0.5,
    energy_production_kwh: 2,
    energy_self_consumed_kwh: 1.5,
    energy_house_kwh: 2.75,
    self_sufficiency: 0.29,
    gas_m3: null,
    energy_import_t1_kwh: 1.25,
  },
  points: [
    {
      ts: day.start,
      energy_import_kwh: 0.25,
      energy_export_kwh: 0.5,
      energy_production_kwh: 2,
      energy_self_consumed_kwh: 1.5,
      energy_house_kwh: 1.75,
      gas_m3: null,
      cost: 0.04,
    },
    {
      ts: day.start + hourMs,
      energy_import_kwh: 1,
      energy_export_kwh: 0,
      energy_production_kwh: null,
      energy_self_consumed_kwh: null,
      energy_house_kwh: null,
      gas_m3: null,
      cost: null,
    },
  ],
  method: { energy_import_kwh: 'registers', energy_export_kwh: 'registers', energy_production_kwh: 'minutes' },
  coverage: { energy_import_kwh: 1, energy_export_kwh: 1, energy_production_kwh: 0.5, gas_m3: 0 },
  peak: { power_w: 1400, start: day.start + hourMs, end: day.start + hourMs + 15 * minuteMs },
  counters: { energy_import_kwh: { start: [day.start, 10], end: [T, 11.25] } },
  estimated: [],
  cost: {
    currency: 'EUR',
    import: 0.3,
    export: 0.02,
    export_fee: null,
    gas: null,
    water: null,
    fixed: 1.2,
    peak: null,
    total: 1.48,
    netted: null,
    per_kwh: 0.24,
    coverage: 0.5,
  },
  missing: { gas_m3: 'not_readable' },
  complete: false,
};

export const everyKind = {
  realtime,
  water,
  totals,
  series,
  webhook,
  timeseries,
  nameless,
  unknownDelivery,
  monitor,
  meter,
  offline,
  problem,
  houseNow,
  houseDay,
} as const;

export const S = day.start;

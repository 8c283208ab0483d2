/**
 * A house with sun, gas and water whose monitor delivers by webhook, with exactly the topics that docs/webhooks.md names for the page,
 * and the moments at which its owner looks.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { findUnitStart } from '../bills/calendar';
import { type FakeChannel, type FakeMeter } from './specified-webhook';
import { minuteMs, dayMs, hourMs } from '../../../src/time/units';

export const firstDelivery = Date.parse('2026-11-24T14:00:00Z');
const began = Date.parse('2023-05-01T00:00:00Z');

/** kW: the sun shines from 8:00 to 16:00 UTC, when half of it is used. */
const isDay = (moment: number): boolean => moment % dayMs >= 8 * hourMs && moment % dayMs < 16 * hourMs;
export const kw = {
  import: (moment: number) => (isDay(moment) ? 0 : 0.4),
  export: (moment: number) => (isDay(moment) ? 0.6 : 0),
  sun: (moment: number) => (isDay(moment) ? 1.2 : 0),
  ownUse: (moment: number) => (isDay(moment) ? 0 : 0.01),
  water: () => 0.02,
  gas: () => 0.05,
} as const;
type Flow = keyof typeof kw;

/** Since the monitor began. */
function flowedBy(flow: Flow, moment: number): number {
  const [days, rest] = [Math.floor((moment - began) / dayMs), (moment - began) % dayMs];
  const [night, day] = [kw[flow](began), kw[flow](began + 12 * hourMs)];
  const lit = Math.max(0, Math.min(rest, 16 * hourMs) - 8 * hourMs);
  return (days * (8 * day + 16 * night) * hourMs + lit * day + (rest - lit) * night) / hourMs;
}

export const flowed = (flow: Flow, from: number, to: number): number => flowedBy(flow, to) - flowedBy(flow, from);
const counter = (key: string, flow: Flow): FakeChannel => ({
  kind: 'counter',
  key,
  shows: (moment) => 321.5 + flowedBy(flow, moment),
});
const power = (key: string, flow: Flow): FakeChannel => ({
  kind: 'average',
  key,
  mean: (from, to) => (1000 * flowed(flow, from, to)) / ((to - from) / hourMs),
});

export const meters: readonly FakeMeter[] = [
  {
    key: 'smartmeter-dsmr',
    channels: [
      ...[power('electric_power_import', 'import'), power('electric_power_export', 'export')],
      ...[counter('electric_energy_import', 'import'), counter('electric_energy_export', 'export')],
    ],
  },
  {
    key: 'zon',
    channels: [
      ...[power('electric_power_import', 'ownUse'), power('electric_power_export', 'sun')],
      ...[counter('electric_energy_import', 'ownUse'), counter('electric_energy_export', 'sun')],
    ],
  },
  { key: 'gas', channels: [counter('volume', 'gas')] },
  { key: 'water', channels: [counter('volume', 'water')] },
];

/** The topics of the table by view, for power and for energy and volume. */
function topicsOfDocs(): { readonly power: readonly string[]; readonly counted: readonly string[] } {
  const docs = readFileSync(path.resolve(__dirname, '../../../docs/webhooks.md'), 'utf8');
  const rows = /\| View \|.*\n\|-.*\n((?:\|.*\n)+)/.exec(docs)?.[1]?.trim().split('\n') ?? [];
  const topicsIn = (column: number): string[] => [
    ...new Set(
      rows.flatMap((row) => [...(row.split('|')[column] ?? '').matchAll(/`([^`]+)`/g)].map(([, topic]) => topic ?? '')),
    ),
  ];
  return { power: topicsIn(2), counted: topicsIn(3) };
}

export const { power: powerTopics, counted } = topicsOfDocs();

export const ticked = (_: string, channel: string): readonly string[] =>
  channel.includes('power') ? powerTopics : counted;

/** Ten minutes, the next morning, a week and a month after the first delivery. */
export const looks = {
  minutes: firstDelivery + 10 * minuteMs,
  morning: findUnitStart('day', firstDelivery, 1) + 7 * hourMs + 10 * minuteMs,
  week: firstDelivery + 7 * dayMs,
  month: firstDelivery + 31 * dayMs,
};

/** The walk of a house owner whose monitor delivers by webhook, with exactly the topics that docs/webhooks.md names for the page. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import should from 'should';
import { parsePrices } from '../../../src/balance/prices/prices';
import { dayRange } from '../../../src/calendar/periods';
import type { BalancePayload } from '../../../src/model/payload';
import { millis } from '../../../src/protocol/time';
import { AddedDeliveries } from '../../support/houses/added-deliveries';
import {
  everyTopic,
  type FakeChannel,
  type FakeMeter,
  specifiedBody,
  startOf,
} from '../../support/houses/specified-webhook';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const first = Date.parse('2026-11-24T14:00:00Z');
const began = Date.parse('2023-05-01T00:00:00Z');

/** kW: the sun shines from 8:00 to 16:00 UTC, when half of it is used. */
const isDay = (moment: number): boolean => moment % dayMs >= 8 * hourMs && moment % dayMs < 16 * hourMs;
const kw = {
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

const flowed = (flow: Flow, from: number, to: number): number => flowedBy(flow, to) - flowedBy(flow, from);
const counter = (key: string, flow: Flow): FakeChannel => ({
  ...{ kind: 'counter', key },
  shows: (moment) => 321.5 + flowedBy(flow, moment),
});
const power = (key: string, flow: Flow): FakeChannel => ({
  ...{ kind: 'average', key },
  mean: (from, to) => (1000 * flowed(flow, from, to)) / ((to - from) / hourMs),
});

const meters: readonly FakeMeter[] = [
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

const { power: powerTopics, counted } = topicsOfDocs();
const ticked = (_: string, channel: string): readonly string[] => (channel.includes('power') ? powerTopics : counted);

/** Every field of a tile is a number, or has a reason. */
function holdTiles({ values, missing }: BalancePayload): void {
  Object.keys(values).length.should.be.above(3);
  for (const [field, value] of Object.entries(values)) {
    if (value === null) should(missing[field]).be.a.String().and.not.equal('');
  }
}

async function holdViews(added: AddedDeliveries, now: number): Promise<void> {
  const present = await added.now(now + 1000);
  holdTiles(present);
  should(present.values['power_house_w']).be.approximately(
    1000 * (kw.import(now - 1) - kw.export(now - 1) + kw.sun(now - 1) - kw.ownUse(now - 1)),
    1e-6,
  );
  for (const [unit, shift, length] of [
    ['day', 0, 10],
    ['day', -1, 10],
    ['month', 0, 7],
    ['month', -1, 7],
    ['year', 0, 4],
    ['year', -1, 4],
  ] as const) {
    const [from, end] = [startOf(unit, now, shift), startOf(unit, now, shift + 1)];
    const to = Math.min(now, end);
    const label = new Date(from + dayMs / 2).toISOString().slice(0, length);
    const balance = await added.balance(label, now + 1000);
    holdTiles(balance);
    const { values, complete } = balance;
    const production = flowed('sun', from, to) - flowed('ownUse', from, to);
    for (const [field, wanted] of [
      ['energy_import_kwh', flowed('import', from, to)],
      ['energy_export_kwh', flowed('export', from, to)],
      ['energy_production_kwh', production],
      ['energy_house_kwh', flowed('import', from, to) - flowed('export', from, to) + production],
      ['gas_m3', flowed('gas', from, to)],
      ['water_m3', flowed('water', from, to)],
    ] as const) {
      should(values[field]).be.approximately(wanted, 1e-3, `${field} of ${label} at ${new Date(now).toISOString()}`);
    }
    should(complete).equal(true);
  }
}

describe('the walk with a webhook', function () {
  this.timeout(60_000);

  it('has every topic of the table in docs/webhooks.md on the monitor', () => {
    should(powerTopics).eql(['realtime']);
    counted.length.should.be.aboveOrEqual(7);
    for (const topic of [...powerTopics, ...counted]) everyTopic.should.containEql(topic);
  });

  it('has every view right after ten minutes, at 07:10, after a week, after a restart and after a month', async () => {
    const added = new AddedDeliveries();
    const looks = {
      minutes: first + 10 * minuteMs,
      morning: startOf('day', first, 1) + 7 * hourMs + 10 * minuteMs,
      week: first + 7 * dayMs,
      month: first + 31 * dayMs,
    };
    for (let at = first; at <= looks.month; at += 5 * minuteMs) {
      await added.add(specifiedBody(meters, ticked, at), at);
      if (!Object.values(looks).includes(at)) continue;
      if (at === looks.week) {
        added.restart();
        // What is of this moment comes with the next delivery.
        holdTiles(await added.balance('2026-11', at + 1000));
        await added.add(specifiedBody(meters, ticked, at), at);
      }
      await holdViews(added, at);
    }
    const now = looks.week;
    const twelve = dayRange(
      'Europe/Amsterdam',
      millis(startOf('month', now, -12)),
      millis(startOf('month', now) - 1),
      400,
    );
    const range = await added.known(twelve, looks.month);
    should(range?.label).equal('2026-11-23/2026-12-24');
    if (range === null) throw new Error('There is no range.');
    const prices = parsePrices({ currency: 'EUR', import: 0.3, export: 0.1, per_day: 1 }, 'Europe/Amsterdam');
    const { bills, share } = await added.bill(range, looks.month, { prices: [prices, prices], batteriesKwh: [] });
    should(share).equal(1);
    const [from, to] = [startOf('day', first, -1), startOf('day', looks.month)];
    const energy = 0.3 * flowed('import', from, to) - 0.1 * flowed('export', from, to);
    should(bills?.[0]?.total).be.approximately(energy + 32, 0.01);
  });
});

/** How far a balance of the page is known: until the last reading, without a cost that lacks a part, and by the time of day. */
import should from 'should';
import { type Comparison, comparisonOf } from '../../../nodes/cemm-page/page/draw/comparison';
import type { Sheet } from '../../../nodes/cemm-page/page/draw/card';
import { figuresOf, heroOf } from '../../../nodes/cemm-page/page/draw/tiles';
import { barsOf } from '../../../nodes/cemm-page/page/draw/period';
import { periodSentence } from '../../../nodes/cemm-page/page/draw/sentence';
import { tableOf } from '../../../nodes/cemm-page/page/draw/table';
import type { BalancePayload } from '../../../src/model/payload';
import { hourMs } from '../../../src/time/units';
import { drawnOf, morning, noon } from '../../support/page/drawn-house';
import { balanceWith, sheetAt, zone } from '../../support/page/sheet';

const at = (time: string): number => Date.parse(time);
const used = 'energy_house_kwh';

/** A day by the hour; kWh by the time of day, so that the same time has the same number on every day. */
function dayOf(label: string, start: string, end: string, fetched: string, more: Partial<BalancePayload> = {}) {
  const period = { unit: 'day', label, timezone: zone, start: at(start), end: at(end), step: 'PT1H' } as const;
  const fetchedAt = at(fetched);
  const { formats } = sheetAt(fetchedAt);
  const hours = Array.from(
    { length: (period.end - period.start) / hourMs },
    (_, index) => period.start + index * hourMs,
  );
  const points = hours
    .filter((ts) => ts + hourMs <= fetchedAt)
    .map((ts) => ({ ts, [used]: 1 + Number(formats.clock(ts).slice(0, 2)), energy_import_kwh: 1, cost: 1 }));
  return balanceWith({
    period,
    points,
    source: { transport: 'webhook', fetchedAt, latencyMs: 0, requests: 0, promises: 0 },
    values: { [used]: points.reduce((sum, point) => sum + point[used], 0) },
    ...more,
  });
}

const long = dayOf('2026-10-25', '2026-10-25T00:00+02:00', '2026-10-26T00:00+01:00', '2026-10-25T12:00+01:00');
const before = dayOf('2026-10-18', '2026-10-18T00:00+02:00', '2026-10-19T00:00+02:00', '2026-10-19T01:00+02:00');
const short = dayOf('2026-03-29', '2026-03-29T00:00+01:00', '2026-03-30T00:00+02:00', '2026-03-29T12:00+02:00');
const after = dayOf('2026-11-01', '2026-11-01T00:00+01:00', '2026-11-02T00:00+01:00', '2026-11-01T12:00+01:00');
/** kWh of the hours before 12:00. */
const untilNoon = 78;

function compared(sheet: Sheet, balance: BalancePayload, other: BalancePayload): Comparison {
  return comparisonOf(sheet, balance, other, 'Other');
}

describe('a balance on the page', () => {
  it('ends at the last reading where the monitor has been away since, and so does the other day', () => {
    const day = dayOf('2026-10-17', '2026-10-17T00:00+02:00', '2026-10-18T00:00+02:00', '2026-10-17T10:00+02:00');
    const sheet = sheetAt(at('2026-10-17T14:00+02:00'));
    const other = compared(sheet, day, before);
    should(heroOf(sheet, day, other).name).equal('Used, until 10:00');
    should(other.name).equal('Other, until 10:00');
    should(other.valueFor(used)).equal(55);
    // It has come back after the day.
    should(heroOf(sheetAt(at('2026-10-19T10:00+02:00')), before, null).name).equal('Used');
  });

  it('says until which day a month is known', () => {
    const period = { unit: 'month', label: '2026-10', timezone: zone, step: 'P1D' } as const;
    const month = (fetched: string): string =>
      heroOf(
        sheetAt(at('2026-10-17T14:00+02:00')),
        balanceWith({
          period: { ...period, start: at('2026-10-01T00:00+02:00'), end: at('2026-11-01T00:00+01:00') },
          source: { transport: 'webhook', fetchedAt: at(fetched), latencyMs: 0, requests: 0, promises: 0 },
          values: { [used]: 3 },
        }),
        null,
      ).name;
    should(month('2026-10-17T09:00+02:00')).equal('Used, up to today');
    should(month('2026-10-12T09:00+02:00')).equal('Used, until Oct 12');
  });

  it('is compared by the time of day where the clock was changed', () => {
    const shownAt = (balance: BalancePayload) => sheetAt(balance.source.fetchedAt);
    should(compared(shownAt(long), long, before).valueFor(used)).equal(untilNoon);
    // Hour 2 stands twice in it.
    const twice = compared(shownAt(after), after, long);
    should(twice.valueFor(used)).equal(untilNoon + 3);
    should(compared(shownAt(short), short, before).valueFor(used)).equal(untilNoon);
    should(compared(shownAt(after), after, short).valueFor(used)).equal(untilNoon - 3);
    should(compared(shownAt(long), long, before).shareFor(used)).equal(1);
  });

  it('has the same time of day of the other day beside it, in the table and in the chart', () => {
    for (const day of [long, short]) {
      const sheet = sheetAt(day.source.fetchedAt);
      const comparison = compared(sheet, day, before);
      const rows = tableOf(sheet, day, comparison)?.rows.slice(0, -1) ?? [];
      should(rows.length).equal(day.points?.length);
      for (const [, own, other] of rows) should(other).equal(own);
      const ghosts = barsOf(sheet, day, comparison)?.ghosts ?? [];
      should(ghosts.length).equal(day === long ? 25 : 23);
    }
  });

  it('has no cost beside it where a part of that cost is not known', () => {
    const cost = {
      currency: 'EUR',
      import: 12,
      export: 0,
      gas: null,
      water: null,
      fixed: 0,
      total: 12,
      netted: 12,
      per_kwh: null,
      coverage: 1,
    };
    const partly = (missing: BalancePayload['missing']): BalancePayload => ({
      ...before,
      cost: { ...cost, export_fee: 0, peak: null },
      missing,
    });
    const known = sheetAt(at('2026-10-26T10:00+01:00'));
    const running = sheetAt(long.source.fetchedAt);
    for (const sheet of [known, running]) {
      should(compared(sheet, long, partly({})).valueFor('cost')).be.a.Number();
      should(compared(sheet, long, partly({ 'cost.total': 'no_price' })).valueFor('cost')).equal(null);
    }
    const total = (missing: BalancePayload['missing']): string | undefined =>
      tableOf(known, partly(missing), null)?.rows.at(-1)?.at(-1);
    should(total({})).equal('12.00');
    should(total({ 'cost.total': 'no_price' })).equal('–');
  });

  it('has no sentence about another period that was measured in part, or is still read', () => {
    const { [used]: sum = 0 } = before.values;
    const now = dayOf('2026-10-25', '2026-10-25T00:00+02:00', '2026-10-26T00:00+01:00', '2026-10-27T00:00+01:00');
    const sheet = sheetAt(at('2026-10-27T10:00+01:00'));
    const sentence = (parts: Partial<BalancePayload>): string =>
      periodSentence(sheet, now, compared(sheet, now, { ...before, values: { [used]: Number(sum) / 2 }, ...parts }));
    should(sentence({})).match(/more than/);
    should(sentence({ coverage: { [used]: 0.9 } })).not.match(/more than/);
    should(sentence({ progress: { done: 3, all: 4, unit: 'day' } })).not.match(/more than/);
  });

  it('has no cost until the same day where that has a capacity tariff', () => {
    const running = sheetAt(long.source.fetchedAt);
    const cost = { currency: 'EUR', import: 12, export: 0, export_fee: 0, gas: null, water: null, fixed: 0 };
    const withPeak = (peak: number | null) => ({ ...cost, peak, total: 12, netted: 12, per_kwh: null, coverage: 1 });
    should(compared(running, long, { ...before, cost: withPeak(null) }).valueFor('cost')).be.a.Number();
    should(compared(running, long, { ...before, cost: withPeak(17.75) }).valueFor('cost')).equal(null);
  });

  it('has a row for the capacity tariff in its table, so that the rows add up to the total', () => {
    const cost = { currency: 'EUR', import: 24, export: 0, export_fee: 0, gas: null, water: null, fixed: 0 };
    const sheet = sheetAt(at('2026-10-26T10:00+01:00'));
    const lastRows = (peak: number, other: BalancePayload | null) => {
      const total = 24 + peak;
      const day = { ...before, cost: { ...cost, peak, total, netted: total, per_kwh: null, coverage: 1 } };
      return tableOf(sheet, day, other === null ? null : compared(sheet, day, other))?.rows.slice(-2) ?? [];
    };
    lastRows(4, null).should.deepEqual([
      ['Capacity tariff', '', '', '4.00'],
      ['Total', '300.0', '–', '28.00'],
    ]);
    lastRows(4, long)[0]?.should.deepEqual(['Capacity tariff', '', '', '', '4.00']);
    lastRows(0, null).flat().should.not.containEql('Capacity tariff');
  });

  it('does not say that the prices are unknown where the meter readings by tariff are', () => {
    const cost = { currency: 'EUR', import: null, export: null, export_fee: null, gas: null, water: null, fixed: null };
    const noted = (language: string): readonly string[] | undefined => {
      const unknown = { ...cost, peak: null, total: null, netted: null, per_kwh: null, coverage: 0 };
      const balance = { ...before, cost: unknown, missing: { 'cost.total': 'not_by_tariff' } } as const;
      return heroOf(sheetAt(at('2026-10-26T10:00+01:00'), language), balance, null).cost?.notes;
    };
    should(noted('en')).eql(['the kWh of each tariff are not known']);
    should(noted('nl')).eql(['de kWh per tarief zijn niet bekend']);
    should(noted('de')).eql(['die kWh je Tarif sind nicht bekannt']);
    should(noted('fr')).eql(['les kWh de chaque tarif ne sont pas connus']);
  });

  it('says how much was measured of what its self-sufficiency stands for', () => {
    const sheet = sheetAt(at('2026-06-17T14:10+02:00'));
    const notesOf = (share: number) =>
      figuresOf(
        sheet,
        balanceWith({
          values: { [used]: 0.6, energy_production_kwh: 13.8, self_sufficiency: 1 },
          coverage: { [used]: share },
        }),
        null,
      ).find(({ key }) => key === 'sufficiency')?.notes;
    should(notesOf(0.15)).eql(['15% measured']);
    should(notesOf(1)).eql([]);
  });

  it('opens today in the morning too, when a day without a date is yesterday', async () => {
    const drawnAt = async (moment: number, date: string | null) => drawnOf({ view: 'day', date }, { moment });
    const yesterday = await drawnAt(morning, null);
    should(yesterday.picker?.isCurrent).equal(false);
    should(yesterday.today).equal('2026-06-18');
    should((await drawnAt(morning, yesterday.today)).picker?.isCurrent).equal(true);
    should((await drawnAt(noon, null)).today).equal(null);
  });
});

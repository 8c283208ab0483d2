/** The functions of the example energy-page: a missing value is a dash, a missing meter is hidden. */
import should from 'should';
import type { BalancePayload } from '../../../src/model/payload';
import { runFunction } from '../../support/docs/example-functions';

const noon = Date.parse('2026-06-18T12:00:00+02:00');
const hour = 3_600_000;

type Values = Record<string, number | null>;

interface House {
  readonly values?: Values;
  readonly production?: readonly string[];
  readonly gas?: readonly string[];
  readonly water?: readonly string[];
  readonly fetchedAt?: number;
}

interface Part {
  readonly key: string;
  readonly text: string;
  readonly seconds: string | number;
}

const everything: Values = {
  energy_import_kwh: 1.5,
  energy_export_kwh: 2,
  energy_production_kwh: 4,
  energy_self_consumed_kwh: 2,
  energy_house_kwh: 3.5,
  self_consumption: 0.5,
  self_sufficiency: 0.571,
  gas_m3: 1.234,
  water_m3: 0.2,
};

/** A day from midnight on, with the same amount in each past quarter of an hour. */
function dayOf(date: string, { values = everything, fetchedAt = noon, ...meters }: House = {}) {
  const start = Date.parse(`${date}T00:00:00+02:00`);
  const quarters = Math.min(96, Math.max(0, (fetchedAt - start) / (hour / 4)));
  return {
    ...{ kind: 'balance', ts: start, values, coverage: { energy_house_kwh: 1 }, source: { fetchedAt } },
    period: { unit: 'day', timezone: 'Europe/Amsterdam', start, end: start + 24 * hour },
    meters: { grid: ['p1'], production: ['s01', 'mb5'], gas: ['p1'], water: ['pulse-2'], ...meters },
    counters: {
      energy_import_t1_kwh: { start: null, end: [noon, 1234.99] },
      energy_import_t2_kwh: { start: null, end: [noon, 20] },
      energy_export_kwh: { start: null, end: null },
    },
    cost: { currency: 'EUR', import: 0.5, export: 0.1, total: 2 },
    points: Array.from({ length: quarters }, (_, index) => ({
      ts: start + (index * hour) / 4,
      gas_m3: 0.01,
      water_m3: 0.001,
    })),
  };
}

const { texts } = runFunction('energy-page', 'cemm-energy-texts', {}, { env: { lang: 'en' } }) as { texts: object };

function shownBy(part: string, message: object): Record<string, unknown> | null {
  const shown = runFunction('energy-page', `cemm-energy-show-${part}`, {
    texts,
    isOld: false,
    away: false,
    ...message,
  });
  return shown === null ? null : (shown as { payload: Record<string, unknown> }).payload;
}

function partsOf(message: object): Part[] {
  return shownBy('picture', { heard: noon, reason: '', ...message })?.['parts'] as Part[];
}

/** The node that keeps the balances, with its context; each call is a message at a moment. */
function collecting() {
  const context = new Map<string, unknown>();
  return (message: object, now: number) =>
    runFunction('energy-page', 'cemm-energy-collect', message, { context, now, env: { AWAY_AFTER_SECONDS: 45 } }) as [
      Record<string, unknown> | null,
      Record<string, unknown> | null,
    ];
}

const present = (values: Values): Pick<BalancePayload, 'kind' | 'ts'> & { values: Values } => ({
  ...{ kind: 'balance', ts: noon },
  values,
});

describe('the functions of energy-page', () => {
  it('draw no bar of gas and water where nothing is known of three days', () => {
    const day = dayOf('2026-06-18', { values: {} });
    const { groups } = shownBy('amounts', { day }) as { groups: { most: number }[] };
    groups.map(({ most }) => most).should.eql([0, 0]);
  });

  it('show a dash for a power that is not known, 0 for an inverter at night, and no dots for either', () => {
    const now = present({ power_house_w: null, power_production_w: -6, power_import_w: null, power_export_w: null });
    const parts = partsOf({ now, day: dayOf('2026-06-18', { values: {} }) });
    parts
      .slice(0, 3)
      .map(({ key, text, seconds }) => [key, text, seconds])
      .should.eql([
        ['house', '– W', 0],
        ['sun', '0 W', 0],
        ['grid', '– W', 0],
      ]);
    parts
      .slice(3)
      .map(({ text }) => text)
      .should.eql(['– m³', '– L']);
  });

  it('show a dash for a house below 0, which is one between the readings of two meters', () => {
    const now = present({ power_house_w: -46, power_production_w: 2900, power_import_w: 0, power_export_w: 2946 });
    const parts = partsOf({ now, day: dayOf('2026-06-18', { values: {} }) });
    parts
      .slice(0, 3)
      .map(({ key, text }) => [key, text])
      .should.eql([
        ['house', '– W'],
        ['sun', '2,900 W'],
        ['back', '2,946 W'],
      ]);
    const payload = present({ power_house_w: -46, power_production_w: -6 });
    const shown = runFunction('house-balance', 'cemm-house-powers', { payload }) as { payload: string }[];
    shown.map(({ payload: text }) => text).should.eql(['–', '0 W']);
  });

  it('show numbers that add up, also while an inverter takes a few W from the house', () => {
    const night = present({
      ...{ power_house_w: 481.4, power_production_w: -5.6, power_import_w: 487, power_export_w: 0 },
    });
    const textsOf = (now: object) =>
      partsOf({ now, day: dayOf('2026-06-18') })
        .slice(0, 3)
        .map(({ key, text }) => [key, text]);
    textsOf(night).should.eql([
      ['house', '487 W'],
      ['sun', '0 W'],
      ['grid', '487 W'],
    ]);
    const day = present({
      ...{ power_house_w: 800.9, power_production_w: 300.45, power_import_w: 500.45, power_export_w: 0 },
    });
    textsOf(day).should.eql([
      ['house', '800 W'],
      ['sun', '300 W'],
      ['grid', '500 W'],
    ]);
    const payload = present({ power_house_w: 481.4, power_production_w: -5.6 });
    const shown = runFunction('house-balance', 'cemm-house-powers', { payload }) as { payload: string }[];
    shown.map(({ payload: text }) => text).should.eql(['487 W', '0 W']);
  });

  it('show sums of a day that add up, and no negative zero', () => {
    const numbersOf = (values: Values, cost: object = { currency: 'EUR', import: 0, export: 0.77, total: -0.77 }) =>
      shownBy('today', { day: { ...dayOf('2026-06-18', { values: { ...everything, ...values } }), cost } })?.[
        'numbers'
      ] as string[][];
    const night = numbersOf({
      ...{ energy_import_kwh: 1.44, energy_export_kwh: 0, energy_production_kwh: -0.03 },
      ...{ energy_self_consumed_kwh: -0.03, energy_house_kwh: 1.41, self_consumption: null, self_sufficiency: 0 },
    });
    const [used, , sun, own] = night;
    should([used?.[1], used?.[2], sun?.[1], own?.[2]]).eql([
      '1.4 kWh',
      'From the grid 1.4 kWh',
      '0.0 kWh',
      'Own production used 0.0 kWh',
    ]);
    const [rounded] = numbersOf({
      ...{ energy_import_kwh: 1.44, energy_self_consumed_kwh: 2.34, energy_house_kwh: 3.78 },
    });
    should([rounded?.[1], rounded?.[2]]).eql(['3.7 kWh', 'From the grid 1.4 kWh']);
    // No import, and some earnings.
    should(numbersOf({})[1]).eql(['Cost', '-€0.77', 'Electricity -€0.77']);
    should(numbersOf({}, { currency: 'EUR', import: 0.001, export: 0.002, total: -0.001 })[1]?.[1]).equal('€0.00');
  });

  it('show a dash for every number of a day that is not known', () => {
    const none = Object.fromEntries(Object.keys(everything).map((field) => [field, null]));
    const day = { ...dayOf('2026-06-18', { values: none }), cost: undefined };
    const numbers = shownBy('today', { day })?.['numbers'] as string[][];
    numbers.map(([, text]) => text).should.eql(['– kWh', '–', '– kWh', '– %']);
    JSON.stringify(numbers).should.not.match(/\b0\b/);
    const { groups, peak } = shownBy('amounts', { day, month: null }) ?? {};
    JSON.stringify([groups, peak]).should.not.match(/"0|NaN|undefined/);
    should((peak as string[])[1]).equal('– kW');
  });

  it('leave out sun, gas and water where the house has no meter for them', () => {
    const day = dayOf('2026-06-18', { production: [], gas: [], water: [] });
    const now = present({ power_house_w: 300, power_import_w: 300, power_export_w: 0 });
    partsOf({ now, day })
      .map(({ key }) => key)
      .should.eql(['house', 'grid']);
    (shownBy('today', { day })?.['numbers'] as string[][]).map(([name]) => name).should.eql(['Used', 'Cost']);
    should(shownBy('amounts', { day })?.['groups']).eql([]);
    should(shownBy('meters', { day })?.['readings']).eql([
      ['From the grid, tariff 1', '1.8.1', '1,234 kWh'],
      ['From the grid, tariff 2', '1.8.2', '20 kWh'],
      ['To the grid', undefined, '–'],
    ]);
  });

  it('compare with another day until the same time of that day', () => {
    const yesterday = dayOf('2026-06-17', { fetchedAt: noon });
    const [gas] = shownBy('amounts', { day: dayOf('2026-06-18'), yesterday })?.['groups'] as {
      rows: { name: string; text: string; more: string }[];
    }[];
    // 48 quarters of 0.01 m³ until noon.
    should(gas?.rows[1]).containEql({ name: 'Yesterday', text: '1.23 m³', more: '0.48 m³ by this time' });
    should(gas?.rows[2]).containEql({ name: 'Thursday last week', text: '– m³', more: '' });
  });

  it('show the peak of the month that runs, and not that of the month before', () => {
    const start = Date.parse('2026-06-01T00:00:00+02:00');
    const month = (end: string) => ({ period: { end: Date.parse(end) }, peak: { power_w: 2300, start } });
    const day = { ...dayOf('2026-06-18'), peak: { power_w: 900, start: noon } };
    const peakIn = (end: string) => (shownBy('amounts', { day, month: month(end) })?.['peak'] as string[])[1];
    should(peakIn('2026-07-01T00:00:00+02:00')).equal('2.30 kW');
    should(peakIn('2026-06-01T00:00:00+02:00')).equal('– kW');
  });

  it('ask once an hour for the noon of yesterday and of the same day last week, also after a change of the clocks', () => {
    const context = new Map<string, unknown>();
    const ask = (start: string, now: number) =>
      runFunction(
        'energy-page',
        'cemm-energy-dates',
        { payload: { period: { start: Date.parse(start) } } },
        { context, now },
      );
    // The clocks were changed on 29 March 2026.
    const [asked] = ask('2026-03-30T00:00:00+02:00', 0) as { which: string; date: number }[][];
    (asked ?? [])
      .map(({ which, date }) => [which, new Date(date).toISOString().slice(0, 13)])
      .should.eql([
        ['yesterday', '2026-03-29T10'],
        ['week', '2026-03-23T10'],
      ]);
    should(ask('2026-03-30T00:00:00+02:00', 59 * 60_000)).be.null();
    should(ask('2026-03-30T00:00:00+02:00', 61 * 60_000)).not.be.null();
    should(ask('2026-03-31T00:00:00+02:00', 62 * 60_000)).not.be.null();
  });

  it('tell that the monitor is away after 45 seconds without a reading, once, and that it is back', () => {
    const send = collecting();
    const [first] = send({ payload: present({ power_house_w: 300 }) }, noon);
    should(first).containEql({ away: false, heard: noon });
    send({ payload: noon + 40_000 }, noon + 40_000).should.eql([null, null]);
    const [away, rest] = send({ payload: noon + 46_000 }, noon + 46_000);
    should(away).containEql({ away: true, heard: noon });
    should(rest).containEql({ isOld: true });
    send({ payload: noon + 50_000 }, noon + 50_000).should.eql([null, null]);
    const [told] = send({ payload: noon, error: { message: 'No answer.' } }, noon + 55_000);
    should(told).containEql({ away: true, reason: 'No answer.' });
    const [back] = send({ payload: present({ power_house_w: 310 }) }, noon + 60_000);
    should(back).containEql({ away: false });
  });

  it('add up to the watt: what an inverter uses at night is part of the house', () => {
    const shown = (values: Values) => {
      const day = dayOf('2026-06-18', { values: {} });
      const texts = partsOf({ now: present(values), day }).slice(0, 3);
      return Object.fromEntries(texts.map(({ key, text }) => [key, text]));
    };
    const night = { power_import_w: 487, power_export_w: 0, power_production_w: -6, power_house_w: 481 };
    shown(night).should.eql({ house: '487 W', sun: '0 W', grid: '487 W' });
    const payload = present(night);
    const [house, sun] = runFunction('house-balance', 'cemm-house-powers', { payload }) as { payload: string }[];
    [house?.payload, sun?.payload].should.eql(['487 W', '0 W']);
    const halves = { power_import_w: 487.4, power_export_w: 0, power_production_w: 100.4, power_house_w: 587.8 };
    shown(halves).should.eql({ house: '587 W', sun: '100 W', grid: '487 W' });
    // Two grid meters, one with import and one with export.
    const both = { power_import_w: 300, power_export_w: 500, power_production_w: 800, power_house_w: 600 };
    shown(both).should.eql({ house: '600 W', sun: '800 W', back: '200 W' });
    const still = { power_import_w: 0, power_export_w: 0.3, power_production_w: 0, power_house_w: 0 };
    shown(still).should.eql({ house: '0 W', sun: '0 W', grid: '0 W' });
  });

  it('are grey by the time of the readings, not of the message', () => {
    const send = collecting();
    const moment = (ts: number, stale?: { since: number }) => ({
      payload: { ...present({ power_house_w: 300 }), ts, ...(stale && { stale }) },
    });
    should(send(moment(noon), noon)[0]).containEql({ away: false });
    const pulled = send(moment(noon + 70_000, { since: noon }), noon + 70_000)[0];
    should(pulled).containEql({ away: true, heard: noon });
    const picture = shownBy('picture', { ...pulled, texts, day: dayOf('2026-06-18') });
    should(picture).containEql({ isOld: true, time: '12:00:00' });
    should(String(picture?.['away'])).startWith('A meter has sent the monitor no new power since Thursday');
    should(send(moment(noon + 80_000), noon + 80_000)[0]).containEql({ away: false });
    // The first one of a monitor whose clock is off by ten minutes, and the next ones.
    const other = collecting();
    should(other(moment(noon - 600_000), noon)[0]).containEql({ away: true });
    should(other(moment(noon - 590_000), noon + 10_000)[0]).containEql({ away: false });
  });

  it('forget everything of another monitor at once', () => {
    const send = collecting();
    const of = (id: string, payload: object) => ({ payload: { ...payload, monitor: { id } } });
    send(of('demo', dayOf('2026-06-18')), noon);
    send(of('demo', present({ power_house_w: 300 })), noon);
    const [picture, rest] = send(of('own', present({ power_house_w: 310 })), noon + 1000);
    should(picture).not.have.property('day');
    for (const part of ['today', 'amounts', 'meters']) {
      const shown = runFunction('energy-page', `cemm-energy-show-${part}`, { ...rest });
      should(shown).eql({ payload: null });
    }
    should(runFunction('energy-page', 'cemm-energy-show-today', {})).equal(null);
    // After a deploy the content of the page is unknown.
    const fresh = collecting();
    should(fresh({ payload: noon }, noon)[1]).containEql({ forgets: false });
    should(fresh(of('own', present({ power_house_w: 310 })), noon + 1000)[1]).containEql({ forgets: false });
    should(fresh({ payload: noon + 5000 }, noon + 5001)[1]).containEql({ forgets: true });
    fresh({ payload: noon + 10_000 }, noon + 10_000).should.eql([null, null]);
    const context = new Map<string, unknown>();
    const ask = (id: string) => {
      const message = of(id, dayOf('2026-06-18'));
      return runFunction('energy-page', 'cemm-energy-dates', message, { context, now: noon });
    };
    [ask('demo'), ask('demo'), ask('own')].map(Boolean).should.eql([true, false, true]);
  });

  it('forget yesterday when a new day begins', () => {
    const send = collecting();
    send({ payload: dayOf('2026-06-18') }, noon);
    const [, known] = send({ payload: dayOf('2026-06-17'), which: 'yesterday' }, noon);
    should(known?.['yesterday']).be.ok();
    const [, next] = send({ payload: dayOf('2026-06-19') }, noon + 24 * hour);
    should(next).containEql({ yesterday: null, week: null });
  });
});

/** A balance from messages alone: any order, any repetition, and bounded memory. */
import should from 'should';
import fc from 'fast-check';
import type { BalanceRole } from '../../../src/balance/meters/amounts';
import { addMessage, type MessageContext } from '../../../src/balance/messages/add-message';
import { emptyState, type MessagesState } from '../../../src/balance/messages/state';
import { metersOfState, oldQuartersOf } from '../../../src/balance/messages/meters-of-state';
import { readState } from '../../../src/balance/messages/stored-state';
import { nextPeriod } from '../../../src/calendar/periods';
import type {
  BalancePayload,
  RealtimePayload,
  TotalsPayload,
  WebhookPayload,
  WebhookReading,
} from '../../../src/model/payload';
import { minuteMs, hourMs, quarterMs } from '../../../src/time/units';
import { balance, period, prices, SOURCE, zone } from '../../support/balance/small-house';

const roles: Readonly<Record<string, BalanceRole>> = { smartmeter: 'grid', zon: 'production', water: 'water' };

const roleOf = (meter: string): BalanceRole | null => roles[meter] ?? null;

function context(now: number): MessageContext {
  return { timezone: zone, now };
}

function delivery(ts: number, readings: readonly Partial<WebhookReading>[]): WebhookPayload {
  return {
    schema: 'cemm/1',
    kind: 'webhook',
    id: `wh:1:${ts}`,
    ts,
    time: new Date(ts).toISOString(),
    monitor: { id: null, cemm: 1 },
    source: { ...SOURCE, transport: 'webhook' },
    delivery: { format: 'basic-v1', verified: [], ageMs: 0, bytes: 1, replayCheck: 'none' },
    values: {},
    readings: readings.map((each) => ({
      meter: 'smartmeter',
      channel: '',
      topic: 'reading',
      field: 'energy_import_kwh',
      value: 0,
      unit: 'kWh',
      unitSource: 'specification',
      ts,
      ...each,
    })),
  };
}

/** Amount of a quarter. */
const used = (quarter: number): number => ((quarter * 7919) % 13) / 100;

/** The deliveries of a monitor every quarter: readings, and the amounts of the last quarter, hour and day. */
function deliveriesOf(start: number, end: number): WebhookPayload[] {
  const all: WebhookPayload[] = [];
  let shown = 100;
  for (let ts = start; ts <= end; ts += quarterMs) {
    const last = ts / quarterMs - 1;
    if (ts > start) shown += used(last);
    const window = { start: ts - quarterMs, end: ts };
    all.push(
      delivery(ts, [
        { value: Math.round(shown * 100) / 100 },
        { topic: 'last/15minutes', value: used(last), window },
        { meter: 'zon', topic: 'last/15minutes', field: 'energy_export_kwh', value: 0.2, window },
        { meter: 'zon', topic: 'last/15minutes', field: 'energy_import_kwh', value: 0.01, window },
      ]),
    );
    if (ts % hourMs !== 0) continue;
    const hour = [1, 2, 3, 4].reduce((sum, back) => sum + used(ts / quarterMs - back), 0);
    const ofHour = { start: ts - hourMs, end: ts };
    all.push(delivery(ts + 1, [{ topic: 'last/hour', value: Math.round(hour * 100) / 100, window: ofHour, ts }]));
  }
  return all;
}

function stateOf(messages: readonly (WebhookPayload | TotalsPayload)[], now: number): MessagesState {
  const state = emptyState();
  for (const message of messages) addMessage(state, message, context(now));
  return state;
}

function balanceOf(state: MessagesState, label: string, now: number): BalancePayload {
  const { start, end } = period(label);
  const frame = { from: start, until: Math.min(end, now), timezone: zone };
  const meters = metersOfState(state, frame, roleOf);
  return balance(label, meters, {
    now,
    slots: 'delivered',
    prices: prices({ currency: 'EUR', import: 0.3, export: 0.1 }),
  });
}

describe('the balance of messages', function () {
  this.timeout(120_000);
  const day = period('2026-06-15');
  const now = day.end + 10 * minuteMs;

  it('uses counters at the borders, and quarters for points', () => {
    const state = stateOf(deliveriesOf(day.start, day.end), now);
    const { values, method, coverage, points = [] } = balanceOf(state, day.label, now);
    const first = day.start / quarterMs;
    const expected = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => used(first + from + index)).reduce((sum, each) => sum + each, 0);
    should(values['energy_import_kwh']).be.approximately(expected(0, 96), 1e-9);
    should(values['energy_production_kwh']).be.approximately(96 * 0.19, 1e-9);
    should(method['energy_import_kwh']).equal('registers');
    should(method['energy_production_kwh']).equal('delivered');
    should(coverage['energy_production_kwh']).equal(1);
    points.forEach((point, hour) => {
      should(point['energy_import_kwh']).be.approximately(expected(hour * 4, 4), 1e-6);
    });
  });

  it('BA7: does not depend on the order of the messages, nor on their repetition', () => {
    // Six days, so quarters become sums of days in between, with both kinds of windows and some lost.
    const start = period('2026-10-22').start;
    const end = period('2026-10-27').end;
    const all = deliveriesOf(start, end).filter((_, index) => index % 11 !== 3);
    // The highest quarter of a day is determined when its quarters are dropped, so it needs messages within three days.
    const withoutPeaks = ({ meters, ...rest }: MessagesState) => ({
      ...rest,
      meters: Object.fromEntries(Object.entries(meters).map(([name, meter]) => [name, { ...meter, peaks: undefined }])),
    });
    const inOrder = stateOf(all, end);
    const labels = ['2026-10-22', '2026-10-25', '2026-10-27'];
    const expected = labels.map((label) => balanceOf(inOrder, label, end));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), (seed) => {
        const twice = [...all, ...all.filter((_, index) => (index * seed) % 3 === 0)];
        const shuffled = twice
          .map((message, index) => ({ message, rank: Math.imul(index + 1, seed * 2654435761 + 12345) >>> 0 }))
          .sort((a, b) => a.rank - b.rank);
        const state = stateOf(
          shuffled.map(({ message }) => message),
          end,
        );
        withoutPeaks(state).should.deepEqual(withoutPeaks(inOrder));
        labels.map((label) => balanceOf(state, label, end)).should.deepEqual(expected);
      }),
      { numRuns: 12 },
    );
  });

  it('uses an hour for lost quarters, and counts nothing twice', () => {
    const lost = deliveriesOf(day.start, day.end).filter(({ ts }) => ts % hourMs !== 30 * minuteMs);
    const state = stateOf(
      lost.map((message) => ({ ...message, readings: message.readings.filter(({ topic }) => topic !== 'reading') })),
      now,
    );
    const { values, method, coverage } = balanceOf(state, day.label, now);
    const expected = Array.from({ length: 96 }, (_, index) => used(day.start / quarterMs + index));
    should(values['energy_import_kwh']).be.approximately(
      expected.reduce((sum, each) => sum + each, 0),
      1e-6,
    );
    should(method['energy_import_kwh']).equal('delivered');
    should(coverage['energy_import_kwh']).equal(1);
    should(coverage['energy_production_kwh']).equal(0.75);
  });

  it('keeps daily sums for 400 days and quarters for three days, and can be stored as JSON', () => {
    const state = emptyState();
    let each = period('2025-01-01');
    for (let count = 0; count < 500; count += 1, each = nextPeriod(each)) {
      for (let ts: number = each.start; ts < each.end; ts += 6 * hourMs) {
        addMessage(state, delivery(ts, [{ value: ts / 1e10 }]), context(ts));
        const window = { start: ts - hourMs, end: ts };
        addMessage(state, delivery(ts, [{ topic: 'last/hour', value: 0.001, window }]), context(ts));
      }
    }
    const grid = state.meters['smartmeter'];
    Object.keys(grid?.midnights ?? {}).length.should.be.within(395, 401);
    Object.keys(grid?.quarters ?? {}).length.should.be.within(8, 13);
    const field = grid?.fields['energy_import_kwh'];
    Object.keys(field?.hours ?? {}).length.should.be.below(20);
    Object.keys(field?.oldHours ?? {}).length.should.be.within(390, 401);
    const copy = readState(JSON.parse(JSON.stringify(state)));
    should(copy).not.be.null();
    const last = period('2026-03-03');
    const [before, after] = [state, copy ?? emptyState()].map((one) => balanceOf(one, last.label, state.newest));
    should(after).deepEqual(before);
    should(before?.values['energy_import_kwh']).be.approximately((last.end - last.start) / 1e10, 1e-6);
  });

  it('assigns no amount of old windows to a later time without windows', () => {
    const noon = day.start + 12 * hourMs;
    const hours = Array.from({ length: 24 }, (_, hour) => day.start + (hour + 1) * hourMs).filter(
      (ts) => ts <= noon + hourMs,
    );
    const shown: readonly [number, number][] = [
      [day.start, 100],
      [noon, 112],
      [noon + 2 * hourMs, 112.3],
    ];
    const readings = shown.map(([ts, value]) => delivery(ts, [{ value }]));
    const windows = hours.map((ts) =>
      delivery(ts, [{ topic: 'last/hour', value: ts > noon ? 0.1 : 1, window: { start: ts - hourMs, end: ts } }]),
    );
    // Three days after noon: the windows of the morning are kept as one sum.
    const later = noon + 3 * 24 * hourMs;
    const state = stateOf([...readings, ...windows, delivery(later, [{ value: 200 }])], later + minuteMs);
    const { values, coverage } = balanceOf(state, day.label, later + minuteMs);
    should(values['energy_import_kwh']).be.approximately(12.3, 1e-9);
    should(coverage['energy_import_kwh']).be.approximately(14 / 24, 1e-9);
  });

  it('has no export if readings never contained one, whatever a delivery contains', () => {
    const reading = (ts: number, kwh: number): RealtimePayload => ({
      schema: 'cemm/1',
      kind: 'realtime',
      id: `rt:${ts}`,
      ts,
      time: new Date(ts).toISOString(),
      monitor: { id: null },
      meter: { alias: 'smartmeter', role: 'grid' },
      source: SOURCE,
      values: { energy_import_t1_kwh: kwh, energy_import_t2_kwh: 0, energy_import_kwh: kwh },
      times: {},
      missing: {},
    });
    const state = emptyState();
    for (const message of [reading(day.start, 100), reading(day.end, 108)]) addMessage(state, message, context(now));
    const kept = readState(JSON.parse(JSON.stringify(state))) ?? emptyState();
    const { values, missing } = balanceOf(kept, day.label, now);
    should(values).containDeep({ energy_import_kwh: 8, energy_export_kwh: 0, energy_house_kwh: 8 });
    should(missing).deepEqual({ energy_export_kwh: 'not_offered' });
    const delivered = balanceOf(stateOf([delivery(day.start, [{}]), delivery(day.end, [{}])], now), day.label, now);
    should(delivered.values['energy_export_kwh']).equal(null);
  });

  it('BA19: starts again where the store gives back something else', () => {
    const state = stateOf(deliveriesOf(day.start, day.start + hourMs), now);
    should(readState(state)).equal(state);
    const broken: readonly unknown[] = [
      undefined,
      'a text',
      { ...state, version: 3 },
      { ...state, meters: { p1: { ...state.meters['smartmeter'], role: 'heat' } } },
      { ...state, meters: { p1: { ...state.meters['smartmeter'], latest: { energy_import_kwh: [1, '2'] } } } },
      { ...state, meters: { p1: { ...state.meters['smartmeter'], latest: { power_w: [1, 2] } } } },
    ];
    for (const value of broken) should(readState(value)).be.null();
  });

  it('BA18: leaves out what claims to be of tomorrow', () => {
    const state = stateOf([delivery(now + 2 * hourMs, [{ value: 5 }])], now);
    should(state.newest).equal(0);
  });

  it('keeps the day of a replacement for a year, with both readings', () => {
    const exchanged = deliveriesOf(day.start, day.end + 5 * 24 * hourMs).map((message) => {
      const isNew = message.ts > day.start + 10.6 * hourMs;
      const readings = message.readings
        .filter(({ topic }) => topic === 'reading')
        .map((each) => ({ ...each, value: (each.value ?? 0) + (isNew ? -100 : 4900) }));
      return { ...message, readings };
    });
    const state = emptyState();
    const sums: (number | null | undefined)[] = [];
    for (const message of exchanged) {
      addMessage(state, message, context(message.ts));
      if (message.ts >= day.end) sums.push(balanceOf(state, day.label, message.ts).values['energy_import_kwh']);
    }
    should(sums[0]).be.above(4);
    for (const sum of sums) should(sum).be.approximately(sums[0] ?? NaN, 1e-9);
    // Both readings, and the ends of their hour.
    Object.keys(state.meters['smartmeter']?.breaks ?? {}).should.have.length(4);
    addMessage(state, delivery(day.end + 350 * 24 * hourMs, [{ value: 900 }]), context(day.end + 351 * 24 * hourMs));
    const later = balanceOf(
      readState(JSON.parse(JSON.stringify(state))) ?? emptyState(),
      day.label,
      day.end + 351 * 24 * hourMs,
    );
    should(later.values['energy_import_kwh']).be.approximately(sums[0] ?? NaN, 1e-9);
  });

  it('keeps a limited number of readings of a counter that rises and falls', () => {
    const state = emptyState();
    for (let quarter = 0; quarter < 96 * 10; quarter += 1) {
      const ts = day.start + quarter * quarterMs;
      addMessage(state, delivery(ts, [{ value: quarter % 2 === 0 ? 5000 : 100 }]), context(ts));
    }
    Object.keys(state.meters['smartmeter']?.breaks ?? {}).length.should.be.belowOrEqual(80);
  });

  it('has the quarter-hour peak from readings, also for past days, but not for a year', () => {
    const first = period('2026-06-01');
    const messages = deliveriesOf(first.start, first.start + 12 * 24 * hourMs);
    const state = stateOf(messages, first.start + 13 * 24 * hourMs);
    const peakOf = (label: string) =>
      balance(label, metersOfState(state, { from: period(label).start, until: state.newest, timezone: zone }, roleOf), {
        now: state.newest,
        slots: 'delivered',
        oldQuarters: oldQuartersOf(state, roleOf),
      }).peak;
    const highest = (from: number, until: number) => {
      let peak = { power_w: -1, start: 0 };
      for (let start = from; start < until; start += quarterMs) {
        if (used(start / quarterMs) * 4000 > peak.power_w + 1e-9)
          peak = { power_w: used(start / quarterMs) * 4000, start };
      }
      return peak;
    };
    for (const label of ['2026-06-02', '2026-06-11']) {
      const { start, end } = period(label);
      should(peakOf(label)?.start).equal(highest(start, end).start, label);
      should(peakOf(label)?.power_w).be.approximately(highest(start, end).power_w, 1e-6);
    }
    should(peakOf('2026-06')?.power_w).be.approximately(highest(first.start, state.newest).power_w, 1e-6);
    should(peakOf('2026')).equal(null);
    should(readState(JSON.parse(JSON.stringify(state)))).not.be.null();
    const wrong = { ...state.meters['smartmeter'], peaks: { 1: ['a'] } };
    should(readState({ ...state, meters: { smartmeter: wrong } })).be.null();
  });

  describe('keeps', () => {
    const realtime = (values: RealtimePayload['values'], ts: number, alias = 'smartmeter'): RealtimePayload => ({
      ...delivery(ts, []),
      kind: 'realtime',
      meter: { alias, role: 'grid' },
      values,
      times: {},
      missing: {},
    });
    const midnights = (state: MessagesState, border: number) => state.meters['smartmeter']?.midnights[border] ?? {};

    it('nothing of a message without an energy or a volume, and returns false', () => {
      const state = emptyState();
      addMessage(state, realtime({ power_w: 1 }, now), context(now)).should.be.false();
      addMessage(state, delivery(now, [{ field: 'voltage_v' }]), context(now)).should.be.false();
      addMessage(state, delivery(now, [{ value: null }]), context(now)).should.be.false();
      addMessage(state, realtime({ energy_import_kwh: 1 }, now), context(now)).should.be.true();
      Object.keys(state.meters).should.deepEqual(['smartmeter']);
    });

    it('fifty meters, more than a house has', () => {
      const state = emptyState();
      const every = context(now);
      const added = Array.from({ length: 60 }, (_, index) =>
        addMessage(state, realtime({ energy_import_kwh: 1 }, now, `meter ${index}`), every),
      );
      added.filter((isNew) => isNew).should.have.length(50);
      addMessage(state, realtime({ energy_import_kwh: 2 }, now, 'meter 0'), every).should.be.true();
    });

    it('a reading for the next midnight: of electricity for five minutes, of gas for an hour', () => {
      const values = { energy_import_kwh: 5, gas_m3: 3 };
      const state = stateOf([], now);
      addMessage(state, realtime(values, day.end - 30 * minuteMs), context(now));
      Object.keys(midnights(state, day.end)).should.deepEqual(['gas_m3']);
      addMessage(state, realtime(values, day.end - 4 * minuteMs), context(now));
      Object.keys(midnights(state, day.end)).sort().should.deepEqual(['energy_import_kwh', 'gas_m3']);
      // Half a minute after it as well.
      const after = stateOf([], now);
      addMessage(after, realtime(values, day.end + 20_000), context(now));
      Object.keys(midnights(after, day.end)).sort().should.deepEqual(['energy_import_kwh', 'gas_m3']);
    });

    it('the 0 of a restart only until a reading arrives, in any order', () => {
      const zero = realtime({ energy_import_kwh: 0 }, day.end - 1000);
      const real = realtime({ energy_import_kwh: 7 }, day.end - 3 * minuteMs);
      for (const order of [
        [zero, real],
        [real, zero],
      ]) {
        const state = emptyState();
        for (const message of order) addMessage(state, message, context(now));
        should(midnights(state, day.end)['energy_import_kwh']).deepEqual([real.ts, 420_000_000]);
      }
    });

    it('what a meter has sent before it has a role, and when it has another one', () => {
      const given = (ts: number, export_kwh: number, import_kwh: number) =>
        delivery(ts, [
          { meter: 'garage', field: 'energy_export_kwh', value: export_kwh },
          { meter: 'garage', field: 'energy_import_kwh', value: import_kwh },
        ]);
      const state = stateOf([given(day.start, 100, 5), given(day.end, 112, 5.5)], now);
      const frame = { from: day.start, until: day.end, timezone: zone };
      const sums = (role: BalanceRole | null): object =>
        balance(
          day.label,
          metersOfState(state, frame, (name) => (name === 'garage' ? role : null)),
          {
            now,
            slots: 'delivered',
          },
        ).values;
      should(sums('production')).containEql({ energy_production_kwh: 11.5 });
      should(sums('battery')).containEql({ energy_battery_charged_kwh: 0.5, energy_battery_discharged_kwh: 12 });
      should(sums('grid')).containEql({ energy_import_kwh: 0.5, energy_export_kwh: 12 });
    });
  });

  it('has no production in a window with only one of the two fields', () => {
    const window = { start: day.start, end: day.start + hourMs };
    const given = { meter: 'zon', topic: 'last/hour', field: 'energy_export_kwh', value: 2, window };
    const taken = { ...given, field: 'energy_import_kwh', value: 0.5 };
    const later = { start: day.start + hourMs, end: day.start + 2 * hourMs };
    const state = stateOf(
      [delivery(later.start, [given, taken]), delivery(later.end, [{ ...given, window: later }])],
      now,
    );
    const { values, coverage } = balanceOf(state, day.label, now);
    should(values['energy_production_kwh']).equal(1.5);
    should(coverage['energy_production_kwh']).be.approximately(1 / 24, 1e-9);
  });
});

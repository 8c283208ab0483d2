import { Temporal } from '@js-temporal/polyfill';
import fc from 'fast-check';
import should from 'should';
import {
  classOf,
  dueAfter,
  dueUpTo,
  reasonOfNull,
  slotEndingAt,
  startOfStep,
  type WebhookInterval,
  webhookIntervals,
  windowOf,
} from '../../../src/model/webhook-topics';
import { millis } from '../../../src/time/units';

const zones = [
  'Europe/Amsterdam',
  'UTC',
  'America/New_York',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'America/St_Johns',
  'Africa/Casablanca',
  'Asia/Beirut',
  'America/Santiago',
];
const moment = fc.integer({ min: Date.UTC(2015, 0), max: Date.UTC(2035, 0) });
const zone = fc.constantFrom(...zones);

function at(text: string): ReturnType<typeof millis> {
  return millis(Date.parse(text));
}

function zoned(ms: number, timezone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timezone);
}

/** Around a clock change of the zone, where errors are likely. */
const aroundTransition = fc
  .tuple(
    fc.constantFrom('Europe/Amsterdam', 'America/New_York', 'Australia/Lord_Howe', 'America/Santiago', 'Asia/Beirut'),
    moment,
    fc.integer({ min: -7_500_000, max: 7_500_000 }),
  )
  .map(([timezone, start, offset]) => {
    const next = zoned(start, timezone).getTimeZoneTransition('next');
    return { timezone, ms: (next?.epochMilliseconds ?? start) + offset };
  });

describe('webhook topics', () => {
  it('have windows by the wall clock', () => {
    const started = at('2026-01-15T12:07:31Z');
    const window = (topic: string): string[] | null => {
      const found = windowOf(topic, started, 'Europe/Amsterdam');
      return found === null ? null : [new Date(found.start).toISOString(), new Date(found.end).toISOString()];
    };
    should(window('this/day')).deepEqual(['2026-01-14T23:00:00.000Z', '2026-01-15T12:07:31.000Z']);
    should(window('this/month')).deepEqual(['2025-12-31T23:00:00.000Z', '2026-01-15T12:07:31.000Z']);
    should(window('this/year')).deepEqual(['2025-12-31T23:00:00.000Z', '2026-01-15T12:07:31.000Z']);
    should(window('last/minute')).deepEqual(['2026-01-15T12:06:00.000Z', '2026-01-15T12:07:00.000Z']);
    should(window('last/15minutes')).deepEqual(['2026-01-15T11:45:00.000Z', '2026-01-15T12:00:00.000Z']);
    should(window('last/hour')).deepEqual(['2026-01-15T11:00:00.000Z', '2026-01-15T12:00:00.000Z']);
    should(window('last/day')).deepEqual(['2026-01-13T23:00:00.000Z', '2026-01-14T23:00:00.000Z']);
    should(window('last/month')).deepEqual(['2025-11-30T23:00:00.000Z', '2025-12-31T23:00:00.000Z']);
    should(window('last/year')).deepEqual(['2024-12-31T23:00:00.000Z', '2025-12-31T23:00:00.000Z']);
    for (const topic of ['realtime', 'reading', 'last/week', '__proto__']) should(window(topic)).be.null();
  });

  it('know days of 23 and 25 hours', () => {
    const hours = (day: string): number => {
      const window = windowOf('last/day', at(`${day}T12:00:00Z`), 'Europe/Amsterdam');
      return window === null ? 0 : (window.end - window.start) / 3_600_000;
    };
    hours('2026-03-30').should.equal(23);
    hours('2026-10-26').should.equal(25);
    hours('2026-10-27').should.equal(24);
  });

  it('agree with a second library, also around changes of the clocks', () => {
    const check = (ms: number, timezone: string): void => {
      const now = zoned(ms, timezone);
      const expectSame = (topic: string, start: Temporal.ZonedDateTime, end: Temporal.ZonedDateTime): void => {
        const window = windowOf(topic, millis(ms), timezone);
        should(window).deepEqual(
          { start: start.epochMilliseconds, end: end.epochMilliseconds },
          `${topic} ${now.toString()}`,
        );
      };
      const today = now.startOfDay();
      expectSame('last/day', today.subtract({ days: 1 }).startOfDay(), today);
      const month = now.with({ day: 1 }).startOfDay();
      expectSame('last/month', month.subtract({ months: 1 }).startOfDay(), month);
      const year = now.with({ month: 1, day: 1 }).startOfDay();
      expectSame('last/year', year.subtract({ years: 1 }).startOfDay(), year);
    };
    fc.assert(fc.property(moment, zone, check), { numRuns: 500 });
  });

  it('have steps that begin where the clock shows a multiple', () => {
    const check = (ms: number, timezone: string): void => {
      for (const minutes of [1, 5, 10, 15, 60]) {
        const start = startOfStep(millis(ms), minutes, timezone);
        const shown = zoned(start, timezone);
        (shown.minute % minutes).should.equal(0);
        (shown.second + shown.millisecond).should.equal(0);
        start.should.be.belowOrEqual(ms);
        // No later minute up to the moment would be right.
        for (let later = start + 60_000; later <= ms; later += 60_000) {
          (zoned(later, timezone).minute % minutes).should.not.equal(0, shown.toString());
        }
      }
    };
    fc.assert(fc.property(moment, zone, check), { numRuns: 60 });
    fc.assert(
      fc.property(aroundTransition, ({ ms, timezone }) => {
        check(ms, timezone);
      }),
      { numRuns: 60 },
    );
  });

  it('WB14: distinguish an impossible topic from a missing value', () => {
    const table: [string, string, string, string][] = [
      // topic, AVG, COUNTER, CALCULATED
      ['realtime', 'no_recent_value', 'topic_not_valid', 'topic_not_valid'],
      ['reading', 'topic_not_valid', 'no_recent_value', 'topic_not_valid'],
      ['this/day', 'no_recent_value', 'no_recent_value', 'no_recent_value'],
      ['this/month', 'no_recent_value', 'no_recent_value', 'no_recent_value'],
      ['this/year', 'topic_not_valid', 'no_recent_value', 'no_recent_value'],
      ['last/minute', 'no_recent_value', 'no_recent_value', 'no_recent_value'],
      ['last/15minutes', 'no_recent_value', 'no_recent_value', 'no_recent_value'],
      ['last/hour', 'no_recent_value', 'no_recent_value', 'no_recent_value'],
      ['last/day', 'no_recent_value', 'no_recent_value', 'no_recent_value'],
      ['last/month', 'no_recent_value', 'no_recent_value', 'no_recent_value'],
      ['last/year', 'topic_not_valid', 'no_recent_value', 'no_recent_value'],
      ['last/week', 'no_recent_value', 'no_recent_value', 'no_recent_value'],
    ];
    for (const [topic, ...reasons] of table) {
      [reasonOfNull(topic, 'AVG'), reasonOfNull(topic, 'COUNTER'), reasonOfNull(topic, 'CALCULATED')].should.deepEqual(
        reasons,
        topic,
      );
      reasonOfNull(topic, null).should.equal('no_recent_value');
    }
  });

  it('sort the channels of the specification into classes', () => {
    const classes: Record<string, string[]> = {
      AVG: ['electric_power_import', 'electric_power_export', 'electric_power_l1', 'voltage', 'flow'],
      COUNTER: ['electric_energy_import', 'electric_energy_export_t2', 'electric_energy_import_l1', 'volume', 'gas'],
      CALCULATED: ['electric_usage_power', 'electric_usage_energy', 'tariff_import_low', 'tariff_export_high'],
    };
    for (const [name, channels] of Object.entries(classes)) {
      for (const channel of channels) should(classOf(channel, null)).equal(name, channel);
    }
    should(classOf('mystery', null)).be.null();
    should(classOf('mystery', 'NEW_WORD')).be.null();
    should(classOf('electric_usage_power', 'AVG')).equal('AVG');
    should(classOf('x', 'PULSE')).equal('COUNTER');
    should(classOf('x', 'TARIFF')).equal('CALCULATED');
    should(classOf('x', 'DERIVED')).equal('CALCULATED');
  });
});

describe('slots of a webhook', () => {
  const interval = fc.constantFrom(...webhookIntervals);

  it('lie on the wall clock', () => {
    const due = (from: string, every: WebhookInterval): string =>
      new Date(dueAfter(at(from), every, 'Europe/Amsterdam')).toISOString();
    due('2026-01-15T12:00:00.000Z', '15m').should.equal('2026-01-15T12:15:00.000Z');
    due('2026-01-15T12:14:59.999Z', '15m').should.equal('2026-01-15T12:15:00.000Z');
    due('2026-01-15T12:00:00Z', '1h').should.equal('2026-01-15T13:00:00.000Z');
    due('2026-01-15T12:00:00Z', '1d').should.equal('2026-01-15T23:00:00.000Z');
    due('2026-10-24T22:00:00Z', '1d').should.equal('2026-10-25T23:00:00.000Z');
  });

  it('follow each other without a gap, whatever the clocks do', () => {
    const check = (ms: number, timezone: string, every: WebhookInterval): void => {
      const due = dueAfter(millis(ms), every, timezone);
      due.should.be.above(ms);
      dueUpTo(due, every, timezone).should.equal(due);
      const slot = slotEndingAt(due, every, timezone);
      slot.end.should.equal(due);
      slot.start.should.be.belowOrEqual(ms);
      dueAfter(slot.start, every, timezone).should.equal(due, `${zoned(ms, timezone).toString()} ${every}`);
      dueUpTo(millis(due - 1), every, timezone).should.equal(slot.start);
    };
    fc.assert(fc.property(moment, zone, interval, check), { numRuns: 800 });
    fc.assert(
      fc.property(aroundTransition, interval, ({ ms, timezone }, every) => {
        check(ms, timezone, every);
      }),
      { numRuns: 800 },
    );
  });
});

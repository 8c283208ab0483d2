/** The incremental series: its requested periods, and its sent samples. */
import fc from 'fast-check';
import should from 'should';
import {
  lastSent,
  unsentSeries,
  periodsToFetch,
  findSampleRange,
  type SentSamples,
} from '../../../src/model/incremental-series';
import {
  nextPeriod,
  type SeriesPeriod,
  periodContaining,
  periodFromLabel,
  type SeriesUnit,
} from '../../../src/calendar/periods';
import { divideIntoSlots, type Step } from '../../../src/calendar/slots';
import type { PeriodSeriesPayload, SeriesPoint } from '../../../src/model/payload';
import { minuteMs, hourMs, millis, type Millis } from '../../../src/time/units';

const zone = 'Europe/Amsterdam';
const nothingSent: SentSamples = { last: null, sending: null };

function at(text: string): Millis {
  return millis(Date.parse(text));
}

function seriesOf(period: SeriesPeriod, step: Step, points: SeriesPoint[]): PeriodSeriesPayload {
  return {
    schema: 'cemm/1',
    kind: 'series',
    id: `sr/${period.label}`,
    ts: period.start,
    time: new Date(period.start).toISOString(),
    monitor: { id: '001ec08596cc' },
    meter: { alias: 'p1', role: 'grid' },
    period: { ...period, step },
    fields: { power_w: { unit: 'W', semantics: 'average', unitSource: 'monitor', semanticsSource: 'assumed' } },
    points,
    stats: { expected: points.length, received: points.length, gaps: 0, duplicates: 0, futureTrimmed: 0, outside: 0 },
    complete: false,
    source: { transport: 'local', fetchedAt: period.start, latencyMs: 1, requests: 1, promises: 0 },
  };
}

/** The slots of a period at a moment: all that have begun, including the current one. */
function fetched(
  period: SeriesPeriod,
  step: Step,
  now: number,
  value: (ts: number) => number | null = () => 1,
): PeriodSeriesPayload {
  const starts = [...divideIntoSlots(period, step).starts].filter((start) => start <= now);
  return seriesOf(
    period,
    step,
    starts.map((ts) => ({ ts, power_w: value(ts) })),
  );
}

function moments(payloads: readonly PeriodSeriesPayload[]): number[] {
  return payloads.flatMap(({ points }) => points.map(({ ts }) => ts));
}

describe('incremental series: which periods to fetch', () => {
  const now = at('2026-10-25T12:00:00+01:00');

  it('starts with the current period on the first run', () => {
    periodsToFetch('day', zone, nothingSent, null, now)
      .map(({ label }) => label)
      .should.eql(['2026-10-25']);
  });

  it('starts earlier when the message contains since', () => {
    periodsToFetch('day', zone, nothingSent, at('2026-10-23T09:00:00+02:00'), now)
      .map(({ label }) => label)
      .should.eql(['2026-10-23', '2026-10-24', '2026-10-25']);
  });

  it('fetches every missed period after the last sample, but not the finished period', () => {
    const end = at('2026-10-24T00:00:00+02:00');
    const sent = { last: { ts: end - minuteMs, end }, sending: null };
    periodsToFetch('day', zone, sent, null, now)
      .map(({ label }) => label)
      .should.eql(['2026-10-24', '2026-10-25']);
  });

  it('ignores since once something was sent', () => {
    const sent = { last: { ts: now - hourMs, end: now - hourMs + minuteMs }, sending: null };
    periodsToFetch('day', zone, sent, at('2026-10-01T00:00:00+02:00'), now)
      .map(({ label }) => label)
      .should.eql(['2026-10-25']);
  });

  it('starts at the message that was being sent when Node-RED was killed', () => {
    const last = at('2026-10-23T23:59:00+02:00');
    const sent = { last: { ts: last, end: last + minuteMs }, sending: { first: last - hourMs, last } };
    periodsToFetch('day', zone, sent, null, now)
      .map(({ label }) => label)
      .should.eql(['2026-10-23', '2026-10-24', '2026-10-25']);
  });

  it('accepts a clock that was set back', () => {
    const later = now + 3 * 24 * hourMs;
    const sent = { last: { ts: later, end: later + minuteMs }, sending: null };
    periodsToFetch('day', zone, sent, null, now).should.have.length(1);
  });
});

describe('incremental series: what is new and complete', () => {
  const day = periodFromLabel('2026-10-24', zone);
  const noon = millis(day.start + 12 * hourMs);

  it('leaves out the current minute', () => {
    const payload = fetched(day, 'PT1M', noon + 20_000);
    const found = unsentSeries(payload, nothingSent, null, millis(noon + 20_000), null);
    moments(found).should.have.length(720);
    moments(found)
      .at(-1)
      ?.should.equal(noon - minuteMs);
  });

  it('sends each minute once', () => {
    const first = unsentSeries(fetched(day, 'PT1M', noon), nothingSent, null, noon, null);
    const sent = { last: lastSent(first[0] ?? seriesOf(day, 'PT1M', [])), sending: null };
    unsentSeries(fetched(day, 'PT1M', noon), sent, null, noon, null).should.eql([]);
    const later = millis(noon + 2 * minuteMs);
    moments(unsentSeries(fetched(day, 'PT1M', later), sent, null, later, null)).should.eql([noon, noon + minuteMs]);
  });

  it('holds back minutes without a value, and sends them as a gap after a later minute with one', () => {
    const gap = (from: number) => (ts: number) => (ts >= from && ts < from + 3 * minuteMs ? null : 1);
    const before = millis(noon - 1);
    const during = unsentSeries(
      fetched(day, 'PT1M', before, gap(noon - 3 * minuteMs)),
      nothingSent,
      null,
      before,
      null,
    );
    moments(during)
      .at(-1)
      ?.should.equal(noon - 4 * minuteMs);
    const sent = { last: lastSent(during[0] ?? seriesOf(day, 'PT1M', [])), sending: null };
    const later = millis(noon + minuteMs);
    const after = unsentSeries(fetched(day, 'PT1M', later, gap(noon - 3 * minuteMs)), sent, null, later, null);
    moments(after).should.eql([noon - 3 * minuteMs, noon - 2 * minuteMs, noon - minuteMs, noon]);
    after[0]?.stats.should.containEql({ expected: 4, received: 1, gaps: 3 });
  });

  it('starts at since, not at the start of its period', () => {
    const found = unsentSeries(fetched(day, 'PT1M', noon), nothingSent, millis(noon - 5 * minuteMs), noon, null);
    moments(found).should.have.length(5);
  });

  it('contains the range of its samples in the id', () => {
    const [found] = unsentSeries(fetched(day, 'PT1M', noon), nothingSent, null, noon, null);
    found?.id.should.equal(`sr/2026-10-24/${day.start}-${noon - minuteMs}`);
  });

  it('repeats the message that was being sent before a crash unchanged, and sends the rest separately', () => {
    const [before] = unsentSeries(fetched(day, 'PT1M', noon), nothingSent, null, noon, null);
    should.exist(before);
    if (before === undefined) return;
    const crashed = { last: null, sending: findSampleRange(before) };
    const later = millis(noon + 10 * minuteMs);
    const [again, rest, ...none] = unsentSeries(fetched(day, 'PT1M', later), crashed, null, later, null);
    none.should.eql([]);
    again?.id.should.equal(before.id);
    again?.points.should.eql(before.points);
    moments(rest === undefined ? [] : [rest]).should.have.length(10);
  });

  it('keeps a day open on a monitor whose clock is behind', () => {
    const month = periodFromLabel('2026-10', zone);
    const midnight = at('2026-10-11T00:00:00+02:00');
    const now = millis(midnight + hourMs);
    // The clock of the monitor shows 23:00, and it lists the next day with 0.
    const behind = fetched(month, 'P1D', now, (ts) => (ts >= midnight ? 0 : 5));
    moments(unsentSeries(behind, nothingSent, null, now, null)).should.not.containEql(at('2026-10-10T00:00:00+02:00'));
    const right = fetched(month, 'P1D', now, () => 5);
    moments(unsentSeries(right, nothingSent, null, now, null))
      .at(-1)
      ?.should.equal(at('2026-10-10T00:00:00+02:00'));
    const sure = millis(midnight + 3 * hourMs);
    moments(unsentSeries(behind, nothingSent, null, sure, null))
      .at(-1)
      ?.should.equal(at('2026-10-10T00:00:00+02:00'));
  });

  it('holds back the last zeros of the remote service, because the monitor may not have sent those minutes', () => {
    const zeros = (ts: number): number => (ts >= noon - 3 * minuteMs ? 0 : 1);
    const remote = (now: number, value: (ts: number) => number): PeriodSeriesPayload => {
      const payload = fetched(day, 'PT1M', now, value);
      return { ...payload, source: { ...payload.source, transport: 'remote' } };
    };
    const last = (
      payload: PeriodSeriesPayload,
      now: number,
      next: PeriodSeriesPayload | null = null,
    ): number | undefined => moments(unsentSeries(payload, nothingSent, null, millis(now), next)).at(-1);
    should(last(remote(noon, zeros), noon)).equal(noon - 4 * minuteMs);
    should(last(fetched(day, 'PT1M', noon, zeros), noon)).equal(noon - minuteMs);
    // A later minute with a value shows that the zeros were measured, and so does the elapsed time.
    const later = noon + 2 * minuteMs;
    should(
      last(
        remote(later, (ts) => (ts >= noon ? 7 : zeros(ts))),
        later,
      ),
    ).equal(noon + minuteMs);
    should(last(remote(noon, zeros), noon + 3 * hourMs - minuteMs)).equal(noon - 2 * minuteMs);
    const midnight = fetched(day, 'PT1M', day.end + minuteMs, (ts) => (ts >= noon ? 0 : 1));
    const dark = { ...midnight, source: { ...midnight.source, transport: 'remote' as const } };
    should(
      last(
        dark,
        day.end + minuteMs,
        remote(day.end + minuteMs, () => 1),
      ),
    ).equal(day.end - minuteMs);
  });

  it('closes the last day when the next month has begun', () => {
    const month = periodFromLabel('2026-10', zone);
    const now = millis(month.end + hourMs);
    const next = fetched(nextPeriod(month), 'P1D', now, () => 2);
    moments(unsentSeries(fetched(month, 'P1D', now), nothingSent, null, now, null)).should.have.length(30);
    moments(unsentSeries(fetched(month, 'P1D', now), nothingSent, null, now, next)).should.have.length(31);
  });

  const steps: readonly (readonly [SeriesUnit, Step])[] = [
    ['day', 'PT1M'],
    ['day', 'PT5M'],
    ['day', 'PT1H'],
    ['month', 'P1D'],
    ['year', 'P1M'],
  ];

  for (const [unit, step] of steps) {
    it(`sends every closed ${step} once and in order, at any times of requests and interruptions`, () => {
      const begin = at('2026-10-20T00:00:00+02:00');
      const hours = unit === 'day' ? 24 * 12 : unit === 'month' ? 24 * 80 : 24 * 900;
      fc.assert(
        fc.property(
          fc.array(fc.tuple(fc.integer({ min: 1, max: hours * 60 }), fc.boolean()), { minLength: 1, maxLength: 12 }),
          (rounds) => {
            const sentMoments: number[] = [];
            let sent: SentSamples = nothingSent;
            let now = begin;
            for (const [minutes, killed] of rounds.map(([sum, killed]) => [sum / rounds.length, killed] as const)) {
              now = millis(Math.floor(now + minutes * minuteMs));
              const periods = periodsToFetch(unit, zone, sent, begin, now);
              const answers = periods.map((period) => fetched(period, step, now));
              for (const [index, answer] of answers.entries()) {
                for (const message of unsentSeries(answer, sent, begin, now, answers[index + 1] ?? null)) {
                  sent = { ...sent, sending: findSampleRange(message) };
                  if (killed) break;
                  sentMoments.push(...message.points.map(({ ts }) => ts));
                  sent = { last: lastSent(message), sending: null };
                }
                if (killed) break;
              }
            }
            const wanted: number[] = [];
            for (let period = periodContaining(unit, zone, begin); period.start <= now; period = nextPeriod(period)) {
              wanted.push(...[...divideIntoSlots(period, step).starts].filter((start) => start >= begin));
            }
            sentMoments.should.eql(wanted.slice(0, sentMoments.length));
            const [, killedLast] = rounds.at(-1) ?? [0, false];
            if (!killedLast) {
              const open = wanted[sentMoments.length + 1];
              // At most the slot after the last one sent is still running.
              if (open !== undefined) open.should.be.above(now - 24 * hourMs * 31);
              if (step.startsWith('PT')) {
                const length = { PT1M: 1, PT5M: 5, PT1H: 60 }[step as 'PT1M' | 'PT5M' | 'PT1H'] * minuteMs;
                sentMoments.length.should.equal(wanted.filter((start) => start + length <= now).length);
              }
            }
          },
        ),
        { numRuns: 30 },
      );
    });
  }
});

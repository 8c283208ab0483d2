/** The requests of a balance (src/balance/requests/plan.ts). */
import should from 'should';
import { listMidnights, requestsFor, requestsForGaps, type PlanInput } from '../../../src/balance/requests/plan';
import { at, period } from '../../support/balance/small-house';

const meters = [
  { name: 'p1', role: 'grid' },
  { name: 's01', role: 'production' },
  { name: 'p1-gas', role: 'gas' },
] as const;

function input(label: string, more: Partial<PlanInput> = {}): PlanInput {
  return {
    period: period(label),
    meters,
    now: at('2027-06-01T12:00:00Z'),
    hasTotals: true,
    needs: { minutesOf: [], keptMinutesOf: [], midnights: [] },
    knowsReading: () => false,
    knowsMonth: () => true,
    ...more,
  };
}

function count(label: string, more: Partial<PlanInput> = {}, plan = requestsFor): Record<string, number> {
  const found: Record<string, number> = {};
  for (const request of plan(input(label, more))) {
    const unit = request.kind === 'series' ? ` ${request.period.unit}` : '';
    const name = `${request.meter} ${request.kind}${unit}`;
    found[name] = (found[name] ?? 0) + 1;
  }
  return found;
}

describe('the requests for a balance', () => {
  it('are two counter readings and the minutes for a day, with gas in the counters of p1', () => {
    count('2026-06-15').should.deepEqual({
      'p1 totals': 2,
      'p1 series day': 1,
      's01 totals': 2,
      's01 series day': 1,
      'p1-gas series day': 1,
    });
  });

  it('are 32 counter readings and one month for a month of 31 days, plus 31 days of minutes on request', () => {
    const plain = { 'p1 totals': 32, 'p1 series month': 1, 's01 totals': 32, 's01 series month': 1 };
    count('2026-10').should.deepEqual(plain);
    const needs = { minutesOf: ['grid'], keptMinutesOf: [], midnights: [] } as const;
    count('2026-10', { needs }).should.deepEqual({ ...plain, 'p1 series day': 31 });
    count('2026-10', { needs: { ...needs, minutesOf: ['gas'] } }).should.deepEqual({
      ...plain,
      'p1-gas series day': 31,
    });
  });

  it('are the days of the months without readings for the year of a local monitor', () => {
    const local = { hasTotals: false, knowsMonth: (start: number) => start !== period('2026-02').start };
    count('2026', local).should.deepEqual({ 'p1 series year': 1, 's01 series year': 1, 'p1-gas series year': 1 });
    count('2026', local, requestsForGaps).should.deepEqual({ 'p1 series day': 337, 's01 series day': 337 });
    const [from, to] = [period('2026-03').start, period('2026-07').start];
    const knowsReading = (_: string, border: number): boolean => border === from || border === to;
    const march = { ...local, knowsReading };
    count('2026', march, requestsForGaps).should.deepEqual({ 'p1 series day': 337, 's01 series day': 337 });
    const all = { ...local, knowsReading: (_: string, border: number) => border >= from && border <= to };
    count('2026', all, requestsForGaps).should.deepEqual({ 'p1 series day': 215, 's01 series day': 215 });
  });

  it('are those of the house before those of its devices in a year of a local monitor, the newest days first', () => {
    const withDevice = [...meters, { name: 'mb2', role: 'consumption' } as const];
    const days = requestsForGaps(input('2026', { hasTotals: false, meters: withDevice })).flatMap((request) =>
      request.kind === 'series' ? `${request.meter} ${request.period.label}` : [],
    );
    should(days.slice(0, 3)).deepEqual(['p1 2026-12-31', 's01 2026-12-31', 'p1 2026-12-30']);
    should(days.slice(730, 732)).deepEqual(['mb2 2026-12-31', 'mb2 2026-12-30']);
    should(days).have.length(3 * 365);
  });

  it('are 13 counter readings and one year for a year, and those of midnights at which a price changes', () => {
    const plain = { 'p1 totals': 13, 'p1 series year': 1, 's01 totals': 13, 's01 series year': 1 };
    count('2026').should.deepEqual(plain);
    const midnights = [period('2026-07-15').start, period('2026-10').start];
    count('2026', { needs: { minutesOf: [], keptMinutesOf: [], midnights } }).should.deepEqual({
      ...plain,
      'p1 totals': 14,
      's01 totals': 14,
    });
    const days = requestsFor(input('2026', { needs: { minutesOf: [], keptMinutesOf: [], midnights } })).flatMap(
      (request) => (request.kind === 'totals' ? request.period.label : []),
    );
    days.should.containEql('2026-07-14');
    // The peaks of its months are in the minutes of all days.
    count('2026', { needs: { minutesOf: ['grid'], keptMinutesOf: [], midnights: [] } }).should.deepEqual({
      ...plain,
      'p1 series day': 365,
    });
  });

  it('are counters of a device, and its minutes where those of the house are read from the monitor anyway', () => {
    const withDevice = [...meters, { name: 'mb2', role: 'consumption' as const }];
    const ofDevice = (label: string, more: Partial<PlanInput>) =>
      Object.fromEntries(
        Object.entries(count(label, { meters: withDevice, ...more })).filter(([name]) => name.startsWith('mb2')),
      );
    const byMinute = { needs: { minutesOf: ['grid'], keptMinutesOf: [], midnights: [] } } as const;
    ofDevice('2026-06-15', {}).should.deepEqual({ 'mb2 totals': 2, 'mb2 series day': 1 });
    ofDevice('2026-06', {}).should.deepEqual({ 'mb2 totals': 31 });
    ofDevice('2026-06', byMinute).should.deepEqual({ 'mb2 totals': 31 });
    ofDevice('2026-06', { ...byMinute, hasTotals: false }).should.deepEqual({ 'mb2 series day': 30 });
    ofDevice('2026-06', { hasTotals: false }).should.deepEqual({});
  });

  it('leave out known readings', () => {
    const knowsReading = (_: string, border: number) => border < at('2026-10-20T00:00:00Z');
    count('2026-10', { knowsReading, meters: [meters[0]] }).should.deepEqual({ 'p1 totals': 12, 'p1 series month': 1 });
  });

  it('request the current counters on the current day', () => {
    const now = at('2026-06-15T12:00:00Z');
    const [grid] = meters;
    count('2026-06-15', { now, meters: [grid] }).should.deepEqual({ 'p1 totals': 2, 'p1 series day': 1 });
    const local = { now, meters: [grid], hasTotals: false };
    count('2026-06-15', local).should.deepEqual({ 'p1 realtime': 1, 'p1 series day': 1 });
    const gas = { now: at('2027-06-01T12:00:00Z'), meters: meters.slice(2), hasTotals: false };
    count('2026-06', gas).should.deepEqual({ 'p1-gas series month': 1 });
    count('2026', gas).should.deepEqual({ 'p1-gas series year': 1 });
    requestsFor(input('2026-06-16', { now })).should.deepEqual([]);
  });

  it('add the day that ends at each border without a reading', () => {
    const { start } = period('2026-10-05');
    const knowsReading = (meter: string, border: number) => meter !== 'p1' || border !== start;
    const requests = requestsForGaps(input('2026-10', { knowsReading }));
    requests.should.have.length(1);
    requests[0]?.should.containDeep({ kind: 'series', meter: 'p1', period: { label: '2026-10-04' } });
    const first = requestsForGaps(
      input('2026-10', { knowsReading: (meter, border) => meter !== 'p1' || border !== period('2026-10').start }),
    );
    first[0]?.should.containDeep({ kind: 'series', meter: 'p1', period: { label: '2026-10-01' } });
    count(
      '2026',
      { knowsReading: (_, border) => border !== period('2026-05').start },
      requestsForGaps,
    ).should.deepEqual({
      'p1 totals': 1,
      's01 totals': 1,
    });
  });

  it('are the minutes of every day so far, for a monitor without past readings', () => {
    const now = at('2026-10-19T15:00:00+02:00');
    const requests = requestsForGaps(input('2026-10', { now, hasTotals: false, meters: [meters[0]] }));
    const days = requests.map((request) => (request.kind === 'series' ? request.period.label : request.kind));
    days.sort().should.deepEqual(Array.from({ length: 19 }, (_, day) => `2026-10-${String(day + 1).padStart(2, '0')}`));
    // On the first day of the month, and for a single day, the day is requested once.
    const first = at('2026-10-01T15:00:00+02:00');
    const ofFirst = requestsForGaps(input('2026-10', { now: first, hasTotals: false, meters: [meters[0]] }));
    ofFirst.should.have.length(1);
    requestsForGaps(input('2026-10-19', { now, hasTotals: false, meters: [meters[0]] })).should.have.length(0);
    // The day after the last one is not part of a completed month.
    const over = requestsForGaps(
      input('2026-09', { now: at('2026-10-01T12:00:00+02:00'), hasTotals: false, meters: [meters[0]] }),
    );
    over.should.have.length(30);
  });

  it('have the day before the first reading that was kept, which has no reading at its start', () => {
    const kept = period('2026-10-17').start;
    const requests = requestsForGaps(
      input('2026-10', {
        now: at('2026-10-19T15:00:00+02:00'),
        hasTotals: false,
        meters: [meters[0]],
        knowsReading: (_, border) => border >= kept,
      }),
    );
    const days = requests.map((request) => (request.kind === 'series' ? request.period.label : request.kind));
    days.sort().should.deepEqual(Array.from({ length: 16 }, (_, day) => `2026-10-${String(day + 1).padStart(2, '0')}`));
  });

  it('have the borders of days with 23 and 25 hours', () => {
    const lengths = (label: string) =>
      new Set(
        listMidnights(period(label)).flatMap((border, index, all) =>
          index === 0 ? [] : border - (all[index - 1] ?? 0),
        ),
      );
    lengths('2026-03').should.containEql(23 * 3_600_000);
    should(listMidnights(period('2026-10'))).have.length(32);
    should(listMidnights(period('2026'))).have.length(13);
  });
});

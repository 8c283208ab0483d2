/** The functions of the example month-and-year-report: its requested months, its comparisons, and unknown values. */
import should from 'should';
import { runFunction } from '../../support/docs/example-functions';

const march = Date.parse('2026-03-18T12:00:00Z');

interface Part {
  readonly key: string;
  readonly rows: readonly { readonly label: string; readonly isOver: boolean; readonly amounts: readonly unknown[] }[];
  readonly shares: readonly number[];
}

/** The flow of the example, with a monitor that answers its requests. */
class Flow {
  readonly context = new Map<string, unknown>();
  now = march;

  constructor(private readonly transport: 'local' | 'remote') {}

  ask(): { period: string; date: string } | null {
    const [request] = this.run('ask') as [{ period: string; date: string } | null];
    return request;
  }

  /** Answers all requests, one after the other. */
  fill(most = 40): string[] {
    const asked: string[] = [];
    while (asked.length < most) {
      const request = this.ask();
      if (request === null) break;
      asked.push(`${request.period} ${request.date}`);
      this.answer(request);
    }
    return asked;
  }

  answer({ period, date }: { period: string; date: string }, missing: object = {}): void {
    const [year = 0, month = 0] = date.split('-').map(Number);
    const count = period === 'year' ? 12 : new Date(Date.UTC(year, month, 0)).getUTCDate();
    const starts = Array.from({ length: count }, (_, index) =>
      period === 'year' ? Date.UTC(year, index, 1, 12) : Date.UTC(year, month - 1, index + 1, 12),
    );
    const amounts = { energy_import_kwh: 2, energy_export_kwh: 1, energy_self_consumed_kwh: null };
    this.run('keep', {
      payload: {
        period: {
          unit: period,
          label: date.slice(0, period === 'year' ? 4 : 7),
          timezone: 'Europe/Amsterdam',
          end: Date.UTC(year, month),
        },
        values: { ...amounts, energy_import_kwh: 2 * count },
        points: starts.filter((ts) => ts <= this.now).map((ts) => ({ ts, ...amounts, cost: 0.45 })),
        coverage: { energy_import_kwh: 1, energy_export_kwh: 0.5 },
        counters: { gas_m3: { start: null, end: [this.now, 8446.98] }, water_m3: { start: [1, 1], end: null } },
        missing,
        source: { transport: this.transport },
      },
    });
  }

  run(id: string, message: object = {}): unknown {
    return runFunction('month-and-year-report', `cemm-report-${id}`, message, { flow: this.context, now: this.now });
  }

  parts(): Part[] {
    return (this.run('compare') as { parts: Part[] }).parts;
  }

  page(): unknown {
    return ['compare', 'texts', 'as-text'].reduce<object>((message, id) => this.run(id, message) as object, {});
  }
}

describe('the example month-and-year-report', () => {
  it('asks a monitor in the network for every month once, and after an hour for the running one', () => {
    const flow = new Flow('local');
    const months = ['2026-03', '2025-03', '2026-02', '2026-01', '2025-12', '2025-11', '2025-10', '2025-09', '2025-08'];
    const older = ['2025-07', '2025-06', '2025-05', '2025-04', '2025-02', '2025-01'];
    flow.fill().should.eql([...months, ...older].map((label) => `month ${label}-01`));
    flow.now += 3_600_000;
    flow.fill().should.eql(['month 2026-03-01']);
    // The month is over: its last day is read again, and so is the same month of last year with its days.
    flow.now = Date.parse('2026-04-01T06:00:00Z');
    flow.fill().should.eql(['month 2026-04-01', 'month 2026-03-01']);
  });

  it('asks the remote service for years, and for months only where it shows days', () => {
    const flow = new Flow('remote');
    flow.fill().should.eql(['month 2026-03-01', 'month 2025-03-01', 'year 2026-02-01', 'year 2025-12-01']);
    const months = flow.context.get('months') as Record<string, { sums: unknown; days?: unknown }>;
    Object.keys(months).should.have.length(15);
    should(months['2025-07']?.sums).eql([2, 1, null, 0.45]);
    should(months['2025-03']?.days).be.an.Array();
    flow.now = Date.parse('2026-04-01T06:00:00Z');
    flow.fill().should.eql(['month 2026-04-01', 'month 2025-04-01', 'month 2026-03-01']);
  });

  it('asks no second time for months that the answer of a year does not have', () => {
    const flow = new Flow('remote');
    flow.fill(2);
    const request = flow.ask();
    should(request).eql({ period: 'year', date: '2026-02-01' });
    flow.run('keep', {
      payload: {
        period: { unit: 'year', label: '2026', timezone: 'Europe/Amsterdam', end: Date.UTC(2027, 0) },
        ...{ values: {}, points: [], coverage: {}, counters: {}, missing: {}, source: { transport: 'remote' } },
      },
    });
    flow.fill().should.eql(['year 2025-12-01']);
    should(flow.parts()[1]?.rows[0]?.amounts[0]).eql([null, null, null, null]);
  });

  it('asks for nothing while it waits, and again after an hour when the meter did not answer', () => {
    const flow = new Flow('local');
    const request = flow.ask();
    should(request).eql({ period: 'month', date: '2026-03-01' });
    should(flow.ask()).be.null();
    if (request !== null) flow.answer(request, { energy_import_kwh: 'not_readable' });
    should(flow.context.get('months')).eql({});
    should(flow.ask()).eql(request);
    flow.run('failed', { error: { message: 'No route.' } });
    should(flow.page()).containDeep({
      payload: { told: ['0 of 15 months are read', 'No answer; asked again within the hour: No route.'] },
    });
  });

  it('puts days and months side by side, with null for what is not known, and says how much was measured', () => {
    const flow = new Flow('local');
    flow.fill(3);
    const [days, months] = flow.parts();
    const nothing = [null, null, null, null];
    should(days?.rows.map(({ amounts }) => amounts[0])).eql([
      ...Array.from({ length: 18 }, () => [2, 1, null, 0.45]),
      ...Array.from({ length: 13 }, () => nothing),
    ]);
    should(days?.rows.filter(({ isOver }) => isOver).length).equal(17);
    should(days?.shares).eql([0.5, 0.5]);
    should(months?.rows.map(({ amounts }) => (amounts[1] as unknown[])[0])).eql([
      ...[null, null, 62],
      ...Array.from({ length: 9 }, () => null),
    ]);
    should(months?.rows.filter(({ isOver }) => isOver).map(({ label }) => label)).eql(['2025-01', '2025-02']);
    should(months?.shares).eql([1 / 3, 0.5 / 12]);
    should(flow.page()).containDeep({ payload: { readings: [{ name: 'Gas', text: '8,446.980 m³' }] } });
    JSON.stringify(flow.page()).should.not.match(/NaN|undefined/);
  });

  it('leaves a cell of the CSV empty where nothing is known', () => {
    const flow = new Flow('local');
    const rows = (of: string, decimal: string) =>
      flow.run('rows', { req: { query: { of, decimal } } }) as { payload: object[] }[];
    should(rows('days', 'point')[1]?.payload).eql([
      { date: '', import_kwh: '', export_kwh: '', self_consumed_kwh: '', cost: '' },
    ]);
    flow.fill(1);
    should(rows('days', 'comma')[0]?.payload[17]).eql({
      ...{ date: '2026-03-18', import_kwh: '2', export_kwh: '1', self_consumed_kwh: '', cost: '0,45' },
    });
  });
});

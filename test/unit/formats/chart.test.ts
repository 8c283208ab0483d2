import should from 'should';
import { createFormatter, type Formatter } from '../../../src/formats/formatter';
import type { ChartPoint } from '../../../src/formats/chart';
import type { SeriesPayload } from '../../../src/model/payload';
import { minuteMs } from '../../../src/time/units';
import {
  MAC,
  offline,
  problem,
  realtime,
  S,
  series,
  T,
  timeseries,
  totals,
  water,
  webhook,
} from '../../support/formats/payloads';

const of = (alias: string, label = series.period.label): SeriesPayload => ({
  ...series,
  meter: { alias, role: null },
  period: { ...series.period, label },
});

function linesOf(format: Formatter, payload: SeriesPayload, parts?: object): string[] {
  const [message] = format({ payload, parts });
  const points = (message?.payload ?? []) as ChartPoint[];
  return [...new Set(points.map((point) => point.series))];
}

describe('format chart', () => {
  it('replaces the chart by a series, with gaps for missing values', () => {
    createFormatter('chart')({ payload: series }).should.deepEqual([
      {
        topic: `cemm/${MAC}/p1/series`,
        action: 'replace',
        payload: [
          { series: 'p1 power_w', ts: S, value: 250 },
          { series: 'p1 power_w', ts: S + minuteMs, value: 300.5 },
          { series: 'p1 power_w', ts: S + 2 * minuteMs, value: null },
          { series: 'p1 power_w', ts: S + 3 * minuteMs, value: 0 },
          { series: 'p1 power_w', ts: S + 4 * minuteMs, value: -20 },
        ],
      },
    ]);
  });

  it('does not interrupt the line of a channel with longer slots', () => {
    const gas = { ...series, points: series.points.map(({ ts, gas_lpm = null }) => ({ ts, gas_lpm })) };
    const [message] = createFormatter('chart')({ payload: gas });
    should(message?.payload).deepEqual([
      { series: 'p1 gas_lpm', ts: S, value: 3 },
      { series: 'p1 gas_lpm', ts: S + 2 * minuteMs, value: 0 },
      { series: 'p1 gas_lpm', ts: S + 4 * minuteMs, value: 1.5 },
    ]);
  });

  it('does not interrupt a line of months', () => {
    const months = Array.from({ length: 12 }, (_, month) => ({ ts: Date.UTC(2026, month), energy_import_kwh: 200 }));
    const year: SeriesPayload = {
      ...series,
      period: { ...series.period, unit: 'year', label: '2026', start: Date.UTC(2026), step: 'P1M' },
      fields: {
        energy_import_kwh: {
          unit: 'kWh',
          semantics: 'energy',
          unitSource: 'specification',
          semanticsSource: 'assumed',
        },
      },
      points: months,
    };
    const [message] = createFormatter('chart')({ payload: year });
    (message?.payload as ChartPoint[]).map(({ value }) => value).should.deepEqual(months.map(() => 200));
  });

  it('appends a reading in one unit: import and export for power', () => {
    createFormatter('chart')({ payload: realtime }).should.deepEqual([
      {
        topic: `cemm/${MAC}/p1/realtime`,
        action: 'append',
        payload: [
          { series: 'p1 power_import_w', ts: T, value: 0 },
          { series: 'p1 power_export_w', ts: T, value: 1240 },
        ],
      },
    ]);
  });

  it('appends other units without power', () => {
    const drawn = [water, totals, offline, problem].map((payload) => createFormatter('chart')({ payload })[0]);
    drawn
      .map((message) => message?.payload)
      .should.deepEqual([
        [{ series: 'pulse-2 water_m3', ts: T - 1500, value: 800.5 }],
        [
          { series: 'p1 energy_import_t1_kwh', ts: T, value: 4310.5 },
          { series: 'p1 energy_export_t1_kwh', ts: T, value: 0 },
        ],
        [{ series: 'p1 online', ts: T, value: 0 }],
        [{ series: 'problem_missed', ts: T, value: 1 }],
      ]);
    drawn.map((message) => message?.action).should.deepEqual(['append', 'append', 'append', 'append']);
  });

  it('appends the current values of a delivery', () => {
    createFormatter('chart')({ payload: webhook }).should.deepEqual([
      {
        topic: 'cemm/24000001/webhook',
        action: 'append',
        payload: [{ series: 'dsmr power_import_w', ts: T - 1000, value: 412.5 }],
      },
    ]);
    createFormatter('chart')({ payload: timeseries }).should.deepEqual([
      {
        topic: 'cemm/house-1/webhook',
        action: 'replace',
        payload: [{ series: 'dsmr power_w', ts: T - 2 * minuteMs, value: 100 }],
      },
    ]);
  });

  it('draws the newest series of several meters together, in a constant order', () => {
    const format = createFormatter('chart');
    linesOf(format, of('s01')).should.deepEqual(['s01 power_w']);
    linesOf(format, of('p1')).should.deepEqual(['p1 power_w', 's01 power_w']);
    linesOf(format, of('s01')).should.deepEqual(['p1 power_w', 's01 power_w']);
  });

  it('removes the lines of another period', () => {
    const format = createFormatter('chart');
    linesOf(format, of('p1'));
    linesOf(format, of('s01', '2026-10-26')).should.deepEqual(['s01 power_w']);
    linesOf(format, of('p1', '2026-10-26')).should.deepEqual(['p1 power_w', 's01 power_w']);
  });

  it('stores a limited number of lines', () => {
    const format = createFormatter('chart');
    for (let number = 0; number < 150; number += 1) linesOf(format, of(`m${number}`));
    linesOf(format, of('m150')).should.have.length(100);
  });

  it('adds the later periods of a range', () => {
    const format = createFormatter('chart');
    const actions = [0, 1, 2].map((index) => {
      const payload = of('p1', `2026-10-2${index}`);
      return format({ payload, parts: { id: 'x', index, count: 3 } })[0]?.action;
    });
    actions.should.deepEqual(['replace', 'append', 'append']);
  });

  it('adds new samples, and draws them again with the other meters', () => {
    const format = createFormatter('chart');
    format({ payload: { ...series, points: series.points.slice(0, 2) } });
    const [added] = format({ payload: { ...series, points: series.points.slice(3) } });
    should(added?.action).equal('append');
    (added?.payload as ChartPoint[]).should.have.length(2);
    const [all] = format({ payload: of('s01') });
    const p1 = (all?.payload as ChartPoint[]).filter((point) => point.series === 'p1 power_w');
    p1.map(({ value }) => value).should.deepEqual([250, 300.5, 0, -20]);
  });

  it('clears the chart for a period without values, but not for a reading without values', () => {
    const empty = series.points.map(({ ts }) => ({ ts, power_w: null }));
    createFormatter('chart')({ payload: { ...series, points: empty } }).should.containDeep([
      { action: 'replace', payload: [] },
    ]);
    createFormatter('chart')({ payload: { ...realtime, values: { power_w: null } } }).should.deepEqual([]);
  });
});

/** Default fields of a chart, names of its lines, and the list of fields in each format. */
import 'should';
import { type ChartPoint } from '../../../src/formats/chart';
import { createFormatter, type FormatName, type FormatOptions } from '../../../src/formats/formatter';
import { slotLabels } from '../../../src/formats/slot-label';
import { rows as fieldRows } from '../../../src/model/fields';
import type { Payload, RealtimePayload, Role, SeriesPayload } from '../../../src/model/payload';
import { lineNames } from '../../support/formats/names';
import { MAC, offline, realtime, series, T, webhook } from '../../support/formats/payloads';

function points(payload: Payload, options: FormatOptions = {}): ChartPoint[] {
  const [message] = createFormatter('chart', { names: lineNames('en-US'), ...options })({ payload });
  return (message?.payload ?? []) as ChartPoint[];
}

function lines(payload: Payload, options?: FormatOptions): string[] {
  return [...new Set(points(payload, options).map((point) => point.series))];
}

function reading(alias: string, role: Role | null, values: RealtimePayload['values']): RealtimePayload {
  return { ...realtime, meter: { alias, role }, values, times: {}, missing: {} };
}

function month(alias: string, role: Role | null, rows: SeriesPayload['points']): SeriesPayload {
  const [start, end] = [Date.UTC(2026, 8, 30, 22), Date.UTC(2026, 9, 31, 23)];
  const fields = Object.keys(rows[0] ?? {}).filter((name) => name !== 'ts');
  const unit = { unit: 'kWh', semantics: 'energy', unitSource: 'assumed', semanticsSource: 'assumed' } as const;
  return {
    ...series,
    meter: { alias, role },
    period: { unit: 'month', label: '2026-10', timezone: 'Europe/Amsterdam', start, end, step: 'P1D' },
    fields: Object.fromEntries(fields.map((field) => [field, unit])),
    points: rows,
  };
}

const firstDay = Date.UTC(2026, 8, 30, 22);
const dayMs = 86_400_000;

describe('the lines of a chart where no fields are chosen', () => {
  it('are import and export at the grid, without the signed power', () => {
    lines(
      reading('p1', 'grid', { power_w: -5, power_import_w: 0, power_export_w: 5, energy_import_kwh: 1 }),
    ).should.eql(['Import', 'Export']);
  });

  it('are the production of an inverter, the consumption of a device', () => {
    lines(reading('s01', 'production', { power_w: 5, power_production_w: 5 })).should.eql(['s01 Production']);
    lines(reading('mb5', 'consumption', { power_w: 5, power_l1_w: 5 })).should.eql(['mb5 Consumption']);
    lines(reading('mb5', null, { power_w: 5, power_l1_w: 5 })).should.eql(['mb5 Power']);
  });

  it('are the sums of both tariffs, without the tariffs', () => {
    const rows = [{ ts: firstDay, energy_net_t1_kwh: 1, energy_net_t2_kwh: 2, energy_net_kwh: 3 }];
    lines(month('p1', 'grid', rows)).should.eql(['Net import']);
    lines(month('s01', 'production', rows)).should.eql(['s01 Production']);
    const both = [
      { ts: firstDay, energy_import_t1_kwh: 1, energy_import_kwh: 3, energy_export_kwh: 0, energy_net_kwh: 3 },
    ];
    lines(month('p1', 'grid', both)).should.eql(['Import', 'Export']);
  });

  it('are the tariffs if their sum is missing', () => {
    const values = { energy_import_t1_kwh: 4, energy_import_t2_kwh: 5, energy_import_kwh: null, tariff: 2 };
    lines(reading('p1', 'grid', values)).should.eql(['Import, tariff 1', 'Import, tariff 2']);
  });

  it('are chosen for each meter of a delivery', () => {
    const [first] = webhook.readings;
    if (first === undefined) throw new Error('no reading');
    const readings = [first, { ...first, meter: 'pv', field: 'power_w' }];
    lines({ ...webhook, readings }).should.eql(['Import', 'pv Power']);
  });

  it('are past windows if a delivery has no current values', () => {
    const readings = webhook.readings.filter(({ topic }) => topic !== 'realtime');
    lines({ ...webhook, readings }).should.eql(['Import (last/15minutes)']);
  });

  it('have the names of their fields in the library, as have fields without a catalogue name', () => {
    lines(reading('p1', 'grid', { power_import_w: 5 }), { names: () => null }).should.eql(['p1 power_import_w']);
    lines(reading('p1', null, { odd: 5 })).should.eql(['p1 odd']);
  });

  for (const [language, names] of [
    ['nl', ['Afname', 'Teruglevering']],
    ['de', ['Bezug', 'Einspeisung']],
    ['fr', ['Soutirage', 'Injection']],
  ] as const) {
    it(`have the words of ${language}`, () => {
      lines(realtime, { names: lineNames(language) }).should.eql(names);
    });
  }

  it('never have the same name and unit twice on one meter', () => {
    const unitOf = (field: string): string => /_([a-z0-9]+)$/.exec(field)?.[1] ?? '';
    for (const language of ['en-US', 'nl', 'de', 'fr']) {
      const nameOf = lineNames(language);
      const named = Object.keys(fieldRows).flatMap((field) => {
        const name = nameOf(field);
        return name === null ? [] : [`${name} ${unitOf(field)}`];
      });
      named.length.should.be.above(45);
      new Set(named).size.should.equal(named.length, language);
    }
  });
});

describe('the slots of a series in words', () => {
  const rows = [
    { ts: firstDay, energy_net_kwh: 3 },
    { ts: firstDay + dayMs, energy_net_kwh: null },
    { ts: firstDay + 2 * dayMs, energy_net_kwh: 1 },
  ];

  it('are days of a month, each with a point, so that a missing value leaves a gap between the bars', () => {
    points(month('p1', 'grid', rows)).should.eql([
      { series: 'Net import', ts: firstDay, value: 3, label: '1 Oct' },
      { series: 'Net import', ts: firstDay + dayMs, value: null, label: '2 Oct' },
      { series: 'Net import', ts: firstDay + 2 * dayMs, value: 1, label: '3 Oct' },
    ]);
  });

  it('have names in the language', () => {
    const labels = ['nl-NL', 'de-DE', 'fr-FR'].map(
      (language) => points(month('p1', 'grid', rows), { language })[0]?.label,
    );
    labels.should.eql(['1 okt', '1. Okt.', '1 oct.']);
  });

  it('are months with their year and hours of a day, and null for minutes', () => {
    slotLabels({ step: 'P1M', timezone: 'Europe/Amsterdam' }, 'en-GB')?.(firstDay).should.equal('Oct 2026');
    slotLabels({ step: 'PT1H', timezone: 'Europe/Amsterdam' }, 'en-GB')?.(T).should.equal('13:00');
    (slotLabels({ step: 'PT1M', timezone: 'Europe/Amsterdam' }, 'en-GB') === null).should.equal(true);
    points(series)
      .every((point) => !('label' in point))
      .should.equal(true);
  });

  it('TD22: are different for both hours of the night in which the clocks are set back', () => {
    const label = slotLabels({ step: 'PT1H', timezone: 'Europe/Amsterdam' }, 'en-GB');
    const midnight = Date.UTC(2026, 9, 24, 22);
    const night = [0, 1, 2, 3, 4].map((hour) => label?.(midnight + hour * 3_600_000) ?? '');
    new Set(night).size.should.equal(5);
    [night[1], night[4]].should.eql(['01:00', '03:00']);
  });
});

describe('the list of fields', () => {
  const fields = 'power_import_w, gas_m3';
  const of = (format: FormatName, payload: Payload, list = fields) =>
    createFormatter(format, { fields: list })({ payload });

  it('limits the lines of a chart, which have the unit in a repeated name', () => {
    lines(realtime, { fields }).should.eql(['Import', 'Gas']);
    lines(realtime, { fields: 'power_import_w energy_import_t1_kwh' }).should.eql(['Import', 'Import, tariff 1']);
    const values = { power_import_w: 1, energy_import_kwh: 2 };
    lines(reading('p1', 'grid', values), { fields: 'power_import_w;energy_import_kwh' }).should.eql([
      'Import (W)',
      'Import (kWh)',
    ]);
  });

  it('selects windows of a delivery by their complete name', () => {
    lines(webhook, { fields: 'this_day_energy_import_kwh' }).should.eql(['Import (this/day)']);
  });

  it('limits values, rows, InfluxDB and SenML', () => {
    of('values', realtime).should.eql([
      { topic: `cemm/${MAC}/p1/realtime`, payload: { power_import_w: 0, gas_m3: 2511.873 } },
    ]);
    of('rows', realtime)
      .flatMap(({ payload }) => payload as { field: string }[])
      .map(({ field }) => field)
      .should.eql(['power_import_w', 'gas_m3']);
    of('influx', realtime)
      .flatMap(({ payload }) => payload as { fields: object }[])
      .flatMap((point) => Object.keys(point.fields))
      .should.eql(['power_import_w', 'gas_m3']);
    of('senml', realtime)
      .flatMap(({ payload }) => payload as { n: string }[])
      .map(({ n }) => n)
      .should.eql(['p1:gas_m3', 'p1:power_import_w']);
  });

  it('sends nothing for a payload without these fields', () => {
    const formats: FormatName[] = ['values', 'rows', 'chart', 'influx', 'senml'];
    for (const format of formats) {
      of(format, reading('s01', 'production', { power_production_w: 5 })).should.eql([], format);
      of(format, offline).should.eql([], format);
    }
    of('values', offline, 'online').should.containDeep([{ payload: { online: false } }]);
  });

  it('limits the sensors of Home Assistant, but not availability', () => {
    const [discovery] = of('homeassistant', realtime);
    const { components } = discovery?.payload as { components: object };
    Object.keys(components).should.eql(['p1_power_import_w', 'p1_gas_m3']);
    of('homeassistant', offline).should.have.length(1);
  });

  it('has no effect if it is blank', () => {
    for (const format of ['values', 'rows', 'influx', 'senml', 'homeassistant'] as const) {
      of(format, realtime, ' , ').should.eql(createFormatter(format)({ payload: realtime }), format);
    }
  });
});

/**
 * Format `chart` of a balance. A period has stacked bars: import and self-consumption add up to the use of the house, with a battery
 * together with what it discharges and minus what it charges; export and charge are below zero. A current balance is appended to lines.
 */
import { topicOf } from '../model/identity';
import type { BalancePayload } from '../model/payload';
import type { ChartOptions, ChartPoint } from './chart';
import { type DataPoint, pointsOfHouse, sumsOfHouse } from './data-points';
import type { Formatted } from './formatted';
import { type SlotLabel, slotLabels } from './slot-label';

interface HouseSeries {
  readonly field: string;
  readonly name: string;
  /** Drawn below zero. */
  readonly isBelow?: true;
}

const energies: readonly HouseSeries[] = [
  { field: 'energy_import_kwh', name: 'From the grid' },
  { field: 'energy_self_consumed_kwh', name: 'Own production used' },
  { field: 'energy_battery_discharged_kwh', name: 'Battery discharged' },
  { field: 'energy_export_kwh', name: 'To the grid', isBelow: true },
  { field: 'energy_battery_charged_kwh', name: 'Battery charged', isBelow: true },
];

/** For a house with only these meters. */
const volumes: readonly HouseSeries[] = [
  { field: 'gas_m3', name: 'Gas' },
  { field: 'water_m3', name: 'Water' },
];

const powers: readonly HouseSeries[] = [
  { field: 'power_house_w', name: 'House' },
  { field: 'power_production_w', name: 'Production' },
  { field: 'power_battery_w', name: 'Battery' },
];

/**
 * One message, or none if there is nothing to add. The first period of a sequence replaces the chart; further periods and current
 * balances are appended.
 * @param position index of the payload in a sequence of messages, 0 without a sequence
 */
export function chartOfBalance(
  payload: BalancePayload,
  position: number,
  options: ChartOptions,
): Formatted<readonly ChartPoint[]>[] {
  const points = pointsOfHouse(payload);
  const label = payload.period === undefined ? null : slotLabels(payload.period, options.language);
  const ofPeriod = (series: readonly HouseSeries[]): ChartPoint[] =>
    listPoints(payload, points?.all ?? [], chosenSeries(series, options)).map((point) => withLabel(point, label));
  const bars = ofPeriod(energies);
  const payloads =
    points === null
      ? listPoints(payload, sumsOfHouse(payload).all, chosenSeries(powers, options)).filter(
          ({ value }) => value !== null,
        )
      : bars.length > 0
        ? bars
        : ofPeriod(volumes);
  const action = points === null || position > 0 ? 'append' : 'replace';
  // Dashboard 2 clears the chart if there are no points, also with the action `append`.
  if (action === 'append' && payloads.length === 0) return [];
  return [{ topic: topicOf(payload), payload: payloads, action }];
}

/** The lines with readable names. Chosen fields replace the default ones. */
function chosenSeries(usual: readonly HouseSeries[], { fields, names }: ChartOptions): HouseSeries[] {
  const series =
    fields === null
      ? usual
      : [...fields].map((field) => energies.find((known) => known.field === field) ?? { field, name: field });
  return series.map(({ name, ...one }) => ({ ...one, name: names(one.field) ?? name }));
}

function withLabel(point: ChartPoint, label: SlotLabel | null): ChartPoint {
  return label === null ? point : { ...point, label: label(point.ts) };
}

/**
 * The points of a series that has a value. A missing value is null, so that its place between the bars stays empty. A series
 * below zero has 0 minus the value, because minus 0 is −0. Each device has a series of its own.
 */
function listPoints(
  { devices = [] }: BalancePayload,
  all: readonly DataPoint[],
  series: readonly HouseSeries[],
): ChartPoint[] {
  const sources = [{ meter: null, name: null }, ...devices];
  return series.flatMap(({ field, name, isBelow }) =>
    sources.flatMap((source) => {
      const points = all.filter((point) => point.field === field && point.meter === source.meter);
      if (points.every(({ value }) => value === null)) return [];
      return points.map(({ ts, value }) => ({
        series: source.name === null ? name : `${source.name} ${name}`,
        ts,
        value: isBelow && value !== null ? 0 - value : value,
      }));
    }),
  );
}

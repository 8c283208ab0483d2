/** Determines the subject of a chart or gauge behind a node, from the node's stored properties. */
import type { BalancePeriod } from '../../../cemm-balance/config';
import { roleOfAlias } from '../../../../src/model/meter-names';
import { own } from '../../stored/field-rules';
import { isPublic } from '../connection-form';
import type { form } from '../locales/en-US.json';
import { textFrom } from '../open-form';
import { listedMeters } from '../pick-lists';
import type { AnyNode } from '../red';

/** Keys of the periods in the catalogue. A period that the catalogue lacks does not compile. */
export type When = keyof typeof form.dashboard.when;

export interface Subject {
  /** `readings`: single values in sequence. `slots`: all values of a period at once. */
  readonly kind: 'readings' | 'slots';
  /** True for days of a month and months of a year, not for minutes. */
  readonly hasBars: boolean;
  /** True if the bars are stacked. */
  readonly isStacked: boolean;
  /** Hours that a chart keeps a point; 0: no limit. */
  readonly hours: number;
  readonly when: When;
  /** Role of the meter, or `house` for a balance; null if unknown, or for all meters. */
  readonly role: string | null;
  readonly alias: string;
  /** True if amounts can be negative: net import in a house with its own production. */
  readonly canExport: boolean;
}

/** Most points of a line of readings, because a dashboard page loads all of them. */
const mostReadings = 3000;
/** Hours of today and yesterday, including the hour added when summer time ends. */
const twoDaysAndMore = 72;
const monthHours = 31 * 24;

export function subjectOf(node: AnyNode): Subject {
  const role = findNodeRole(node);
  const alias = node['aliasType'] === 'str' ? textFrom(node['alias']) : '';
  const common = { role, alias, canExport: canExport(node, role), hasBars: false, isStacked: false };
  switch (node.type) {
    case 'cemm-series':
      return { ...common, ...periodOf(node, isPublic(textFrom(node['connection']))) };
    case 'cemm-totals':
      return { ...common, kind: 'readings', hours: monthHours, when: 'totals' };
    case 'cemm-balance': {
      const house = { ...common, role: 'house' };
      if (node['period'] === 'now') return { ...house, kind: 'readings', hours: hoursOf(node), when: 'now' };
      return { ...house, ...periodOf(node, false), hasBars: true, isStacked: true };
    }
    default:
      return { ...common, kind: 'readings', hours: hoursOf(node), when: 'now' };
  }
}

export const formatType = 'cemm-format';

/** The node that reads the values of a format node, or the node itself if it reads them. */
export function readerOf(source: AnyNode): AnyNode {
  if (source.type !== formatType) return source;
  return RED.nodes.filterLinks({ target: { id: source.id } })[0]?.source ?? source;
}

/** Periods of a unit. */
type Unit = Exclude<BalancePeriod, 'now'>;

/** True where the points are days or months. */
const barsOfUnits: Readonly<Record<Unit, boolean>> = { day: false, week: true, month: true, year: true };

type Slots = Pick<Subject, 'kind' | 'hasBars' | 'hours' | 'when'>;

function periodOf(node: AnyNode, isRecent: boolean): Slots {
  if (isRecent) return { kind: 'slots', hasBars: node['resolution'] === 'day', hours: 0, when: 'recent' };
  const typed = node['periodType'] === 'str' || node['periodType'] === undefined ? textFrom(node['period']) : '';
  const unit = isUnit(typed) ? typed : null;
  const word = node['span'] === 'one' ? textFrom(node['dateType']) : node['span'] === 'new' ? 'current' : '';
  const isNamed = word === 'current' || word === 'previous';
  return {
    kind: 'slots',
    hasBars: unit !== null && barsOfUnits[unit],
    // All points of a named period are replaced together. The period of another message may be long ago.
    hours: unit === 'day' && isNamed ? twoDaysAndMore : 0,
    when: unit === null ? 'period' : isNamed ? `${unit}_${word}` : unit,
  };
}

function isUnit(typed: string): typed is Unit {
  return own(barsOfUnits, typed) !== undefined;
}

function hoursOf(node: AnyNode): number {
  const seconds = Number(node['interval']);
  return seconds > 0 ? Math.min(24, Math.max(1, Math.floor((seconds * mostReadings) / 3600))) : 24;
}

/** The role chosen in the node, or that of the listed meter, or one guessed from the alias. */
function findNodeRole(node: AnyNode): string | null {
  const chosen = textFrom(node['role']);
  if (chosen !== '' && chosen !== 'auto') return chosen;
  const alias = textFrom(node['alias']);
  const listed = listedMeters(textFrom(node['connection'])).find((meter) => meter.alias === alias)?.role;
  return listed ?? roleOfAlias(alias);
}

function canExport(node: AnyNode, role: string | null): boolean {
  if (role !== null && role !== 'grid') return false;
  const meters = listedMeters(textFrom(node['connection']));
  return meters.length === 0 || meters.some((meter) => meter.role === 'production');
}

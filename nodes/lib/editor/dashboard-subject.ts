/** What a chart or a gauge behind a node is about, from the properties that the node stores. */
import { isPublic } from './connection-form';
import { textFrom } from './open-form';
import { listedMeters } from './pick-lists';
import type { AnyNode } from './red';

export interface Subject {
  /** `readings`: one value after the other. `slots`: all values of a period at once. */
  readonly kind: 'readings' | 'slots';
  /** Days of a month or months of a year, not minutes. */
  readonly hasBars: boolean;
  /** Parts that stand on each other. */
  readonly isStacked: boolean;
  /** How long a chart keeps a point, in hours; 0: as long as it is drawn. */
  readonly hours: number;
  /** Key of the period in the catalogue. */
  readonly when: string;
  /** What the meter measures, or `house` for a balance; null if that is not known, or for all meters. */
  readonly role: string | null;
  readonly alias: string;
  /** Whether amounts can be below zero: net import in a house with its own production. */
  readonly canExport: boolean;
}

/** Most points of a line of readings: what a page of a dashboard loads at once. */
const mostReadings = 3000;
/** Today and yesterday, also in the night when the clocks are set back. */
const twoDaysAndMore = 72;
const monthHours = 31 * 24;

export function subjectOf(node: AnyNode): Subject {
  const role = roleOf(node);
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

/** The node whose values a format node gets; the node itself if it reads them. */
export function readerOf(source: AnyNode): AnyNode {
  if (source.type !== formatType) return source;
  return RED.nodes.filterLinks({ target: { id: source.id } })[0]?.source ?? source;
}

type Slots = Pick<Subject, 'kind' | 'hasBars' | 'hours' | 'when'>;

function periodOf(node: AnyNode, isRecent: boolean): Slots {
  if (isRecent) return { kind: 'slots', hasBars: node['resolution'] === 'day', hours: 0, when: 'recent' };
  const unit = node['periodType'] === 'str' || node['periodType'] === undefined ? textFrom(node['period']) : '';
  const word = node['span'] === 'one' ? textFrom(node['dateType']) : node['span'] === 'new' ? 'current' : '';
  const isNamed = word === 'current' || word === 'previous';
  return {
    kind: 'slots',
    hasBars: unit === 'month' || unit === 'year',
    // The points of a period that the node names are replaced together; any other one may be long ago.
    hours: unit === 'day' && isNamed ? twoDaysAndMore : 0,
    when: unit === '' ? 'period' : isNamed ? `${unit}_${word}` : unit,
  };
}

function hoursOf(node: AnyNode): number {
  const seconds = Number(node['interval']);
  return seconds > 0 ? Math.min(24, Math.max(1, Math.floor((seconds * mostReadings) / 3600))) : 24;
}

const rolesOfAliases: readonly (readonly [RegExp, string])[] = [
  [/(^|-)gas(-|$)/, 'gas'],
  [/(^|-)water(-|$)/, 'water'],
  [/^(p1|han|emucs|dlms)(-|$)/, 'grid'],
];

/** Chosen in the node, else as the monitor lists the meter, else by a name that says it. */
function roleOf(node: AnyNode): string | null {
  const chosen = textFrom(node['role']);
  if (chosen !== '' && chosen !== 'auto') return chosen;
  const alias = textFrom(node['alias']);
  const listed = listedMeters(textFrom(node['connection'])).find((meter) => meter.alias === alias)?.role;
  return listed ?? rolesOfAliases.find(([pattern]) => pattern.test(alias))?.[1] ?? null;
}

function canExport(node: AnyNode, role: string | null): boolean {
  if (role !== null && role !== 'grid') return false;
  const meters = listedMeters(textFrom(node['connection']));
  return meters.length === 0 || meters.some((meter) => meter.role === 'production');
}

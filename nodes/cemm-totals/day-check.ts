/** Checks the day of the readings: only the service keeps readings of earlier days. */
import { readDate } from '../../src/time/date-text';
import { date, dateChecks } from '../lib/editor/checks';
import type { RuleCheck, RuledNode } from '../lib/stored/field-rules';

function keepsDays({ mode }: RuledNode): boolean {
  return mode !== 'local' && mode !== 'demo';
}

/** True if it is not the day before yesterday or earlier in any time zone. */
function isRecent(written: string): boolean {
  const found = readDate(written);
  return typeof found === 'string' || found.localMs > Date.now() - 48 * 3_600_000;
}

export const day: RuleCheck = (written, node) => {
  const kind = node.textOf('dateType');
  if (kind === 'current') return true;
  if (kind === 'previous') return keepsDays(node) ? true : { key: 'check.todayOnly' };
  const result = date(written);
  return result !== true || isRecent(written) || keepsDays(node) ? result : { key: 'check.todayOnly' };
};

/** For a node, which starts before the day of its messages. */
export const storedDay: RuleCheck = (written, node) => {
  const kind = node.textOf('dateType');
  return kind === 'current' || kind === 'previous' ? true : dateChecks.date(written);
};

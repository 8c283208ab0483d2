/** Which day the readings are of: only the service keeps those of earlier days. */
import { readDate } from '../../src/limits';
import { date } from '../lib/editor/checks';
import type { RuleCheck, RuledNode } from '../lib/field-rules';

function keepsDays({ mode }: RuledNode): boolean {
  return mode !== 'local' && mode !== 'demo';
}

/** Not the day before yesterday or earlier, wherever the house is. */
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

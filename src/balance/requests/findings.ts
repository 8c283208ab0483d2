/** The responses about one meter of a balance, and its failures. */
import type { CemmError } from '../../errors';
import type { ReadBalanceOptions } from '../house-reader';
import { type HouseMeter, isOfHouse } from '../meters/choice';
import type { BalanceAnswer } from './answers';

export class Findings {
  /** By request. */
  readonly responses = new Map<string, BalanceAnswer>();
  readonly refused = new Set<string>();
  failure: CemmError | null = null;
  /** The failure may be transient. */
  isInterrupted = false;

  constructor(readonly meter: HouseMeter) {}

  get answers(): readonly BalanceAnswer[] {
    return [...this.responses.values()];
  }
}

/** A balance from half of the responses would look like little energy, so it fails, and the next one continues there. */
export function failUnlessAnswered(
  findings: readonly Findings[],
  onMeterError: ReadBalanceOptions['onMeterError'],
): void {
  const failed = findings.filter(({ failure }) => failure !== null);
  const isAnswered = findings.some(({ meter, answers }) => isOfHouse(meter) && answers.length > 0);
  const isReplaced = ({ meter: { succession } }: Findings): boolean =>
    succession !== undefined &&
    findings.some(({ meter, answers }) => meter.succession?.row === succession.row && answers.length > 0);
  for (const { meter, failure, answers, isInterrupted } of failed) {
    if (failure !== null && isOfHouse(meter) && (!isAnswered || (isInterrupted && answers.length > 0))) throw failure;
  }
  for (const one of failed) {
    if (one.failure !== null && one.answers.length === 0 && !isReplaced(one)) onMeterError?.(one.failure);
  }
}

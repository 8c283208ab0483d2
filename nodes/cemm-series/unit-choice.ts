/** Whether a message (or a round of polling) is about days, months or years. */
import { CemmError } from '../../src/clients/errors';
import { typeOf } from '../shared/meter-choice';
import { resolveText, type Evaluation } from '../shared/typed-input';
import { seriesPeriods, type SeriesConfig, type SeriesPeriod } from './config';

/** @throws CemmError as resolveText, and INPUT `period` */
export async function choosePeriodUnit(
  { period, periodType }: Pick<SeriesConfig, 'period' | 'periodType'>,
  evaluation: Evaluation,
): Promise<SeriesPeriod> {
  const word = await resolveText('period', period, typeOf(periodType), evaluation);
  const unit = seriesPeriods.find((known) => known === word);
  if (unit !== undefined) return unit;
  throw new CemmError('INPUT', `A period is one of ${seriesPeriods.join(', ')}.`, {
    reason: 'period',
    params: { field: 'period', periods: seriesPeriods.join(', ') },
  });
}

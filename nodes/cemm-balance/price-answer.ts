/** Answers the question for prices, which needs no monitor. */
import { daysOfPrices, pricePoints } from '../../src/balance/prices/price-points';
import type { SourceInfo } from '../../src/model/payload';
import { wallClock } from '../lib/stored/choice';
import type { Job } from '../lib/run/runner';
import { HousePrices } from './choose';
import type { PricesQuestion } from './question';
import { type BalanceNode, sendBalance } from './spans';

/** @throws {CemmError} as HousePrices.at(), and INPUT with the reason of a CalendarError */
export async function answerPrices(
  parts: BalanceNode,
  job: Job,
  question: PricesQuestion,
  { timezone, transport }: { readonly timezone: string; readonly transport: SourceInfo['transport'] },
): Promise<void> {
  const { RED, node, config } = parts;
  const now = wallClock();
  const period = daysOfPrices(question.days, { timezone, now });
  const prices = await new HousePrices(config, timezone, { RED, node, msg: job.msg }).at(period);
  sendBalance(parts, job, question, pricePoints({ prices, period, transport, now }), timezone);
}

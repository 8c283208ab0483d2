/** One period, a range of periods, or new samples, for both sources. */
import type { Node, NodeAPI } from 'node-red';
import type { Period, Span } from '../../src/calendar/periods';
import { unsentBalance } from '../../src/balance/period/incremental';
import { finishedProgress } from '../../src/balance/requests/progress';
import type { BalancePayload } from '../../src/model/payload';
import { choosePeriod, choosePeriods, wallClock } from '../lib/stored/choice';
import { sendNewSamples } from '../lib/run/incremental';
import { tellProgress } from '../lib/run/progress';
import { dateIn, sendRange } from '../lib/run/span';
import { messageFor } from '../lib/run/message';
import type { Job, Runner } from '../lib/run/runner';
import { progressStatus } from '../lib/run/status';
import type { BalanceConfig } from './config';
import type { PeriodQuestion, Question } from './question';
import { balanceStatus } from './status';

export interface BalanceNode {
  readonly RED: NodeAPI;
  readonly node: Node;
  readonly config: BalanceConfig;
  readonly runner: Runner;
}

export interface SpanSource<Days extends Span = Period> {
  readonly question: Question;
  readonly timezone: string;
  readonly read: (period: Days, listener?: ReadListener) => Promise<BalancePayload>;
}

export interface PeriodSource extends SpanSource {
  readonly question: PeriodQuestion;
  /** Key of the sent samples in the store. */
  readonly subject: () => Promise<string>;
}

/** Listens while a balance is read. */
interface ReadListener {
  /** Requests. */
  readonly onProgress: (done: number, all: number) => void;
  /** Called with the balance so far; absent if the question wants no parts. */
  readonly onPart?: (balance: BalancePayload) => void;
}

export async function sendSpan(parts: BalanceNode, job: Job, source: PeriodSource): Promise<void> {
  const { RED, node, config, runner } = parts;
  const { timezone } = source;
  const evaluation = { RED, node, msg: job.msg };
  const frame = { unit: source.question.balance, timezone, now: wallClock() };
  switch (config.span) {
    case 'one':
      return sendPeriod(parts, job, source, await choosePeriod(dateIn(config, 'date'), frame, evaluation));
    case 'range': {
      const periods = await choosePeriods(dateIn(config, 'from'), dateIn(config, 'to'), frame, evaluation);
      const readPeriod = async (period: Period) => withLanguage(parts, await source.read(period));
      return sendRange({ RED, runner, job, periods, timezone, parallel: 1, readPeriod });
    }
    case 'new':
      return sendNewSamples({
        RED,
        node,
        runner,
        job,
        frame,
        subject: await source.subject(),
        readPeriod: async (period) => withLanguage(parts, await source.read(period)),
        unsent: unsentBalance,
        waitsForEnd: true,
      });
  }
}

export async function sendPeriod<Days extends Span>(
  parts: BalanceNode,
  job: Job,
  { question, timezone, read }: SpanSource<Days>,
  period: Days,
): Promise<void> {
  const { RED, runner } = parts;
  const { id, wantsParts } = question;
  const payload = await read(period, {
    onProgress(done, all) {
      if (id !== null) tellProgress(RED.events, { question: id, done, all });
      if (done < all) runner.status(progressStatus(done, all));
    },
    ...(wantsParts && {
      onPart: (part: BalancePayload): void => {
        job.send(messageFor(RED, job.msg, withLanguage(parts, withId(part, id))));
      },
    }),
  });
  sendBalance(parts, job, question, payload, timezone);
}

/** @param question that the balance answers; null: it was not asked for */
export function sendBalance(
  parts: BalanceNode,
  job: Job,
  question: Question | null,
  payload: BalancePayload,
  timezone: string,
): void {
  const { RED, runner } = parts;
  job.send(messageFor(RED, job.msg, withLanguage(parts, withId(payload, question?.id ?? null))));
  runner.status(balanceStatus(payload, timezone, runner.translate));
}

function withId(payload: BalancePayload, id: Question['id']): BalancePayload {
  return id === null ? payload : { ...payload, question: id };
}

/** Flows that write texts use the language of the connection. */
export function withLanguage({ runner }: Pick<BalanceNode, 'runner'>, payload: BalancePayload): BalancePayload {
  return { ...payload, language: runner.translate('status.numbers') ?? 'en-GB' };
}

/** For added up messages: nothing has to be read first, so the first answer is the last one. */
export function withProgress(payload: BalancePayload, { wantsParts }: Question, period: Span): BalancePayload {
  return wantsParts ? { ...payload, progress: finishedProgress(period, wallClock()) } : payload;
}

/** The questions a connection can be asked: what is shared, polled and counted is always one of these. */
import type { Answer, AskOptions, MonitorClient, SeriesUnit } from '../clients/client';
import type { EndpointName } from '../clients/errors';
import type { IoRecord, MonitorRecord, RealtimeAnswer, SeriesAnswer, TotalsAnswer } from '../wire/answers';
import type { MonitorId } from '../wire/mac';
import type { Seconds } from '../wire/time';

interface Answers {
  monitors: readonly MonitorRecord[];
  meters: readonly IoRecord[];
  meter: readonly IoRecord[];
  realtime: RealtimeAnswer;
  series: SeriesAnswer;
  totals: TotalsAnswer;
}

export type Question =
  | { readonly kind: 'monitors' }
  | { readonly kind: 'meters'; readonly monitor: MonitorId }
  | { readonly kind: 'meter'; readonly monitor: MonitorId; readonly alias: string }
  | { readonly kind: 'realtime'; readonly monitor: MonitorId; readonly alias: string }
  | {
      readonly kind: 'series';
      readonly monitor: MonitorId;
      readonly alias: string;
      readonly unit: SeriesUnit;
      readonly time: Seconds;
    }
  | { readonly kind: 'totals'; readonly monitor: MonitorId; readonly alias: string; readonly time: Seconds };

export type AnswerTo<Q extends Question> = Answers[Q['kind']];

/** Equal for equal questions and for nothing else: days are never merged by rounding their `time`. */
export function questionKey(question: Question): string {
  const { kind } = question;
  switch (kind) {
    case 'monitors':
      return kind;
    case 'meters':
      return JSON.stringify([kind, question.monitor]);
    case 'meter':
    case 'realtime':
      return JSON.stringify([kind, question.monitor, question.alias]);
    case 'series':
      return JSON.stringify([kind, question.monitor, question.alias, question.unit, question.time]);
    case 'totals':
      return JSON.stringify([kind, question.monitor, question.alias, question.time]);
  }
}

/** The monitor that has to work for the answer; null where the question is about the connection itself. */
export function monitorOf(question: Question): MonitorId | null {
  return question.kind === 'monitors' ? null : question.monitor;
}

export function aliasOf(question: Question): string | null {
  return 'alias' in question ? question.alias : null;
}

export function endpointOf(question: Question): EndpointName {
  switch (question.kind) {
    case 'meters':
      return 'io';
    case 'series':
      return question.unit;
    case 'monitors':
    case 'meter':
    case 'realtime':
    case 'totals':
      return question.kind;
  }
}

/** Puts the question to a client. */
export function send(
  client: MonitorClient,
  question: Question,
  options: AskOptions,
): Promise<Answer<AnswerTo<Question>>> {
  switch (question.kind) {
    case 'monitors':
      return client.monitors(options);
    case 'meters':
      return client.meters(question.monitor, options);
    case 'meter':
      return client.meter(question, options);
    case 'realtime':
      return client.realtime(question, options);
    case 'series':
      return client.series(question, question.unit, question.time, options);
    case 'totals':
      return client.totals(question, question.time, options);
  }
}

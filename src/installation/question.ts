/** The questions a connection can be asked: what is shared, polled and counted is always one of these. */
import type { SeriesUnit } from '../clients/client';
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

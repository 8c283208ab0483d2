/** Reads the days of the channels of a CEMM 3.0, keeps those that are over, and gives all that are known. */
import type { Clock } from '../../time/clock';
import { periodContaining } from '../../calendar/periods';
import { CemmError, isInternalFault, toCemmError } from '../../errors';
import type { SourceInfo } from '../../model/payload';
import type { MonitorId } from '../../protocol/mac';
import type { Samples } from '../../protocol/responses';
import { dayMs, millis } from '../../time/units';
import { type DaySum, keepDaySums, type KeptDaySum, readDaySums } from '../../store/kept-day-sums';
import type { PastDays } from '../../store/past-days';
import type { ReadOptions } from '../house-reader';
import { type DayChannel, daysOfSamples } from './days-of-channel';

interface DaysAnswer {
  readonly samples: Samples;
  readonly source: SourceInfo;
}

export interface DaySeriesReader {
  /** IANA zone of the installation. */
  readonly timezone: string;
  /** The most recent days of a channel. */
  readDays(
    target: Omit<DayChannel, 'field'> & { readonly monitor: MonitorId; readonly count: number },
    ask: ReadOptions,
  ): Promise<DaysAnswer>;
}

export interface DaySeriesParts {
  readonly reader: DaySeriesReader;
  readonly past: PastDays;
  readonly clock: Clock;
}

/** The largest count is not documented: half of it is asked where it is refused. */
const firstCount = 400;
const leastCount = 7;
/** Days may still change shortly after their end. */
const laterCount = 4;
/** Three years: this one, the last one, and the one before. */
const keptMs = 1100 * dayMs;

export class DaySeries {
  /** Channel → the day on which all of its days were asked for. */
  private readonly askedOn = new Map<string, number>();
  /** Largest count that the monitor has answered; null: not known yet. */
  private most: number | null = null;
  /** Channel → the days that may not be over yet, and when they were read. */
  private readonly running = new Map<string, { readonly days: readonly DaySum[]; readonly readAt: number }>();

  constructor(private readonly parts: DaySeriesParts) {}

  /** @throws {CemmError} UNSUPPORTED `day_series`, and of the request */
  async read(monitor: MonitorId, channel: DayChannel, ask: ReadOptions): Promise<SourceInfo> {
    const { reader, past, clock } = this.parts;
    const name = nameDayChannel(channel);
    const isFirst = this.askedOn.get(name) !== this.today();
    const { samples, source } = await this.answer(
      monitor,
      channel,
      isFirst ? (this.most ?? firstCount) : laterCount,
      ask,
    );
    const now = clock.now();
    const days = daysOfSamples(samples, reader.timezone, now);
    if (days === null) throw new CemmError('UNSUPPORTED', { endpoint: 'timeseries', reason: 'day_series' });
    await keepDaySums(past, { house: monitor, channel: name }, days, now);
    this.running.set(name, { days: days.slice(-laterCount), readAt: now });
    this.askedOn.set(name, this.today());
    return source;
  }

  /** All days that are known of a channel, ascending. */
  async readKnown(monitor: MonitorId, channel: DayChannel): Promise<KeptDaySum[]> {
    const name = nameDayChannel(channel);
    const now = this.parts.clock.now();
    const kept = await readDaySums(
      this.parts.past,
      { house: monitor, channel: name },
      { from: now - keptMs, until: now + dayMs },
    );
    const last = kept.at(-1)?.end ?? -Infinity;
    const { days = [], readAt = now } = this.running.get(name) ?? {};
    const running = days.flatMap(({ start, end, sum }): KeptDaySum[] =>
      start < last ? [] : [{ start, end, sums: sum === null ? [] : [sum], readAt }],
    );
    return [...kept, ...running];
  }

  /** Start of the current day. */
  today(): number {
    return periodContaining('day', this.parts.reader.timezone, millis(this.parts.clock.now())).start;
  }

  private async answer(
    monitor: MonitorId,
    { meter, channel }: Omit<DayChannel, 'field'>,
    count: number,
    ask: ReadOptions,
  ): Promise<DaysAnswer> {
    try {
      const answer = await this.parts.reader.readDays({ monitor, meter, channel, count }, ask);
      if (count > laterCount) this.most = count;
      return answer;
    } catch (thrown) {
      const error = toCemmError(thrown);
      const half = Math.floor(count / 2);
      if (!isRefused(error) || half < leastCount) throw error;
      return this.answer(monitor, { meter, channel }, half, ask);
    }
  }
}

function nameDayChannel({ meter, channel }: DayChannel): string {
  return `${meter}:${channel}`;
}

/** True for any answer that can be the refusal of a count: the vendor does not document one. */
function isRefused(error: CemmError): boolean {
  return ['UNSUPPORTED', 'ALIAS', 'TOO_LARGE', 'BAD_PAYLOAD'].includes(error.code) && !isInternalFault(error);
}

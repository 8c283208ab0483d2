/** A report of a monitor: what it answers and delivers, and what this package makes of it, without anything personal. */
import { randomInt } from 'node:crypto';
import type { Http } from '../clients/http';
import { systemClock, type Clock } from '../time/clock';
import type { CheckedConnection } from '../diagnostics/check-target';
import { ProtocolError } from '../protocol/protocol-error';
import { millis } from '../time/units';
import { bodyOf, deliveryIn, headersOf, secretsOf, type LeftOut, type ReceivedDelivery } from './deliveries';
import { chooseMove } from './moved-dates';
import { type Made, readAll, type ReadAllOptions } from './read-all';
import { type Exchange, recordingHttp } from './recording';
import { replace } from './replace';
import { type Report, reportFormat } from './report-file';
import { ReplayClock } from './replay-clock';
import { replayHttp } from './replay-http';

export interface ReportOptions extends Pick<ReadAllOptions, 'timezone' | 'withDays' | 'signal' | 'onProgress'> {
  /** Version of this package. */
  readonly version: string;
  readonly clock?: Clock;
  /** 0 inclusive to 1 exclusive; decides the stand-ins of dates and readings. */
  readonly random?: () => number;
  /** Answers the requests in place of the monitor, for tests. */
  readonly http?: Http;
}

/**
 * Reads everything that the connection offers, and replaces what is personal. Takes from ten seconds to some minutes.
 * @throws {CemmError} CANCELLED; CONFIG: the connection cannot be used
 */
export async function makeReport(target: CheckedConnection, options: ReportOptions): Promise<Report> {
  const { clock = systemClock, http } = options;
  const at = clock.now();
  const exchanges: Exchange[] = [];
  await readAll(target, {
    ...options,
    clock,
    at,
    wrapHttp: (opened) => recordingHttp(http ?? opened, clock, exchanges),
  });
  const secrets = target.mode === 'remote' ? [target.apiKey.trim()] : [target.host];
  return assembleReport(target.mode, at, { exchanges, deliveries: [], secrets }, options);
}

/**
 * A report of deliveries alone.
 * @param options `keys`: of the receiver, which the body could repeat
 */
export function reportOfDeliveries(
  deliveries: readonly ReceivedDelivery[],
  {
    keys = [],
    ...options
  }: Omit<ReportOptions, 'withDays' | 'signal' | 'onProgress' | 'http'> & { readonly keys?: readonly string[] },
): Promise<Report> {
  const { clock = systemClock } = options;
  const secrets = [...keys, ...deliveries.flatMap(secretsOf)];
  return assembleReport(
    'webhook',
    clock.now(),
    { exchanges: [], deliveries, secrets },
    { ...options, withDays: false },
  );
}

interface Original {
  readonly exchanges: readonly Exchange[];
  readonly deliveries: readonly ReceivedDelivery[];
  readonly secrets: readonly string[];
}

async function assembleReport(
  mode: Report['mode'],
  at: ReturnType<Clock['now']>,
  { exchanges, deliveries, secrets }: Original,
  { timezone, withDays, version, random = unpredictable }: Omit<ReportOptions, 'signal' | 'onProgress'>,
): Promise<Report> {
  const moveMs = chooseMove(at, timezone, random);
  const leftOut: LeftOut[] = [];
  const arrived = deliveries.map((received, index) => ({ received, delivery: index + 1 }));
  const read = eachAlone(arrived, leftOut, (one) => ({ ...one, body: bodyOf(one.received) }));
  const bodies = read.map(({ body }) => body);
  const { replaced, ...without } = replace(exchanges, bodies, { moveMs, secrets, random });
  const reported = eachAlone(read, leftOut, ({ received }, place) => {
    const head = { headers: headersOf(received), bytes: received.body.byteLength };
    return deliveryIn(received.at + moveMs, head, without.deliveries[place], timezone);
  });
  const about = { mode, timezone, at: at + moveMs, withDays };
  return {
    format: reportFormat,
    package: version,
    node: process.version,
    ...about,
    replaced,
    exchanges: without.exchanges,
    made: await madeOf({ ...about, exchanges: without.exchanges }),
    deliveries: reported,
    ...(leftOut.length > 0 && { leftOut: leftOut.sort((one, other) => one.delivery - other.delivery) }),
  };
}

/** Deliveries that fail are added to `leftOut`, and missing in the result. */
function eachAlone<One extends { readonly delivery: number }, Result>(
  list: readonly One[],
  leftOut: LeftOut[],
  run: (one: One, place: number) => Result,
): Result[] {
  return list.flatMap((one, place) => {
    try {
      return [run(one, place)];
    } catch (error) {
      leftOut.push({ delivery: one.delivery, reason: reasonOf(error) });
      return [];
    }
  });
}

/** Quotes nothing of the delivery. */
function reasonOf(error: unknown): string {
  return error instanceof ProtocolError ? `expected ${error.expected}` : 'failed';
}

function unpredictable(): number {
  return randomInt(2 ** 47) / 2 ** 47;
}

/** Any target: the recorded exchanges answer in its place. */
const targets = {
  remote: { mode: 'remote', baseUrl: 'https://replay.invalid/v1/', apiKey: 'replay' },
  local: { mode: 'local', host: 'replay.invalid', mac: null, allowLoopback: false },
  public: { mode: 'public', host: 'replay.invalid', mac: null, allowLoopback: false },
} as const satisfies Readonly<Record<string, CheckedConnection>>;

/** Payloads and errors from the exchanges of a report. The same exchanges always give the same result. */
export async function madeOf({
  mode,
  timezone,
  at,
  withDays,
  exchanges,
}: Pick<Report, 'mode' | 'timezone' | 'at' | 'withDays' | 'exchanges'>): Promise<readonly Made[]> {
  if (mode === 'webhook') return [];
  return readAll(targets[mode], {
    clock: new ReplayClock(millis(at)),
    at: millis(at),
    timezone,
    withDays,
    signal: new AbortController().signal,
    wrapHttp: () => replayHttp(exchanges),
  });
}

/** The route of `cemm-simulator --replay`: the answers of a monitor from its report. */
import { toLocalTime } from '../calendar/zone';
import { dayMs, millis, type Millis } from '../time/units';
import { moveTimes, type Moves } from '../report/move-times';
import type { Exchange } from '../report/recording';
import { RecordedAnswers, writeBody } from '../report/replay-http';
import type { Report } from '../report/report-file';
import { failure, onlyGet, type Route, type RouteRequest, type RouteResponse } from './http-server';

export interface ReplayOptions {
  readonly report: Report;
  /** Moves the times of the answers to now. Default: the times of the report. */
  readonly toNow?: boolean;
}

/** Answers as the monitor of the report did: each request with its own answers in their order. Unknown requests get a 404. */
export function replayedMonitor({ report, toNow = false }: ReplayOptions, apiKey: string, now: () => Millis): Route {
  const { mode, exchanges } = report;
  const isRemote = mode === 'remote';
  const answers = new RecordedAnswers(toNow ? exchanges.map(withoutTime) : exchanges);
  const prefix = isRemote ? '/v1/' : '/';
  return (request) => {
    const { method, path, query, written = path } = request;
    if (method !== 'GET') return onlyGet;
    if (isRemote && query.get('api_key') !== apiKey) return failure(403, 'access denied');
    if (!path.startsWith(prefix)) return null;
    const asked = { path: written.slice(prefix.length), query: queryOf(request) };
    const answer = answers.next(toNow ? withoutTime(asked) : asked);
    if (answer === null) return null;
    return responseOf(toNow ? moveTimes({ ...asked, answer }, movesToNow(report.timezone, report.at, now())) : answer);
  };
}

function queryOf({ query }: RouteRequest): Readonly<Record<string, string>> {
  return Object.fromEntries([...query].filter(([name]) => name !== 'api_key'));
}

/** The period of a request is another one today, so its answers are those of the periods of the report. */
function withoutTime<R extends Pick<Exchange, 'query'>>(request: R): R {
  return { ...request, query: Object.fromEntries(Object.entries(request.query).filter(([name]) => name !== 'time')) };
}

/** From a moment to now: readings become readings of now; slots move by whole days, and keep their local time of day. */
export function movesToNow(timezone: string, from: number, now: Millis): Moves {
  const localOf = (time: number): number => toLocalTime(timezone, millis(time));
  const days = Math.floor(localOf(now) / dayMs) - Math.floor(localOf(from) / dayMs);
  return {
    reading: (time) => time + now - from,
    slots: (time) => {
      const moved = time + days * dayMs;
      return moved + (localOf(time) - time) - (localOf(moved) - moved);
    },
  };
}

function responseOf(answer: Exchange['answer']): RouteResponse {
  if ('failure' in answer) {
    const { failure: recorded, retryAfterMs } = answer;
    const headers = retryAfterMs === null ? {} : { 'Retry-After': String(Math.ceil(retryAfterMs / 1000)) };
    return { ...failure(recorded.status ?? 504, 'as recorded'), headers };
  }
  const contentType = 'noJson' in answer && answer.noJson === 'html' ? 'text/html; charset=utf-8' : undefined;
  return { status: answer.status, body: writeBody(answer), ...(contentType !== undefined && { contentType }) };
}

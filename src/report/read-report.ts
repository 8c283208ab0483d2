/** Reads the file of a report. It can be of a stranger, so every part that is used later is checked. */
import { isTimezone } from '../calendar/zone';
import { errorCodes, type ErrorCode } from '../errors';
import { removeReservedKeys } from '../protocol/json';
import { toMillis } from '../time/units';
import { isRecord, parseJsonText, type UnknownRecord } from '../checks/record';
import type { LeftOut, ReportedDelivery } from './deliveries';
import type { Made } from './read-all';
import type { Exchange } from './recording';
import { type Report, reportFormat } from './report-file';

/** A file is no report, one of another version, or broken. The message names the part, and quotes nothing. */
export class ReportError extends Error {
  override readonly name = 'ReportError';
}

/** Largest pause that an answer may ask for, in ms. */
const mostRetryMs = 86_400_000;

const modes = ['remote', 'local', 'public', 'webhook'] as const satisfies Report['mode'][];

/** @throws {ReportError} */
export function readReport(text: string): Report {
  const json = parseJsonText(text);
  if (json === undefined) throw new ReportError('The file is not JSON.');
  const file = new Part('The file', json);
  if (file.member('format') !== reportFormat) file.fail(`is not a report of the format ${reportFormat}`);
  const mode = modes.find((one) => one === file.member('mode')) ?? file.fail('is not a report: mode');
  const timezone = file.member('timezone');
  if (!isTimezone(timezone)) return file.fail('is not a report: timezone');
  return {
    format: reportFormat,
    package: file.text('package'),
    node: file.text('node'),
    mode,
    timezone,
    at: file.time('at'),
    withDays: file.member('withDays') === true,
    replaced: file.numbers('replaced'),
    exchanges: file.list('exchanges', 'Exchange').map(readExchange),
    made: file.list('made', 'Payload').map(readMade),
    deliveries: file.list('deliveries', 'Delivery').map(readDelivery),
    ...(file.has('leftOut') && { leftOut: file.list('leftOut', 'Delivery that was left out').map(readLeftOut) }),
  };
}

/** An object of the file, with its name for errors. */
class Part {
  private readonly members: UnknownRecord;

  constructor(
    private readonly name: string,
    value: unknown,
  ) {
    this.members = isRecord(value) ? value : this.fail('is not a report: not an object');
  }

  fail(what: string): never {
    throw new ReportError(`${this.name} ${what}.`);
  }

  has(member: string): boolean {
    return Object.hasOwn(this.members, member);
  }

  member(name: string): unknown {
    return this.has(name) ? this.members[name] : undefined;
  }

  readPart(member: string): Part {
    return new Part(this.name, this.member(member));
  }

  text(member: string): string {
    const value = this.member(member);
    return typeof value === 'string' ? value : this.fail(`has no text ${member}`);
  }

  time(member: string): number {
    return toMillis(this.member(member)) ?? this.fail(`has no time ${member}`);
  }

  number(member: string, least: number, most: number): number {
    const value = this.member(member);
    if (typeof value === 'number' && value >= least && value <= most) return value;
    return this.fail(`has no number ${member} from ${least} to ${most}`);
  }

  /** An answer of HTTP that is complete. */
  status(): number {
    const status = this.number('status', 200, 999);
    return Number.isInteger(status) ? status : this.fail('has no whole number status');
  }

  texts(member: string): Readonly<Record<string, string>> {
    return this.membersOf(member, 'texts', (value) => typeof value === 'string');
  }

  numbers(member: string): Readonly<Record<string, number>> {
    return this.membersOf(member, 'numbers', (value) => typeof value === 'number');
  }

  private membersOf<Value>(member: string, kind: string, isKind: (value: unknown) => value is Value) {
    const entries = Object.entries(this.readPart(member).members).map(
      ([name, value]) => [name, isKind(value) ? value : this.fail(`has in ${member} more than ${kind}`)] as const,
    );
    return Object.fromEntries(entries);
  }

  /** Any JSON that can be written again. */
  json(member: string): unknown {
    if (!this.has(member)) return this.fail(`has no ${member}`);
    const value = this.member(member);
    try {
      removeReservedKeys(value);
    } catch {
      return this.fail(`has too many levels in ${member}`);
    }
    return value;
  }

  list(member: string, name: string): readonly Part[] {
    const value = this.member(member);
    if (!Array.isArray(value)) return this.fail(`has no list ${member}`);
    return value.map((entry: unknown, index) => new Part(`${name} ${index + 1} of the file`, entry));
  }

  errorCode(member: string): ErrorCode {
    const value = this.member(member);
    return errorCodes.find((code) => code === value) ?? this.fail(`has no known code in ${member}`);
  }
}

function readExchange(part: Part): Exchange {
  const [path, query] = [part.text('path'), part.texts('query')];
  const [at, ms] = [part.time('at'), part.number('ms', 0, Infinity)];
  return { path, query, at, ms, answer: readAnswer(part.readPart('answer')) };
}

function readAnswer(part: Part): Exchange['answer'] {
  if (part.has('failure')) {
    const failure = part.readPart('failure');
    const retryAfterMs = part.member('retryAfterMs') === null ? null : part.number('retryAfterMs', 0, mostRetryMs);
    const [code, reason] = [failure.errorCode('code'), failure.text('reason')];
    return { failure: { code, reason, ...(failure.has('status') && { status: failure.status() }) }, retryAfterMs };
  }
  const [status, bytes] = [part.status(), part.number('bytes', 0, Infinity)];
  if (part.has('json')) return { status, bytes, json: part.json('json') };
  const noJson = part.member('noJson');
  if (noJson === 'empty' || noJson === 'html' || noJson === 'other') return { status, bytes, noJson };
  return part.fail('has neither json nor noJson');
}

function readMade(part: Part): Made {
  const of = part.text('of');
  if (!part.has('error')) return { of, payload: part.json('payload') };
  const error = part.readPart('error');
  const reason = error.member('reason') === null ? null : error.text('reason');
  return { of, error: { code: error.errorCode('code'), reason } };
}

function readDelivery(part: Part): ReportedDelivery {
  return {
    at: part.time('at'),
    headers: part.texts('headers'),
    bytes: part.number('bytes', 0, Infinity),
    body: part.json('body'),
    signature: part.text('signature'),
    made: part.member('made'),
  };
}

function readLeftOut(part: Part): LeftOut {
  return { delivery: part.number('delivery', 1, Infinity), reason: part.text('reason') };
}

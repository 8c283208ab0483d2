/** The Open API of a monitor in the same network (spec.md B, with what real devices do beyond it). */
import type { IoRecord, MonitorRecord, RealtimeAnswer, SeriesAnswer, TotalsAnswer } from '../wire/answers';
import { parseIoList } from '../wire/io-list';
import { toMacText } from '../wire/mac';
import type { MonitorId } from '../wire/mac';
import { parseLocalRoot } from '../wire/monitors';
import { parseRealtime } from '../wire/realtime';
import { parseSeries } from '../wire/series';
import type { Seconds } from '../wire/time';
import { WireError } from '../wire/wire-error';
import type { Resolve } from './address-rules';
import { inputFailure } from './ask-checks';
import type { Asked } from './ask-checks';
import { readJson } from './body';
import type { Answer, AskOptions, MeterRef, MonitorClient, SeriesUnit } from './client';
import { systemClock } from './clock';
import type { Clock } from './clock';
import { CemmError } from './errors';
import type { ErrorCode } from './errors';
import type { Failure } from './failure';
import { Inquiries } from './inquiry';
import type { About, Inquiry } from './inquiry';
import { knownAliases } from './local-aliases';
import { openLocalDoor } from './local-door';
import type { LocalDoor } from './local-door';

export interface LocalClientOptions {
  /** `host`, `host:port` or `http://host:port`. */
  readonly host: string;
  /** The identity that must answer there; without one, the first that answers is kept to. */
  readonly mac?: MonitorId | null;
  /** For a monitor simulated on this machine. Default false: only addresses of a local network. */
  readonly allowLoopback?: boolean;
  readonly clock?: Clock;
  /** How a host name becomes addresses. */
  readonly resolve?: Resolve;
}

export interface LocalClient extends MonitorClient {
  readonly transport: 'local';
  /** The configured or first-seen monitor; null while neither is known. */
  readonly identity: MonitorId | null;
  /**
   * Moves to another address, where the same monitor must answer. What is in the air ends as a broken connection.
   * @throws {CemmError} CONFIG: not an address of a local network
   */
  setHost(host: string): void;
}

const limits = { perMonitor: 1, perKey: 1, gapMs: 250 } as const;
/** A device is small: longer it is not waited for, whatever the deadline. */
const requestTimeoutMs = 10_000;

/** @throws {CemmError} CONFIG: not an address of a local network */
export function createLocalClient(options: LocalClientOptions): LocalClient {
  return new MonitorInNetwork(options);
}

/** Failures that say nothing about which monitor is there. */
const silentAboutIdentity: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['INPUT', 'UNSUPPORTED', 'CANCELLED', 'ALIAS']);

class MonitorInNetwork implements LocalClient {
  readonly transport = 'local';
  readonly limits = limits;
  readonly #options: LocalClientOptions;
  readonly #clock: Clock;
  readonly #inquiries: Inquiries;
  #door: LocalDoor;
  /** The configured or first-seen monitor. */
  #expected: MonitorId | null;

  constructor(options: LocalClientOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#inquiries = new Inquiries({ clock: this.#clock, transport: 'local', secrets: [] });
    this.#expected = options.mac ?? null;
    this.#door = openLocalDoor(options.host, options, this.#clock);
  }

  get identity(): MonitorId | null {
    return this.#expected;
  }

  setHost(host: string): void {
    const door = openLocalDoor(host, this.#options, this.#clock);
    this.#door.http.close();
    this.#door = door;
  }

  monitors(options: AskOptions): Promise<Answer<readonly MonitorRecord[]>> {
    return this.#inquiries.run({ endpoint: 'root' }, options, async (inquiry) => [
      await this.#identify(inquiry, this.#door),
    ]);
  }

  meters(monitor: MonitorId, options: AskOptions): Promise<Answer<readonly IoRecord[]>> {
    return this.#ask({ endpoint: 'io' }, { monitor }, options, (inquiry, door) =>
      this.#list(inquiry, door, knownAliases),
    );
  }

  meter(ref: MeterRef, options: AskOptions): Promise<Answer<readonly IoRecord[]>> {
    return this.#ask({ endpoint: 'meter', alias: ref.alias }, ref, options, async (inquiry, door) => {
      const records = await this.#list(inquiry, door, [ref.alias]);
      const found = records.filter(({ alias }) => alias === ref.alias);
      if (found.length === 0) throw inquiry.error({ code: 'ALIAS', reason: 'no_meter' });
      return found;
    });
  }

  realtime(ref: MeterRef, options: AskOptions): Promise<Answer<RealtimeAnswer>> {
    return this.#ask({ endpoint: 'realtime', alias: ref.alias }, ref, options, async (inquiry, door) =>
      parseRealtime(await this.#getOfMeter(inquiry, door, `${ref.alias}/realtime/`)),
    );
  }

  series(ref: MeterRef, unit: SeriesUnit, time: Seconds, options: AskOptions): Promise<Answer<SeriesAnswer>> {
    return this.#ask({ endpoint: unit, alias: ref.alias }, { ...ref, time }, options, async (inquiry, door) =>
      parseSeries(await this.#getOfMeter(inquiry, door, `${ref.alias}/data/${unit}/`, { time: String(time) })),
    );
  }

  totals(ref: MeterRef, time: Seconds, options: AskOptions): Promise<Answer<TotalsAnswer>> {
    const unsupported: Failure = { code: 'UNSUPPORTED', reason: 'local_totals' };
    return this.#inquiries.run({ endpoint: 'totals', alias: ref.alias }, options, (inquiry) =>
      Promise.reject(inquiry.error(inputFailure({ ...ref, time }) ?? unsupported)),
    );
  }

  close(): void {
    this.#inquiries.close();
    this.#door.http.close();
  }

  /** Puts a question to the expected monitor, and to no other: the root is asked first where that is not certain. */
  #ask<T>(
    about: About,
    asked: Asked,
    options: AskOptions,
    work: (inquiry: Inquiry, door: LocalDoor) => Promise<T>,
  ): Promise<Answer<T>> {
    return this.#inquiries.run(about, options, async (inquiry) => {
      const door = this.#door;
      const wrong = inputFailure(asked) ?? this.#otherMonitor(asked);
      if (wrong !== null) throw inquiry.error(wrong);
      try {
        if (door.metBy === null) await this.#identify(inquiry, door);
        // Once more, for a client that only now knows whom it has met.
        const other = this.#otherMonitor(asked);
        if (other !== null) throw inquiry.error(other);
        return await work(inquiry, door);
      } catch (error) {
        if (!(error instanceof CemmError && silentAboutIdentity.has(error.code))) door.metBy = null;
        throw error;
      }
    });
  }

  #otherMonitor({ monitor }: Asked): Failure | null {
    if (monitor === undefined || this.#expected === null || monitor === this.#expected) return null;
    const params = { asked: toMacText(monitor), expected: toMacText(this.#expected) };
    return { code: 'INPUT', reason: 'other_monitor', params };
  }

  /** Asks the root who is there. */
  async #identify(inquiry: Inquiry, door: LocalDoor): Promise<MonitorRecord> {
    door.metBy = null;
    const reply = await this.#get(inquiry, door, '');
    if ('failure' in reply) throw inquiry.error(isForeign(reply.failure) ? noMonitor : reply.failure);
    const record = rootOf(reply.json);
    if (record === null) throw inquiry.error(noMonitor);
    this.#expected ??= record.id;
    if (record.id !== this.#expected) {
      const params = { found: toMacText(record.id), expected: toMacText(this.#expected) };
      throw inquiry.error({ code: 'WRONG_MONITOR', reason: 'other_mac', params });
    }
    door.metBy = inquiry;
    return record;
  }

  /** Before a meter or the list is called missing: another device that got this address would lack it, too. */
  async #meetAgain(inquiry: Inquiry, door: LocalDoor): Promise<void> {
    if (door.metBy !== inquiry) await this.#identify(inquiry, door);
  }

  /** The I/O list of the device; where it has none, those of `aliases` that answer with something. */
  async #list(inquiry: Inquiry, door: LocalDoor, aliases: readonly string[]): Promise<readonly IoRecord[]> {
    // Devices were seen to answer without the last slash, unlike everything else they serve.
    for (const path of ['io', 'io/']) {
      const reply = await this.#get(inquiry, door, path);
      if ('json' in reply) return parseIoList(reply.json);
      if (reply.failure.status !== 404 && reply.failure.code !== 'REDIRECT')
        throw inquiry.error(forLocal(reply.failure));
    }
    await this.#meetAgain(inquiry, door);
    const found: IoRecord[] = [];
    for (const alias of aliases) {
      await inquiry.pause(limits.gapMs);
      const reply = await this.#get(inquiry, door, `${alias}/realtime/`);
      if ('json' in reply) {
        if (hasChannels(parseRealtime(reply.json))) found.push(bareRecord(alias));
      } else if (reply.failure.status !== 404 && reply.failure.code !== 'ALIAS') {
        throw inquiry.error(forLocal(reply.failure));
      }
    }
    return found;
  }

  async #getOfMeter(
    inquiry: Inquiry,
    door: LocalDoor,
    path: string,
    params?: Readonly<Record<string, string>>,
  ): Promise<unknown> {
    const reply = await this.#get(inquiry, door, path, params);
    if ('json' in reply) return reply.json;
    if (reply.failure.status === 404) await this.#meetAgain(inquiry, door);
    throw inquiry.error(forLocal(reply.failure));
  }

  async #get(
    inquiry: Inquiry,
    door: LocalDoor,
    path: string,
    params: Readonly<Record<string, string>> = {},
  ): Promise<{ readonly json: unknown } | { readonly failure: Failure }> {
    const outcome = await inquiry.get(door.http, { path, params, timeoutMs: requestTimeoutMs });
    return outcome.kind === 'failure' ? { failure: outcome.failure } : readJson(outcome.body, outcome.status);
  }
}

const noMonitor: Failure = { code: 'NOT_A_MONITOR', reason: 'no_root' };

/** A web page or a refusal where every monitor has its root. What may be a disturbance stays what it is. */
function isForeign({ reason, status = 0 }: Failure): boolean {
  return (
    reason === 'html' || reason === 'not_http' || (status >= 400 && status < 500 && status !== 408 && status !== 429)
  );
}

function rootOf(json: unknown): MonitorRecord | null {
  try {
    return parseLocalRoot(json);
  } catch (error) {
    if (error instanceof WireError) return null;
    throw error;
  }
}

/** What a status means on the device itself, where there is no API key and no service. */
function forLocal(failure: Failure): Failure {
  if (failure.status === 404 || failure.code === 'ALIAS') return { ...failure, code: 'ALIAS', reason: 'no_meter' };
  if (failure.code === 'AUTH') return { ...failure, reason: 'local_access' };
  return failure;
}

function hasChannels({ data, totals }: RealtimeAnswer): boolean {
  return data.size > 0 || (totals?.size ?? 0) > 0;
}

function bareRecord(alias: string): IoRecord {
  return { ioId: null, port: null, type: null, portOption: null, fullId: null, alias };
}

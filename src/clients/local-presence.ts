/**
 * The one monitor that has to be at an address: met by its root before anything else is asked of it, and met again after
 * every failure, for another device may have got its address meanwhile.
 */
import type { MonitorRecord } from '../wire/answers';
import { toMacText } from '../wire/mac';
import type { MonitorId } from '../wire/mac';
import { WireError } from '../wire/wire-error';
import { inputFailure } from './ask-checks';
import type { Asked } from './ask-checks';
import { readJson } from './body';
import type { Body } from './body';
import type { Answer, AskOptions } from './client';
import type { Clock } from './clock';
import { CemmError } from './errors';
import type { ErrorCode } from './errors';
import type { Failure } from './failure';
import type { About, Inquiries, Inquiry } from './inquiry';
import { openLocalDoor } from './local-door';
import type { LocalDoor, LocalDoorRules } from './local-door';

export interface PresenceOptions extends LocalDoorRules {
  readonly host: string;
  readonly mac?: MonitorId | null;
}

/** How a monitor of this generation tells who it is, and how one of the other generation would. */
export interface RootRules<Root> {
  /** Below the origin. */
  readonly path: string;
  /** Throws WireError where it is no such root. */
  readonly parse: (json: unknown) => Root;
  /** What a refusal of the root means; null: nothing special. */
  readonly refused?: (failure: Failure) => Failure | null;
  /** Neither generation answers. */
  readonly nobody: Failure;
  readonly otherPath: string;
  /** Throws WireError where it is no root of the other generation. */
  readonly parseOther: (json: unknown) => MonitorRecord;
  readonly other: Failure;
}

/** A device is small: longer it is not waited for, whatever the deadline. */
const requestTimeoutMs = 10_000;

/** Failures that say nothing about which monitor is there. */
const silentAboutIdentity: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['INPUT', 'UNSUPPORTED', 'CANCELLED', 'ALIAS']);

export class LocalPresence<Root extends MonitorRecord> {
  readonly #options: PresenceOptions;
  readonly #clock: Clock;
  readonly #inquiries: Inquiries;
  readonly #rules: RootRules<Root>;
  #door: LocalDoor;
  /** The configured or first-seen monitor. */
  #expected: MonitorId | null;

  /** @throws {CemmError} CONFIG: not an address of a local network */
  constructor(options: PresenceOptions, clock: Clock, inquiries: Inquiries, rules: RootRules<Root>) {
    this.#options = options;
    this.#clock = clock;
    this.#inquiries = inquiries;
    this.#rules = rules;
    this.#expected = options.mac ?? null;
    this.#door = openLocalDoor(options.host, options, clock);
  }

  get identity(): MonitorId | null {
    return this.#expected;
  }

  /** @throws {CemmError} CONFIG: not an address of a local network */
  setHost(host: string): void {
    const door = openLocalDoor(host, this.#options, this.#clock);
    this.#door.http.close();
    this.#door = door;
  }

  /** The only monitor there is, asked anew. */
  monitors(about: About, options: AskOptions): Promise<Answer<readonly Root[]>> {
    return this.#inquiries.run(about, options, async (inquiry) => [await this.#identify(inquiry, this.#door)]);
  }

  /** Puts a question to the expected monitor, and to no other: the root is asked first where that is not certain. */
  ask<T>(
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

  /** Before a meter or a list is called missing: another device that got this address would lack it, too. */
  async meetAgain(inquiry: Inquiry, door: LocalDoor): Promise<void> {
    if (door.metBy !== inquiry) await this.#identify(inquiry, door);
  }

  close(): void {
    this.#door.http.close();
  }

  #otherMonitor({ monitor }: Asked): Failure | null {
    if (monitor === undefined || this.#expected === null || monitor === this.#expected) return null;
    const params = { asked: toMacText(monitor), expected: toMacText(this.#expected) };
    return { code: 'INPUT', reason: 'other_monitor', params };
  }

  /** Asks the root who is there. */
  async #identify(inquiry: Inquiry, door: LocalDoor): Promise<Root> {
    door.metBy = null;
    const root = await this.#readRoot(inquiry, door);
    this.#expected ??= root.id;
    if (root.id !== this.#expected) {
      const params = { found: toMacText(root.id), expected: toMacText(this.#expected) };
      throw inquiry.error({ code: 'WRONG_MONITOR', reason: 'other_mac', params });
    }
    door.metBy = inquiry;
    return root;
  }

  async #readRoot(inquiry: Inquiry, door: LocalDoor): Promise<Root> {
    const { path, parse, refused, nobody } = this.#rules;
    const reply = await getLocally(inquiry, door, path);
    if ('failure' in reply) {
      const known = refused?.(reply.failure) ?? null;
      if (known !== null) throw inquiry.error(known);
      if (!isForeign(reply.failure)) throw inquiry.error(reply.failure);
    } else {
      const root = parsedOrNull(reply.json, parse);
      if (root !== null) return root;
    }
    throw inquiry.error((await this.#isOtherGeneration(inquiry, door)) ? this.#rules.other : nobody);
  }

  async #isOtherGeneration(inquiry: Inquiry, door: LocalDoor): Promise<boolean> {
    const reply = await getLocally(inquiry, door, this.#rules.otherPath);
    return 'json' in reply && parsedOrNull(reply.json, this.#rules.parseOther) !== null;
  }
}

/** A GET at the monitor, read as JSON. Rejects with a CemmError where the inquiry has ended meanwhile. */
export async function getLocally(
  inquiry: Inquiry,
  door: LocalDoor,
  path: string,
  params: Readonly<Record<string, string>> = {},
): Promise<Body> {
  const outcome = await inquiry.get(door.http, { path, params, timeoutMs: requestTimeoutMs });
  return outcome.kind === 'failure' ? { failure: outcome.failure } : readJson(outcome.body, outcome.status);
}

/** A web page or a refusal where every monitor has its root. What may be a disturbance stays what it is. */
function isForeign({ reason, status = 0 }: Failure): boolean {
  return (
    reason === 'html' || reason === 'not_http' || (status >= 400 && status < 500 && status !== 408 && status !== 429)
  );
}

function parsedOrNull<T extends MonitorRecord>(json: unknown, parse: (json: unknown) => T): T | null {
  try {
    return parse(json);
  } catch (error) {
    if (error instanceof WireError) return null;
    throw error;
  }
}

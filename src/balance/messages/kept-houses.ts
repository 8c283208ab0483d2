/**
 * Houses whose messages are added up, in the store of what is over: by month what remains of days that are over, by day their
 * quarters. What another store has kept so far is taken over once, and used where the folder cannot be written.
 */
import { createHash } from 'node:crypto';
import { type CemmError, toCemmError } from '../../errors';
import type { Clock } from '../../time/clock';
import { dayMs, hourMs, minuteMs } from '../../time/units';
import { isRecord } from '../../checks/record';
import type { Join } from '../../store/month-file';
import type { FactName } from '../../store/fact-name';
import type { PastDays } from '../../store/past-days';
import { houseFrom, type HouseStore, type StoredHouse } from './houses';
import { joinStates } from './join-states';
import { quartersKept } from './kept-messages';
import type { MessagesState } from './state';
import { joinParts, longLists, shortLists, splitState, startOfPart, endOfPart } from './state-parts';

/** The store of before, such as the context of a node. */
export interface OtherHouses extends HouseStore {
  remove(name: string): Promise<void>;
}

export interface KeptHousesParts {
  readonly past: PastDays;
  readonly clock: Clock;
  readonly other: OtherHouses;
  /** Houses that could not be stored are tried again with the next message. */
  readonly onError?: (error: CemmError) => void;
}

interface Changed {
  readonly house: StoredHouse;
  /** The earliest moment of what is new. */
  readonly since: number;
}

/** Messages that arrive together are stored together. */
const storeAfterMs = 5_000;
/** The running day is written so often, others at once. */
const writeEveryMs = 15 * minuteMs;
/** Quarters become sums of their day after this time, and a day has up to 25 hours. */
const changesBackMs = quartersKept + 2 * dayMs;
/** A house is found by the deliveries of one of so many months. */
const mostMonths = 14;

export class KeptHouses implements HouseStore {
  private readonly changed = new Map<string, Changed>();
  /** Stored and not written yet. */
  private readonly unwritten = new Map<string, StoredHouse>();
  /** Houses of which the folder lacks a part, because it could not be written for a time. */
  private readonly incomplete = new Set<string>();
  private stopTimer: (() => void) | null = null;
  private storing: Promise<void> = Promise.resolve();
  private writeAt = -Infinity;

  constructor(private readonly parts: KeptHousesParts) {}

  async names(): Promise<readonly string[]> {
    const { past, other } = this.parts;
    const kept = await Promise.all((await past.houses()).map((folder) => this.nameIn(folder)));
    return [...new Set([...kept.flatMap((name) => name ?? []), ...(await other.names())])];
  }

  async read(name: string): Promise<unknown> {
    const { past, other } = this.parts;
    const folder = houseFolder(name);
    const months = (await past.monthsOf(folder)).slice(-mostMonths);
    const facts = await Promise.all(months.map((start) => past.get(monthFact(folder, start))));
    const kept = facts.flatMap((fact) => (isRecord(fact) ? [fact] : []));
    const before = houseFrom(name, await other.read(name));
    const head = houseFrom(name, kept.at(-1)) ?? before;
    if (head === null) return undefined;
    const long = joinParts(kept.map((fact) => fact['state']));
    const newest = long?.newest ?? 0;
    const short = newest === 0 ? [] : await this.quarters(folder, newest - quartersKept, newest);
    const states = [long, ...short, before?.state].filter((state) => state !== null && state !== undefined);
    const state = joinParts(states);
    if (state === null) return undefined;
    const { monitor, installation } = head;
    const house: StoredHouse = { monitor, ...(installation !== undefined && { installation }), state };
    if (before !== null) await this.write(name, house, -Infinity);
    return house;
  }

  write(name: string, house: StoredHouse, since: number): Promise<void> {
    this.changed.set(name, { house, since: Math.min(since, this.changed.get(name)?.since ?? Infinity) });
    this.stopTimer ??= this.parts.clock.after(storeAfterMs, () => {
      this.store(false).catch((thrown: unknown) => this.parts.onError?.(toCemmError(thrown)));
    });
    return Promise.resolve();
  }

  async stateOf(name: string, from: number, until: number): Promise<MessagesState | null> {
    const folder = houseFolder(name);
    const months = (await this.parts.past.monthsOf(folder)).filter(
      (start) => start <= until + dayMs && endOfPart(start, 'month') >= from - dayMs,
    );
    const long = await this.statesIn(months.map((start) => monthFact(folder, start)));
    return joinParts([...long, ...(await this.quarters(folder, from, until))]);
  }

  /** Writes everything. */
  close(): Promise<void> {
    return this.store(true);
  }

  private store(isLast: boolean): Promise<void> {
    this.stopTimer?.();
    this.stopTimer = null;
    const stored = this.storing.then(async () => {
      const waiting = [...this.changed];
      this.changed.clear();
      for (const [name, one] of waiting) await this.keep(name, one);
      if (isLast || this.parts.clock.monotonic() >= this.writeAt) await this.flush();
    });
    this.storing = stored.catch(() => undefined);
    return stored;
  }

  private async keep(name: string, { house, since }: Changed): Promise<void> {
    const { past, clock } = this.parts;
    const { state, ...head } = house;
    this.unwritten.set(name, house);
    const folder = houseFolder(name);
    const now = clock.now();
    for (const [start, part] of splitState(state, 'month', longLists, since - changesBackMs)) {
      await past.keep(monthFact(folder, start), { name, ...head, state: part }, joinFacts, true);
    }
    for (const [start, part] of splitState(state, 'day', shortLists, since)) {
      await past.keep(dayFact(folder, start), { state: part }, joinFacts, start + dayMs + hourMs > now);
    }
  }

  /** Houses that cannot be written go into the other store, and out of it when it is possible again. */
  private async flush(): Promise<void> {
    const { past, clock, other } = this.parts;
    this.writeAt = clock.monotonic() + writeEveryMs;
    const houses = [...this.unwritten];
    for (const [name, house] of houses) if (this.incomplete.has(name)) await this.keepWhole(name, house);
    const isWritten = await past.flush();
    if (!isWritten) for (const [name] of houses) this.incomplete.add(name);
    const inOther = new Set(await other.names());
    for (const [name, house] of houses) {
      if (!isWritten) {
        await other.write(name, house, -Infinity);
      } else {
        if (inOther.has(name)) await other.remove(name);
        this.incomplete.delete(name);
      }
      // Behind the store, which may fail.
      this.unwritten.delete(name);
    }
  }

  /** The other store also has quarters that are no longer in memory. */
  private async keepWhole(name: string, house: StoredHouse): Promise<void> {
    const before = houseFrom(name, await this.parts.other.read(name));
    for (const state of [...(before === null ? [] : [before.state]), house.state])
      await this.keep(name, { house: { ...house, state }, since: -Infinity });
  }

  private async quarters(folder: string, from: number, until: number): Promise<unknown[]> {
    const facts: FactName[] = [];
    for (let day = startOfPart(from - dayMs, 'day'); day <= until + dayMs; day += dayMs)
      facts.push(dayFact(folder, day));
    return this.statesIn(facts);
  }

  private async statesIn(facts: readonly FactName[]): Promise<unknown[]> {
    const found = await Promise.all(facts.map((fact) => this.parts.past.get(fact)));
    return found.flatMap((fact) => (isRecord(fact) ? [fact['state']] : []));
  }

  /** The name of the house in a folder; null if it has no deliveries. */
  private async nameIn(folder: string): Promise<string | null> {
    const months = (await this.parts.past.monthsOf(folder)).slice(-mostMonths);
    for (const start of months.reverse()) {
      const fact = await this.parts.past.get(monthFact(folder, start));
      const name = isRecord(fact) ? fact['name'] : null;
      if (typeof name === 'string' && houseFolder(name) === folder) return name;
    }
    return null;
  }
}

const joinFacts: Join = (known, added) => {
  if (!isRecord(known) || !isRecord(added)) return added;
  return { ...known, ...added, state: joinStates(known['state'], added['state']) };
};

function monthFact(house: string, start: number): FactName {
  return { kind: 'readings', house, start, name: 'delivered' };
}

function dayFact(house: string, start: number): FactName {
  return { kind: 'series', house, start, name: `delivered ${new Date(start).toISOString().slice(0, 10)}` };
}

/** By its MAC, else by the number of the monitor, else by the installation in the path of the receiver. */
function houseFolder(name: string): string {
  if (/^[0-9a-f]{12}$/.test(name)) return name;
  if (/^\d{1,12}$/.test(name)) return `cemm-${name}`;
  return `inst-${createHash('sha256').update(name).digest('hex').slice(0, 16)}`;
}

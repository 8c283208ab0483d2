/** The houses whose messages are added up, each separately, and their balances. */
import type { DayRange, Span } from '../../calendar/periods';
import { CemmError } from '../../errors';
import { smallest } from '../../checks/extremes';
import { findOrigin, isOrigin } from '../../model/identity';
import type { BalancePayload, BalanceStep, MonitorInfo, SourceInfo } from '../../model/payload';
import { type MonitorRows, noRows } from '../../model/meter-table';
import { isRecord } from '../../checks/record';
import { billedRoles, billOf, type BillQuestion, yearOfBill } from '../bill/bill';
import { describedMeter, type MeterChoice } from '../meters/choice';
import { joinReplaced } from '../meters/replaced-meters';
import { divideIntoParts } from '../period/parts';
import { balanceOfPeriod, type ReadHouse } from '../period/period-balance';
import type { Time } from '../prices/contracts';
import type { Prices } from '../prices/prices';
import { addMessage, type EnergyPayload, type MessageContext } from './add-message';
import { roleOfKept, unknownSources } from './delivered-role';
import { identifiedBy, isMacName, isNumberName, isOfInstallation, isSameMonitor } from './house-identity';
import { joinStates } from './join-states';
import { quartersKept } from './kept-messages';
import { metersOfState, oldQuartersOf } from './meters-of-state';
import { emptyState, type MessagesState } from './state';
import { readState } from './stored-state';
import { setRecent } from '../../checks/set-recent';

/** Keeps houses by name, plain JSON. */
export interface HouseStore {
  names(): Promise<readonly string[]>;
  /** Undefined or invalid for a house that is not kept. */
  read(name: string): Promise<unknown>;
  /**
   * Resolves after the store has taken it.
   * @param since the earliest moment of what is new, epoch ms
   */
  write(name: string, house: StoredHouse, since: number): Promise<void>;
  /** All that is kept of a time, also what is no longer in memory; null if the store has no more than that. */
  stateOf?(name: string, from: number, until: number): Promise<MessagesState | null>;
}

export interface House {
  readonly name: string;
  readonly monitor: MonitorInfo;
  readonly installation: string | undefined;
  readonly state: MessagesState;
}

export interface StoredHouse {
  readonly monitor: MonitorInfo;
  readonly installation?: string;
  readonly state: MessagesState;
}

/** A state takes up to half a megabyte. */
const mostHouses = 200;

export class Houses {
  /** Houses that are stored, as they were read or written last. */
  private readonly houses = new Map<string, Promise<House | null>>();
  private names: Promise<Set<string>> | null = null;
  /** Houses without energy data so far; they are not stored. */
  private readonly waiting = new Map<string, House>();
  /** MAC address → number of a house that is stored under both. */
  private readonly numbers = new Map<string, string>();

  constructor(private readonly store: HouseStore) {}

  /**
   * Adds a payload to its house and stores the house. Null if it has no energy data.
   * @throws {CemmError} INPUT `too_many_houses`, and of the store
   */
  async add(payload: EnergyPayload, context: MessageContext): Promise<House | null> {
    const house = await this.houseOf(payload);
    if (!addMessage(house.state, payload, context)) return null;
    const { name, monitor, installation, state } = house;
    this.houses.set(name, Promise.resolve(house));
    (await this.readNames()).add(name);
    this.waiting.delete(name);
    const stored: StoredHouse = { monitor, ...(installation !== undefined && { installation }), state };
    await this.store.write(name, stored, earliestIn(payload));
    return house;
  }

  /** The house of the payload; a new one is stored only with its first data. */
  async houseOf(payload: EnergyPayload): Promise<House> {
    const name = await this.nameOf(payload);
    const known = (await this.house(name)) ?? this.waiting.get(name);
    if (known !== undefined) return identifiedBy(known, payload);
    if ((await this.readNames()).size >= mostHouses) {
      throw new CemmError('INPUT', { reason: 'too_many_houses', params: { most: mostHouses } });
    }
    const installation = payload.kind === 'webhook' ? payload.installation : undefined;
    const house: House = { name, monitor: { ...payload.monitor }, installation, state: emptyState() };
    setRecent(this.waiting, name, house, mostHouses);
    return house;
  }

  /** The houses of one monitor or installation; null: all. */
  async chosen(name: string | null): Promise<House[]> {
    const all = await Promise.all([...(await this.readNames())].map((one) => this.house(one)));
    return all.flatMap((house) => (house !== null && isHouse(name)(house) ? [house] : []));
  }

  /** The house with all that is kept of a time. */
  async withAllOf(house: House, { start, end }: Time): Promise<House> {
    // The last days are in memory.
    if (start >= house.state.newest - quartersKept) return house;
    const number = this.numbers.get(house.name);
    let { state } = house;
    for (const name of number === undefined ? [house.name] : [house.name, number]) {
      const kept = (await this.store.stateOf?.(name, start, end)) ?? null;
      if (kept !== null) state = joinStates(kept, state);
    }
    return { ...house, state };
  }

  /**
   * The name under which the house of the payload is known. A delivery has the number of its monitor, and the MAC address only while
   * its receiver knows that: a house keeps the name that it had first.
   */
  private async nameOf(payload: EnergyPayload): Promise<string> {
    const name = findOrigin(payload) ?? 'unknown';
    const names = await this.readNames();
    if (names.has(name) || this.waiting.has(name) || isOfInstallation(payload)) return name;
    const isOther = payload.monitor.id === null ? isMacName : isNumberName;
    for (const other of [...names, ...this.waiting.keys()].filter(isOther)) {
      const house = (await this.house(other)) ?? this.waiting.get(other);
      if (house !== undefined && isSameMonitor(house, payload)) return other;
    }
    return name;
  }

  private async house(name: string): Promise<House | null> {
    return (await this.readNames()).has(name) ? this.read(name) : null;
  }

  private read(name: string): Promise<House | null> {
    const known = this.houses.get(name);
    if (known !== undefined) return known;
    const read = this.readStored(name);
    this.houses.set(name, read);
    // A store that failed may work again.
    read.catch(() => this.houses.delete(name));
    return read;
  }

  private async readStored(name: string): Promise<House | null> {
    const house = houseFrom(name, await this.store.read(name));
    const number = this.numbers.get(name);
    const other = number === undefined ? null : houseFrom(name, await this.store.read(number));
    return house === null || other === null ? house : { ...house, state: joinStates(other.state, house.state) };
  }

  private readNames(): Promise<Set<string>> {
    this.names ??= this.readOneNameEach().catch((error: unknown) => {
      this.names = null;
      throw error;
    });
    return this.names;
  }

  /** One name of each house. Until version 0.2 a house could be stored under its number and under its MAC address. */
  private async readOneNameEach(): Promise<Set<string>> {
    const names = new Set(await this.store.names());
    if (![...names].some(isNumberName)) return names;
    for (const name of [...names].filter(isMacName)) {
      const house = houseFrom(name, await this.store.read(name));
      const number = String(house?.monitor.cemm);
      const other = names.has(number) ? houseFrom(number, await this.store.read(number)) : null;
      if (house === null || other === null || !isSameMonitor(house, other)) continue;
      this.numbers.set(name, number);
      names.delete(number);
    }
    return names;
  }
}

/** The earliest moment that the payload changes. */
function earliestIn(payload: EnergyPayload): number {
  const times =
    payload.kind === 'webhook'
      ? payload.readings.map(({ ts, window }) => window?.start ?? ts ?? payload.ts)
      : Object.values(payload.times);
  return smallest([payload.ts, ...times]);
}

/** True for a house of this monitor or installation; null: any. */
export function isHouse(wanted: string | null): (house: House) => boolean {
  return (house) => wanted === null || isOrigin(wanted, house);
}

/** Null if the stored value is not a house. */
export function houseFrom(name: string, stored: unknown): House | null {
  if (!isRecord(stored)) return null;
  const state = readState(stored['state']);
  const { monitor, installation } = stored;
  if (state === null || !isRecord(monitor)) return null;
  const { id, cemm, name: ownName } = monitor;
  return {
    name,
    monitor: {
      id: typeof id === 'string' ? id : null,
      ...(typeof cemm === 'number' && { cemm }),
      ...(typeof ownName === 'string' && { name: ownName }),
    },
    installation: typeof installation === 'string' ? installation : undefined,
    state,
  };
}

interface WantedBalance {
  readonly period: Span;
  readonly step: BalanceStep;
  readonly prices: Prices | null;
  /** Epoch ms. */
  readonly now: number;
  /** The rows of the connection's meters; default: there are none. */
  readonly rows?: MonitorRows;
  /** Default: deliveries. */
  readonly source?: SourceInfo;
}

export function balanceOfHouse(house: House, choice: MeterChoice, wanted: WantedBalance): BalancePayload {
  const { period, step, prices, now, rows, source } = wanted;
  return balanceOfPeriod({ ...readingsOfHouse(house, choice, { period, now, rows, source }), step, prices });
}

/** The bill by what was added up of its days. */
export function billOfHouse(
  house: House,
  choice: MeterChoice,
  { period, now, rows, source, ...question }: BillQuestion & ReadingsWanted & { readonly period: DayRange },
): Promise<BalancePayload> {
  const billed = (span: DayRange): ReadHouse => {
    const known = readingsOfHouse(house, choice, { period: span, now, rows, source });
    return { ...known, meters: known.meters.filter(({ role }) => billedRoles.includes(role)) };
  };
  const year = yearOfBill(question, now, period.timezone);
  return billOf(billed(period), question, year === null ? null : { year, house: billed(year.measured) });
}

/** The days that a bill needs: its own, and those of the contract year. */
export function daysOfBill(question: BillQuestion, period: DayRange, now: number): Time {
  const year = yearOfBill(question, now, period.timezone);
  if (year === null) return period;
  const { start, end } = year.measured;
  return { start: Math.min(start, period.start), end: Math.max(end, period.end) };
}

interface ReadingsWanted extends Pick<WantedBalance, 'now'> {
  readonly period: Span;
  readonly rows?: MonitorRows | undefined;
  readonly source?: SourceInfo | undefined;
}

export function readingsOfHouse(
  { monitor, installation, state }: House,
  choice: MeterChoice,
  { period, now, rows = noRows, source = deliveredAt(state) }: ReadingsWanted,
): ReadHouse {
  const until = Math.min(period.end, now);
  const roleOf = roleOfKept(state, choice, rows);
  const frame = { from: period.start, until, timezone: period.timezone };
  const meters = metersOfState(state, frame, roleOf).map((meter) => describedMeter(meter, choice, rows));
  const days = divideIntoParts(period, 'P1D', until, []).days;
  const joined = joinReplaced(meters, days);
  const unknownMeters = unknownSources(state.delivered ?? {}, choice, period.start, rows);
  const house = { monitor, installation, period, meters: joined, unknownMeters };
  return { ...house, slots: 'delivered', oldQuarters: oldQuartersOf(state, roleOf), source, now };
}

function deliveredAt({ newest }: MessagesState): SourceInfo {
  return { transport: 'webhook', fetchedAt: newest, latencyMs: 0, requests: 0, promises: 0 };
}

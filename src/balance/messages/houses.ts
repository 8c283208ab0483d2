/** The houses whose messages are added up, each separately, and their balances. */
import type { DayRange, Period, Span } from '../../calendar/periods';
import { CemmError } from '../../errors';
import { originOf } from '../../model/identity';
import type { BalancePayload, BalanceStep, MonitorInfo } from '../../model/payload';
import { type MonitorRows, noRows } from '../../model/meter-table';
import { toMonitorId } from '../../protocol/mac';
import { isRecord } from '../../record';
import { billedRoles, billOf, type BillQuestion } from '../bill/bill';
import { describedMeter, type HouseMeter, type MeterChoice, stillCounts } from '../meters/choice';
import type { BalanceMeter } from '../meters/placed-meters';
import { joinReplaced } from '../meters/replaced-meters';
import { partsOf } from '../period/parts';
import { balanceOfPeriod, type ReadHouse } from '../period/period-balance';
import type { Prices } from '../prices/prices';
import { addMessage, type EnergyPayload, type MessageContext } from './add-message';
import { rowRole, unknownSources } from './delivered-role';
import { metersOfState } from './meters-of-state';
import { emptyState, type MessagesState } from './state';
import { readState } from './stored-state';

/** Keeps one object per house, plain JSON. */
export interface HouseStore {
  all(): Promise<Readonly<Record<string, unknown>>>;
  /** Resolves after the store has saved it. */
  write(name: string, house: object): Promise<void>;
}

export interface House {
  readonly name: string;
  readonly monitor: MonitorInfo;
  readonly installation: string | undefined;
  readonly state: MessagesState;
}

/** A state takes up to half a megabyte. */
const mostHouses = 200;

export class Houses {
  private houses: Map<string, House> | null = null;
  /** Houses without energy data so far; they are not stored. */
  private readonly waiting = new Map<string, House>();

  constructor(private readonly store: HouseStore) {}

  /**
   * Adds a payload to its house and stores the house. Null if it has no energy data.
   * @throws {CemmError} INPUT `too_many_houses`, and of the store
   */
  async add(payload: EnergyPayload, context: MessageContext): Promise<House | null> {
    const houses = await this.all();
    const house = await this.houseOf(payload);
    if (!addMessage(house.state, payload, context)) return null;
    houses.set(house.name, house);
    this.waiting.delete(house.name);
    const { name, monitor, installation, state } = house;
    await this.store.write(name, { monitor, ...(installation !== undefined && { installation }), state });
    return house;
  }

  /** The house of the payload; a new one is stored only with its first data. */
  async houseOf(payload: EnergyPayload): Promise<House> {
    const houses = await this.all();
    const name = originOf(payload) ?? 'unknown';
    const known = houses.get(name) ?? this.waiting.get(name);
    if (known !== undefined) return known;
    if (houses.size >= mostHouses) {
      throw new CemmError('INPUT', { reason: 'too_many_houses', params: { most: mostHouses } });
    }
    const installation = payload.kind === 'webhook' ? payload.installation : undefined;
    const house: House = { name, monitor: { ...payload.monitor }, installation, state: emptyState() };
    this.waiting.set(name, house);
    const [oldest = ''] = this.waiting.keys();
    if (this.waiting.size > mostHouses) this.waiting.delete(oldest);
    return house;
  }

  /** The houses of one monitor or installation; null: all. */
  async chosen(name: string | null): Promise<House[]> {
    return [...(await this.all()).values()].filter(isHouse(name));
  }

  private async all(): Promise<Map<string, House>> {
    this.houses ??= new Map(
      Object.entries(await this.store.all()).flatMap(([name, stored]) => {
        const house = houseFrom(name, stored);
        return house === null ? [] : [[name, house] as const];
      }),
    );
    return this.houses;
  }
}

/** True for a house of this monitor or installation; null: any. */
export function isHouse(wanted: string | null): (house: House) => boolean {
  const name = wanted === null ? null : (toMonitorId(wanted) ?? wanted);
  return (house) => name === null || house.name === name || house.installation === name;
}

/** Null if the stored value is not a house. */
function houseFrom(name: string, stored: unknown): House | null {
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

export interface WantedBalance {
  readonly period: Period;
  readonly step: BalanceStep;
  readonly prices: Prices | null;
  /** Epoch ms. */
  readonly now: number;
  /** The rows of the connection's meters; default: there are none. */
  readonly rows?: MonitorRows;
}

export function balanceOfHouse(house: House, choice: MeterChoice, wanted: WantedBalance): BalancePayload {
  const { period, step, prices, now, rows } = wanted;
  return balanceOfPeriod({ ...readingsOfHouse(house, choice, { period, now, rows }), step, prices });
}

/** The bill by what was added up of its days. */
export function billOfHouse(
  house: House,
  choice: MeterChoice,
  { period, now, rows, ...question }: BillQuestion & ReadingsWanted & { readonly period: DayRange },
): Promise<BalancePayload> {
  const known = readingsOfHouse(house, choice, { period, now, rows });
  return billOf({ ...known, meters: known.meters.filter(({ role }) => billedRoles.includes(role)) }, question);
}

interface ReadingsWanted extends Pick<WantedBalance, 'now'> {
  readonly period: Span;
  readonly rows?: MonitorRows | undefined;
}

function readingsOfHouse(
  { monitor, installation, state }: House,
  choice: MeterChoice,
  { period, now, rows = noRows }: ReadingsWanted,
): ReadHouse {
  const until = Math.min(period.end, now);
  // Data from before a change of the choice do not count.
  const meters = metersOfState(state, period.start, until, period.timezone)
    .filter((meter) => stillCounts(choice, rows, meter, rowRole(state.delivered ?? {}, meter.name)))
    .map((meter) => describedMeter<BalanceMeter & HouseMeter>(meter, choice, rows));
  const days = partsOf(period, 'P1D', until, []).days;
  const joined = joinReplaced(meters, days, (name) => meters.find((meter) => meter.name === name)?.succession);
  const source = {
    transport: 'webhook' as const,
    fetchedAt: state.newest,
    latencyMs: 0,
    requests: 0,
    promises: 0,
  };
  const oldQuarters = Object.values(state.peaks ?? {});
  const unknownMeters = unknownSources(state.delivered ?? {}, choice, period.start);
  const house = { monitor, installation, period, meters: joined, unknownMeters };
  return { ...house, slots: 'delivered', oldQuarters, source, now };
}

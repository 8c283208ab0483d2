/** The current balances of the houses whose messages are added up. */
import { meterName } from '../../model/identity';
import type { BalancePayload, RealtimePayload } from '../../model/payload';
import { dayMs } from '../../time/units';
import type { BalanceRole } from '../meters/amounts';
import { describedMeter, type MeterChoice } from '../meters/choice';
import { type MonitorRows, noRows } from '../../model/meter-table';
import { deliveredReading, Moment, type PowerMeter } from '../now/moment';
import { hasPower, type MeterNow } from '../now/present';
import { RunningQuarters } from '../now/running-quarters';
import type { EnergyPayload } from './add-message';
import { deliveredRole, type RoleIn, roleOfKept, roleOfMessage, unknownSources } from './delivered-role';
import type { House } from './houses';
import type { DeliveredMeters } from './state';
import { setRecent } from '../../checks/set-recent';

interface PresentHouse {
  readonly house: House;
  readonly moment: Moment;
  /** Meter → time of its newest reading. */
  readonly newest: Map<string, number>;
}

export interface PresentContext {
  readonly choice: MeterChoice;
  /** Default: the meters have none. */
  readonly rows?: MonitorRows;
  /** Readings further apart than this are not simultaneous, ms. */
  readonly intervalMs: number;
  /** IANA name. */
  readonly timezone: string;
  /** Epoch ms. */
  readonly now: number;
}

const mostHouses = 1000;

export class PresentHouses {
  private readonly quarters = new RunningQuarters();
  private readonly houses = new Map<string, PresentHouse>();

  /** The moments that the payload completes. */
  read(house: House, payload: EnergyPayload, context: PresentContext): BalancePayload[] {
    const found: BalancePayload[] = [];
    this.keep(house, payload, context, (meters) => {
      found.push(notSentYet(this.quarters.balance(house, meters, ofHouse(house, context), context.now)));
    });
    return found;
  }

  /** @param onMoment called with each moment that the payload completes */
  keep(
    house: House,
    payload: EnergyPayload,
    { choice, rows = noRows }: Pick<PresentContext, 'choice' | 'rows'>,
    onMoment: (meters: readonly MeterNow[]) => void = () => undefined,
  ): void {
    const { moment, newest } = this.presentOf(house, onMoment);
    const { delivered = {} } = house.state;
    const powers = powersIn(payload, delivered, (meter, role, ofRow) =>
      roleOfMessage(choice, meter, role, rows.of(meter)?.role ?? ofRow),
    );
    for (const meter of [...powerMetersOf(house.state, choice, rows), ...powers.map(([one]) => one)]) {
      moment.add(describedMeter(meter, choice, rows));
    }
    for (const [{ name: meter }, reading] of powers) {
      if (reading.ts <= (newest.get(meter) ?? -Infinity)) continue;
      newest.set(meter, reading.ts);
      moment.read(meter, reading);
    }
  }

  /** The current balance of a house by the last powers of its meters; those of meters that have sent none are unknown. */
  current(house: House, context: PresentContext): BalancePayload {
    const moment = this.houses.get(house.name)?.moment ?? new Moment([], () => undefined);
    const { choice, rows = noRows } = context;
    for (const meter of powerMetersOf(house.state, choice, rows)) moment.add(describedMeter(meter, choice, rows));
    return notSentYet(this.quarters.balance(house, moment.readings, ofHouse(house, context), context.now));
  }

  /** The houses that have sent powers only. */
  besides(houses: readonly House[], isChosen: (house: House) => boolean): House[] {
    const known = new Set(houses.map(({ name }) => name));
    return [...this.houses.values()].flatMap(({ house }) => (known.has(house.name) || !isChosen(house) ? [] : [house]));
  }

  private presentOf(house: House, take: (meters: readonly MeterNow[]) => void): PresentHouse {
    const known = this.houses.get(house.name);
    // A moment is sent with the message that completes it.
    const moment = known?.moment.sendingTo(take) ?? new Moment([], take);
    const present = { house, moment, newest: known?.newest ?? new Map<string, number>() };
    setRecent(this.houses, house.name, present, mostHouses);
    return present;
  }
}

/** A meter that is asked may be unreadable; one that sends by itself has only not sent yet, as after a restart. */
function notSentYet(balance: BalancePayload): BalancePayload {
  const missing = Object.entries(balance.missing).map(
    ([field, reason]) => [field, reason === 'not_readable' ? 'not_measured' : reason] as const,
  );
  const sent = { ...balance, missing: Object.fromEntries(missing) };
  delete sent.notReadable;
  return sent;
}

/** A monitor delivers at least once a day. */
const longestSilenceMs = 2 * dayMs;

function ofHouse({ state }: House, context: PresentContext) {
  const { choice, now, rows } = context;
  const unknownMeters = unknownSources(state.delivered ?? {}, choice, now - longestSilenceMs, rows);
  return { ...context, unknownMeters };
}

/** The meters with a current power in the payload. */
function powersIn(payload: EnergyPayload, delivered: DeliveredMeters, roleIn: RoleIn): [PowerMeter, RealtimePayload][] {
  const powerMeterOrNull = (name: string, role: BalanceRole | null): PowerMeter | null =>
    hasPower(role) ? { name, role } : null;
  if (payload.kind === 'realtime') {
    const name = meterName(payload.meter);
    const meter = powerMeterOrNull(name, roleIn(name, payload.meter.role, null));
    return meter === null ? [] : [[meter, payload]];
  }
  if (payload.kind !== 'webhook') return [];
  return [...new Set(payload.readings.map(({ meter }) => meter))].flatMap((name): [PowerMeter, RealtimePayload][] => {
    const meter = powerMeterOrNull(name, deliveredRole(delivered, name, roleIn));
    const reading = meter === null ? null : deliveredReading(payload, meter);
    return meter === null || reading === null ? [] : [[meter, reading]];
  });
}

/** The known power meters of the house; a moment waits for each of them. */
function powerMetersOf(state: House['state'], choice: MeterChoice, rows: MonitorRows): PowerMeter[] {
  const roleOf = roleOfKept(state, choice, rows);
  return Object.entries(state.meters).flatMap(([name, { title }]): PowerMeter[] => {
    const role = roleOf(name);
    return hasPower(role) ? [{ name, role, ...(title !== undefined && { title }) }] : [];
  });
}

/** The current balance: one result as soon as every meter of electricity has been read again. */
import { type CemmError, isInternalFault, toCemmError } from '../../errors';
import { startIntervalTimer } from '../../time/interval-timer';
import { waitForWork } from '../../time/wait';
import type { BalancePayload, RealtimePayload } from '../../model/payload';
import {
  type BalanceParts,
  type BalanceTarget,
  findHouse,
  type House,
  noMeters,
  type ReadBalanceOptions,
} from '../house-reader';
import { Moment, type PowerMeter } from '../now/moment';
import { hasPower, type MeterNow } from '../now/present';
import { isOfHouse } from '../meters/choice';
import { presentMeters } from '../meters/replaced-meters';
import type { RunningQuarters } from '../now/running-quarters';
import type { MonthPeak } from '../period/peak';

export interface NowTarget extends BalanceTarget {
  /** Readings further apart than this are not simultaneous, ms. */
  readonly intervalMs: number;
  /** Asked for with each balance; absent: quarters are not read. */
  readonly monthPeak?: (() => MonthPeak) | undefined;
}

export interface BalanceListener {
  onBalance(payload: BalancePayload): void;
  /** Once per outage of a meter. */
  onError(error: CemmError): void;
  /** Called once when another shard, such as `3/4`, polls the monitor; nothing follows. */
  onOtherShard(shard: string): void;
}

/**
 * Reads every meter once.
 * @throws {CemmError} INPUT `no_meters`; of the requests, when no meter answers
 */
export async function readBalanceNow(
  parts: BalanceParts,
  quarters: RunningQuarters,
  target: NowTarget,
  ask: ReadBalanceOptions,
): Promise<BalancePayload> {
  const house = await findHouse(parts.reader, target, ask);
  const meters = powerMeters(house);
  const readings = new Map<PowerMeter, RealtimePayload>();
  const failures = new Map<PowerMeter, CemmError>();
  const read = async (meter: PowerMeter): Promise<void> => {
    const { name: alias, role } = meter;
    try {
      const [reading] = await parts.reader.readRealtime({ monitor: house.monitor.id, alias, role }, ask);
      if (reading !== undefined) readings.set(meter, reading);
    } catch (thrown) {
      failures.set(meter, toCemmError(thrown));
    }
  };
  const counted = meters.filter(isOfHouse);
  const ofHouse = Promise.all(counted.map(read));
  const ofDevices = Promise.all(meters.filter((meter) => !isOfHouse(meter)).map(read));
  await ofHouse;
  await waitForWork(parts.clock, deviceWaitMs, ofDevices);
  const isAnswered = counted.some((meter) => readings.has(meter));
  for (const failure of failures.values()) {
    if (failure.code === 'CANCELLED' || isInternalFault(failure) || !isAnswered) throw failure;
    ask.onMeterError?.(failure);
  }
  const all = meters.map((meter): MeterNow => ({ ...meter, reading: readings.get(meter) ?? null }));
  const { unknownMeters } = house;
  const context = { ...target, timezone: parts.reader.timezone, monthPeak: target.monthPeak?.(), unknownMeters };
  return quarters.balance(house, [...all, ...unreachable(house)], context, parts.clock.now());
}

/** The house waits this long for its devices. */
const deviceWaitMs = 2000;

export class BalanceWatch {
  private readonly controller = new AbortController();
  private readonly stopTimer: () => void;
  private watched = '';
  private unwatch: (() => void)[] = [];
  private failed: string | null = null;

  constructor(
    private readonly parts: BalanceParts,
    private readonly quarters: RunningQuarters,
    private readonly target: NowTarget,
    private readonly listener: BalanceListener,
  ) {
    // The list of meters is cached, and its content may change.
    this.stopTimer = startIntervalTimer(parts.clock, target.intervalMs, 0, () => this.lookForMeters());
  }

  stop(): void {
    this.controller.abort();
    this.stopTimer();
    this.stopWatching();
  }

  private stopWatching(): void {
    for (const stop of this.unwatch) stop();
    this.unwatch = [];
  }

  private async lookForMeters(): Promise<void> {
    const { signal } = this.controller;
    try {
      const house = await findHouse(this.parts.reader, this.target, { signal, patience: 'poll' });
      if (signal.aborted) return;
      this.failed = null;
      const meters = powerMeters(house);
      const key = JSON.stringify([house.monitor, meters, house.unreachable, house.unknownMeters]);
      if (key !== this.watched) this.watch(house, meters, key);
    } catch (thrown) {
      if (signal.aborted) return;
      const error = toCemmError(thrown);
      const kind = `${error.code} ${error.reason ?? ''}`;
      // Reported once; the watched meters continue and report for themselves.
      if (this.failed !== kind && this.unwatch.length === 0) this.listener.onError(error);
      this.failed = kind;
      if (isInternalFault(error)) this.stop();
    }
  }

  private watch(house: House, meters: readonly PowerMeter[], key: string): void {
    this.stopWatching();
    this.watched = key;
    const moment = new Moment([...meters], (read) => {
      const all = [...read, ...unreachable(house)];
      const monthPeak = this.target.monthPeak?.();
      const { unknownMeters } = house;
      const context = { ...this.target, timezone: this.parts.reader.timezone, monthPeak, unknownMeters };
      this.listener.onBalance(this.quarters.balance(house, all, context, this.parts.clock.now()));
    });
    let isReported = false;
    this.unwatch = meters.map(({ name, role }) =>
      this.parts.reader.watchRealtime({ monitor: house.monitor.id, alias: name, role }, this.target.intervalMs, {
        onReading: (reading) => {
          moment.read(name, reading);
        },
        onAvailability: (payload) => {
          if (payload.state === 'offline') moment.lost(name);
        },
        onError: (error) => {
          this.listener.onError(error);
        },
        onOtherShard: (shard) => {
          if (!isReported) this.listener.onOtherShard(shard);
          isReported = true;
        },
      }),
    );
  }
}

/** @throws {CemmError} INPUT `no_meters` */
function powerMeters({ meters }: House): PowerMeter[] {
  const found = withPower(presentMeters(meters));
  if (!found.some(isOfHouse)) throw noMeters();
  return found;
}

function unreachable(house: House): MeterNow[] {
  return withPower(house.unreachable).map((meter) => ({ ...meter, reading: null }));
}

function withPower(meters: House['meters']): PowerMeter[] {
  return meters.flatMap(({ role, ...meter }): PowerMeter[] => (hasPower(role) ? [{ ...meter, role }] : []));
}

/**
 * The lists of monitors and meters that a connection keeps in the store of what is over, so that a known day has its meters while the
 * monitor is away.
 */
import { createHash } from 'node:crypto';
import type { Clock } from '../time/clock';
import type { PastDays } from '../store/past-days';
import { type MonitorId, toMonitorId } from '../protocol/mac';
import type { IoRecord, MonitorRecord } from '../protocol/responses';
import { isRecord, readMember } from '../checks/record';
import type { FactName } from '../store/fact-name';

export interface KeptLists {
  readonly meters: MeterLists;
  /** Null: they are not kept. */
  readonly monitors: MonitorLists | null;
}

/** @param owner what the connection leads to; undefined: its monitors are not kept */
export function keptLists(past: PastDays, clock: Clock, transport: string, owner: string | undefined): KeptLists {
  const monitors = owner === undefined ? null : keptMonitors(past, owner);
  return { meters: keptMeters(past, clock, transport), monitors };
}

/** Keeps the list of meters of a monitor, with their aliases. */
interface MeterLists {
  keep(monitor: MonitorId, records: readonly IoRecord[]): Promise<void>;
  /** Null for none. */
  read(monitor: MonitorId): Promise<readonly IoRecord[] | null>;
}

function keptMeters(past: PastDays, clock: Clock, transport: string): MeterLists {
  const nameAt = (house: string, start: number): FactName => ({
    kind: 'readings',
    house,
    start,
    name: `${transport} meters`,
  });
  return {
    async keep(monitor, records) {
      await past.keep(nameAt(monitor, clock.now()), { records }, (_, added) => added);
    },
    async read(monitor) {
      for (const start of (await past.monthsOf(monitor)).reverse()) {
        const list = readMember(await past.get(nameAt(monitor, start)), 'records');
        const records = Array.isArray(list) ? list.map(readMeterRecord) : [];
        if (records.length > 0) return records.flatMap((record) => record ?? []);
      }
      return null;
    },
  };
}

function readMeterRecord(value: unknown): IoRecord | null {
  if (!isRecord(value)) return null;
  const number = (name: string): number | null => (typeof value[name] === 'number' ? value[name] : null);
  const text = (name: string): string | null => findText(value, name);
  return {
    ioId: number('ioId'),
    port: number('port'),
    fullId: number('fullId'),
    type: text('type'),
    portOption: text('portOption'),
    alias: text('alias'),
  };
}

/**
 * Keeps the monitors that were verified last, in the own folder of the connection, so that what is kept of them is given after a restart
 * while they are away. They count as known, not as verified: each request verifies its monitor first.
 */
interface MonitorLists {
  keep(records: readonly MonitorRecord[]): Promise<void>;
  /** None if they are not known. */
  read(): Promise<readonly MonitorRecord[]>;
}

function keptMonitors(past: PastDays, owner: string): MonitorLists {
  const fact = factOfOwner(past, owner, 'monitors');
  return {
    keep: (records) => fact.keep({ records }),
    async read() {
      const list = readMember(await fact.read(), 'records');
      return Array.isArray(list) ? list.flatMap((one) => readMonitorRecord(one) ?? []) : [];
    },
  };
}

/**
 * The fact of what was listed last, in the own folder of a connection.
 * @param owner what the connection leads to: its interface and address, and the monitor that it names
 */
export function factOfOwner(past: PastDays, owner: string, name: string) {
  const hash = createHash('sha256').update(owner).digest('hex').slice(0, 16);
  // One list, whatever the clock says.
  const fact: FactName = { kind: 'readings', house: `connection-${hash}`, start: 0, name };
  let last = '';
  return {
    async keep(listed: object): Promise<void> {
      const text = `${past.deletions} ${JSON.stringify(listed)}`;
      if (text === last) return;
      last = text;
      await past.keep(fact, listed, (_, added) => added);
    },
    read: () => past.get(fact),
  };
}

export function readMonitorRecord(value: unknown): MonitorRecord | null {
  const text = (name: string): string | null => findText(value, name);
  const id = toMonitorId(text('id'));
  return id === null
    ? null
    : { id, name: text('name'), type: text('type'), version: text('version'), core: text('core') };
}

export function findText(value: unknown, name: string): string | null {
  const text = readMember(value, name);
  return typeof text === 'string' ? text : null;
}

/** The list of meters of a monitor in the store of what is over, so that a known day has its meters while the monitor is away. */
import type { Clock } from '../time/clock';
import type { MonitorId } from '../protocol/mac';
import type { IoRecord } from '../protocol/responses';
import { isRecord } from '../checks/record';
import type { FactName } from '../store/fact-name';
import type { PastDays } from '../store/past-days';

/** Keeps the list of meters of a monitor, with their aliases, for what is kept of the past. */
export interface MeterLists {
  keep(monitor: MonitorId, records: readonly IoRecord[]): Promise<void>;
  /** Null for none. */
  read(monitor: MonitorId): Promise<readonly IoRecord[] | null>;
}

export function keptMeters(past: PastDays, clock: Clock, transport: string): MeterLists {
  const nameAt = (house: string, start: number): FactName => ({
    ...{ kind: 'readings', house, start },
    name: `${transport} meters`,
  });
  return {
    async keep(monitor, records) {
      await past.keep(nameAt(monitor, clock.now()), { records }, (_, added) => added);
    },
    async read(monitor) {
      for (const start of (await past.monthsOf(monitor)).reverse()) {
        const fact = await past.get(nameAt(monitor, start));
        const list: unknown = isRecord(fact) ? fact['records'] : null;
        const records = Array.isArray(list) ? list.map(readRecord) : [];
        if (records.length > 0) return records.flatMap((record) => record ?? []);
      }
      return null;
    },
  };
}

function readRecord(value: unknown): IoRecord | null {
  if (!isRecord(value)) return null;
  const number = (name: string): number | null => (typeof value[name] === 'number' ? value[name] : null);
  const text = (name: string): string | null => (typeof value[name] === 'string' ? value[name] : null);
  return {
    ...{ ioId: number('ioId'), port: number('port'), fullId: number('fullId') },
    ...{ type: text('type'), portOption: text('portOption'), alias: text('alias') },
  };
}

/**
 * The monitors that a connection has verified last, in its own folder of the store, so that what is kept of them is given after a
 * restart while they are away. They count as known, not as verified: each request verifies its monitor first.
 */
import { createHash } from 'node:crypto';
import { toMonitorId } from '../protocol/mac';
import type { MonitorRecord } from '../protocol/responses';
import { isRecord } from '../checks/record';
import type { FactName } from '../store/fact-name';
import type { PastDays } from '../store/past-days';

/** Keeps the monitors that were verified last. */
export interface MonitorLists {
  keep(records: readonly MonitorRecord[]): Promise<void>;
  /** None if they are not known. */
  read(): Promise<readonly MonitorRecord[]>;
}

/** @param owner what the connection leads to: its interface and address */
export function keptMonitors(past: PastDays, owner: string): MonitorLists {
  const hash = createHash('sha256').update(owner).digest('hex').slice(0, 16);
  // One list, whatever the clock says.
  const fact: FactName = { kind: 'readings', house: `connection-${hash}`, start: 0, name: 'monitors' };
  let last = '';
  return {
    async keep(records) {
      const list = `${past.deletions} ${JSON.stringify(records)}`;
      if (list === last) return;
      last = list;
      await past.keep(fact, { records }, (_, added) => added);
    },
    async read() {
      const kept = await past.get(fact);
      const list: unknown = isRecord(kept) ? kept['records'] : null;
      return Array.isArray(list) ? list.flatMap((one) => readRecord(one) ?? []) : [];
    },
  };
}

function readRecord(value: unknown): MonitorRecord | null {
  if (!isRecord(value)) return null;
  const text = (name: string): string | null => (typeof value[name] === 'string' ? value[name] : null);
  const id = toMonitorId(text('id'));
  return id === null
    ? null
    : { id, name: text('name'), type: text('type'), version: text('version'), core: text('core') };
}

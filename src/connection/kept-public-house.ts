/**
 * The monitor and the meters behind an address of a public API, as they were listed last, in a folder of their own in the store. So
 * what is kept of a CEMM 3.0 is given after a restart while it is away.
 */
import { isRecord, readMember } from '../checks/record';
import { isNumber, isText, list, orNull, shape } from '../checks/shape';
import type { PublicMeter, PublicMonitor } from '../protocol/responses';
import type { PastDays } from '../store/past-days';
import { factOfOwner, readMonitorRecord, findText } from './kept-lists';

interface PublicHouse {
  readonly monitor: PublicMonitor;
  readonly meters: readonly PublicMeter[];
}

/** Keeps the house that was listed last. */
export interface PublicHouses {
  keep(house: PublicHouse): Promise<void>;
  /** Null if it is not known. */
  read(): Promise<PublicHouse | null>;
}

/** @param owner what the connection leads to: its interface and address, and the monitor that it names */
export function keptPublicHouse(past: PastDays, owner: string): PublicHouses {
  const fact = factOfOwner(past, owner, 'public house');
  return {
    // The clock of the monitor is another one with each answer.
    keep: ({ monitor, meters }) => fact.keep({ monitor: { ...monitor, time: null }, meters }),
    async read() {
      const kept = await fact.read();
      if (!isRecord(kept)) return null;
      const monitor = readMonitor(kept['monitor']);
      return monitor !== null && areMeters(kept['meters']) ? { monitor, meters: kept['meters'] } : null;
    },
  };
}

const isPublicChannel = shape({
  id: orNull(isNumber),
  key: isText,
  label: orNull(isText),
  unit: orNull(isText),
  aggregation: orNull(isText),
});

const isPublicMeter = shape({
  id: orNull(isNumber),
  key: isText,
  label: orNull(isText),
  type: orNull(isText),
  role: orNull(isText),
  channels: list(isPublicChannel),
});

function areMeters(value: unknown): value is readonly PublicMeter[] {
  return list(isPublicMeter)(value);
}

function readMonitor(value: unknown): PublicMonitor | null {
  const monitor = readMonitorRecord(value);
  if (monitor === null) return null;
  const cemm = readMember(value, 'cemm');
  return {
    ...monitor,
    timezone: findText(value, 'timezone'),
    currency: findText(value, 'currency'),
    time: null,
    modules: [],
    cemm: typeof cemm === 'number' ? cemm : null,
  };
}

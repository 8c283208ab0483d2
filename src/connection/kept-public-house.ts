/**
 * The monitor and the meters behind an address of a public API, as they were listed last, in a folder of their own in the store. So
 * what is kept of a CEMM 3.0 is given after a restart while it is away.
 */
import { createHash } from 'node:crypto';
import { isRecord } from '../checks/record';
import { isNumber, isText, list, orNull, shape } from '../checks/shape';
import { toMonitorId } from '../protocol/mac';
import type { PublicMeter, PublicMonitor } from '../protocol/responses';
import type { FactName } from '../store/fact-name';
import type { PastDays } from '../store/past-days';

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
  const hash = createHash('sha256').update(owner).digest('hex').slice(0, 16);
  // One house, whatever the clock says.
  const fact: FactName = { kind: 'readings', house: `connection-${hash}`, start: 0, name: 'public house' };
  let last = '';
  return {
    async keep({ monitor, meters }) {
      // The clock of the monitor is another one with each answer.
      const house = { monitor: { ...monitor, time: null }, meters };
      const text = `${past.deletions} ${JSON.stringify(house)}`;
      if (text === last) return;
      last = text;
      await past.keep(fact, house, (_, added) => added);
    },
    async read() {
      const kept = await past.get(fact);
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
  if (!isRecord(value)) return null;
  const text = (name: string): string | null => (typeof value[name] === 'string' ? value[name] : null);
  const id = toMonitorId(text('id'));
  const { cemm } = value;
  if (id === null) return null;
  return {
    id,
    name: text('name'),
    type: text('type'),
    version: text('version'),
    core: text('core'),
    timezone: text('timezone'),
    currency: text('currency'),
    time: null,
    modules: [],
    cemm: typeof cemm === 'number' ? cemm : null,
  };
}

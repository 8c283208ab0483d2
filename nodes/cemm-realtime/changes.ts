/** `onlyChanges`: passes a reading when a value or its time differs from the last one of the same meter. */
import type { RealtimePayload } from '../../src/model/payload';

export function createChangeFilter(): (reading: RealtimePayload) => boolean {
  const last = new Map<string, string>();
  return ({ monitor, meter, ts, values, times }) => {
    const key = `${monitor.id ?? ''}/${meter.alias ?? ''}`;
    const content = JSON.stringify([ts, values, times]);
    if (last.get(key) === content) return false;
    last.set(key, content);
    return true;
  };
}

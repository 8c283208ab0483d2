/** The values of one meter in a delivery, with the sums of two tariffs, which follow from others. */
import { tariffSums } from '../../model/derived-fields';
import type { WebhookReading } from '../../model/payload';

interface DeliveredValue {
  readonly field: string;
  readonly value: number;
  /** Epoch ms; null if the monitor sent none. */
  readonly ts: number | null;
  readonly window: WebhookReading['window'];
}

/** Field → its value, for one topic. */
export type DeliveredValues = ReadonlyMap<string, DeliveredValue>;

/** By topic. */
export function deliveredValues(readings: readonly WebhookReading[]): ReadonlyMap<string, DeliveredValues> {
  const topics = new Map<string, Map<string, DeliveredValue>>();
  for (const { topic, field, value, ts, window } of readings) {
    if (value === null) continue;
    const values = topics.get(topic) ?? new Map<string, DeliveredValue>();
    topics.set(topic, values.set(field, { field, value, ts, window }));
  }
  for (const values of topics.values()) addSums(values);
  return topics;
}

/** True if the monitor says that it has no value of a topic for a field, or for a tariff of it. */
export function hasNoValue(readings: readonly WebhookReading[], topic: string, field: string): boolean {
  const parts: readonly string[] = tariffSums.find((sum) => sum.field === field)?.parts ?? [];
  return readings.some((reading) => {
    const isOf = reading.field === field || parts.includes(reading.field);
    return isOf && reading.topic === topic && reading.value === null;
  });
}

function addSums(values: Map<string, DeliveredValue>): void {
  for (const { field, parts } of tariffSums) {
    const [low, high] = [values.get(parts[0]), values.get(parts[1])];
    if (values.has(field) || low === undefined || high === undefined) continue;
    const ts = low.ts === null || high.ts === null ? (low.ts ?? high.ts) : Math.max(low.ts, high.ts);
    // Counters have six decimals at most, a binary sum of them has more.
    values.set(field, { field, value: Math.round((low.value + high.value) * 1e6) / 1e6, ts, window: low.window });
  }
}

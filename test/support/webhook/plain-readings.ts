/** A simple reference for the readings of a delivery: every record is looked up by itself, without a cache. */
import type { WebhookPayload, WebhookReading } from '../../../src/model/payload';
import { fieldWithUnit, roleOfWords } from '../../../src/model/public-meters';
import { classOf, isCurrentTopic, reasonOfNull, windowOf, windowOfValue } from '../../../src/model/webhook-topics';
import type { DeliveryContext } from '../../../src/model/delivery';
import type { DeliveredRecord } from '../../../src/protocol/delivery';
import type { Millis } from '../../../src/time/units';

type Context = Pick<DeliveryContext, 'catalogue' | 'timezone'>;

export function plainReadings(
  records: readonly DeliveredRecord[],
  context: Context,
  at: Millis,
): Pick<WebhookPayload, 'readings' | 'values'> {
  const readings = records.map((record) => plainReading(record, context, at));
  const values: WebhookPayload['values'] = {};
  for (const { meter, field, topic, value } of readings) {
    if (value === null || !isCurrentTopic(topic)) continue;
    const fields = Object.hasOwn(values, meter) ? values[meter] : undefined;
    values[meter] = { ...fields, [field]: value };
  }
  return { readings, values };
}

function plainReading(record: DeliveredRecord, { catalogue, timezone }: Context, at: Millis): WebhookReading {
  const { meter, channel, topic, value, reason } = record;
  const owner = catalogue.get(meter);
  const known = owner?.channels.get(channel);
  const role = roleOfWords(owner?.role, owner?.type);
  const { name, unit, unitSource } = fieldWithUnit(channel, role, 'reading', known?.unit ?? null);
  const whole = windowOf(topic, at, timezone);
  const window = whole === null ? null : windowOfValue(topic, whole, record.time, timezone);
  const channelClass = classOf(channel, known?.aggregation ?? null);
  const reasons = { absent: reasonOfNull(topic, channelClass), no_value: 'no_recent_value' } as const;
  const missing = reason === 'absent' || reason === 'no_value' ? reasons[reason] : reason;
  return {
    meter,
    channel,
    topic,
    field: name,
    value,
    unit,
    unitSource: unit === null ? null : unitSource,
    ts: record.time,
    ...(window !== null && { window: { start: window.start, end: window.end } }),
    ...(typeof owner?.label === 'string' && { meterLabel: owner.label }),
    ...(typeof known?.label === 'string' && { channelLabel: known.label }),
    ...(missing !== null && { missing }),
  };
}

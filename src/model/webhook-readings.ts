/** The records of a delivery as normalized readings (contract.md section 2, kind `webhook`). */
import type { DeliveredRecord, ReadValue } from '../wire/delivery';
import type { DeliveryCatalogue } from '../wire/delivery-catalogue';
import { millis, type Millis } from '../wire/time';
import type { WebhookPayload, WebhookReading } from './payload';
import { plansFor, type ReadingPlan } from './reading-plans';
import { windowOf, type Window } from './topics';

export type Readings = Pick<WebhookPayload, 'readings' | 'values'>;

/**
 * Adds each value that it is told to `readings`, and one of now also to `values`.
 * @param at the moment at which the webhook was started: what `this/…` and `last/…` are counted from
 */
export function readingsInto(
  { readings, values }: Readings,
  { catalogue, timezone }: { readonly catalogue: DeliveryCatalogue; readonly timezone: string },
  at: Millis,
): ReadValue {
  const plans = plansFor(catalogue);
  const windows = windowsAt(at, timezone);
  let plan: ReadingPlan | null = null;
  /** The values of the latest meter; a delivery has them one after the other. */
  let fields: Record<string, number> = {};
  let meterOfFields: string | null = null;
  return (meter, channel, topic, ts, value, reason) => {
    plan = plans.planOf(meter, channel, topic, plan);
    readings.push(readingOf(plan, ts, value, reason, windows));
    if (!plan.isCurrent || value === null) return;
    if (meter !== meterOfFields) {
      fields = fieldsOf(values, meter);
      meterOfFields = meter;
    }
    fields[plan.field] = value;
  };
}

/** Names from outside may be those of inherited members, so what is there is asked for by itself. `__proto__` was taken out. */
function fieldsOf(values: WebhookPayload['values'], meter: string): Record<string, number> {
  const known = Object.hasOwn(values, meter) ? values[meter] : undefined;
  return known ?? (values[meter] = {});
}

function readingOf(
  plan: ReadingPlan,
  ts: Millis | null,
  value: number | null,
  reason: DeliveredRecord['reason'],
  windows: Windows,
): WebhookReading {
  const { meter, channel, topic, field, unit, unitSource } = plan;
  const window = windows.of(plan);
  // One literal with all of it: a property that is added later costs as much as half of the others.
  const reading: WebhookReading =
    window === null
      ? { meter, channel, topic, field, value, unit, unitSource, ts }
      : { meter, channel, topic, field, value, unit, unitSource, ts, window: { start: window.start, end: window.end } };
  if (plan.meterLabel !== null) reading.meterLabel = plan.meterLabel;
  if (plan.channelLabel !== null) reading.channelLabel = plan.channelLabel;
  if (reason === 'absent') reading.missing = plan.reasonOfNull;
  else if (reason !== null) reading.missing = reason === 'no_value' ? 'no_recent_value' : reason;
  return reading;
}

/** Finding a window in a time zone is dear; the records of a delivery share nine of them. */
class Windows {
  /** By the place of the topic. */
  private readonly found: (Window | null)[] = [];

  constructor(
    readonly at: Millis,
    readonly timezone: string,
  ) {}

  of({ topic, window }: ReadingPlan): Window | null {
    return window < 0 ? null : (this.found[window] ??= windowOf(topic, this.at, this.timezone));
  }
}

let latest = new Windows(millis(0), '');

/** All monitors start their webhooks at the same moments. */
function windowsAt(at: Millis, timezone: string): Windows {
  if (latest.at !== at || latest.timezone !== timezone) latest = new Windows(at, timezone);
  return latest;
}

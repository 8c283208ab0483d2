/**
 * What the name of a delivered value says, whatever the value: looked up once and then remembered. A monitor repeats the
 * sequence of its names in every delivery, so each name also remembers the one that followed it last.
 */
import type { DeliveryCatalogue } from '../protocol/delivery-catalogue';
import type { FieldInfo, MissingReason, WebhookPayload, WebhookReading } from './payload';
import { fieldWithUnit, roleOfWords } from './public-meters';
import { classOf, isCurrentTopic, placeOfWindow, reasonOfNull, type Window, windowOf } from './webhook-topics';
import type { DeliveredRecord, ReadValue } from '../protocol/delivery';
import { millis, type Millis } from '../protocol/time';

interface ReadingPlan {
  readonly meter: string;
  readonly channel: string;
  readonly topic: string;
  readonly field: string;
  readonly unit: string | null;
  readonly unitSource: FieldInfo['unitSource'] | null;
  /** The names that the owner gave them; null where the monitor was not asked. */
  readonly meterLabel: string | null;
  readonly channelLabel: string | null;
  /** Why the value is missing where the monitor gives null in its place. */
  readonly reasonOfNull: MissingReason;
  readonly isCurrent: boolean;
  /** Place of its topic among those that have a window; -1 where it has none. */
  readonly window: number;
  /** What came after it last; null at first. */
  next: ReadingPlan | null;
}

/** The names of a large fleet are some hundreds. Beyond this all are forgotten, and those in use come back. */
export const mostPlans = 10_000;
/** Longer names, which no monitor has, are not remembered. */
export const longestName = 64;

/** Those of one catalogue. */
export class ReadingPlans {
  private plans = new Map<string, Map<string, Map<string, ReadingPlan>>>();
  private count = 0;

  constructor(private readonly catalogue: DeliveryCatalogue) {}

  get size(): number {
    return this.count;
  }

  /** @param before the plan of the value before it in the delivery; null for the first one */
  planOf(meter: string, channel: string, topic: string, before: ReadingPlan | null): ReadingPlan {
    const expected = before?.next ?? null;
    if (expected?.topic === topic && expected.channel === channel && expected.meter === meter) return expected;
    const known = this.plans.get(meter)?.get(channel)?.get(topic);
    const plan = known ?? planReading(meter, channel, topic, this.catalogue);
    if (Math.max(meter.length, channel.length, topic.length) > longestName) return plan;
    if (known === undefined) this.remember(plan);
    if (before !== null) before.next = plan;
    return plan;
  }

  private remember(plan: ReadingPlan): void {
    if (this.count >= mostPlans) {
      this.plans = new Map();
      this.count = 0;
    }
    const channels = this.plans.get(plan.meter) ?? new Map<string, Map<string, ReadingPlan>>();
    const topics = channels.get(plan.channel) ?? new Map<string, ReadingPlan>();
    this.plans.set(plan.meter, channels.set(plan.channel, topics.set(plan.topic, plan)));
    this.count += 1;
  }
}

const ofCatalogue = new WeakMap<DeliveryCatalogue, ReadingPlans>();

/** A catalogue that changes is another one. */
export function plansFor(catalogue: DeliveryCatalogue): ReadingPlans {
  const known = ofCatalogue.get(catalogue);
  if (known !== undefined) return known;
  const plans = new ReadingPlans(catalogue);
  ofCatalogue.set(catalogue, plans);
  return plans;
}

function planReading(meter: string, channel: string, topic: string, catalogue: DeliveryCatalogue): ReadingPlan {
  const owner = catalogue.get(meter);
  const known = owner?.channels.get(channel);
  const role = roleOfWords(owner?.role, owner?.type);
  const { name, unit, unitSource } = fieldWithUnit(channel, role, 'reading', known?.unit ?? null);
  return {
    meter,
    channel,
    topic,
    field: name,
    unit,
    unitSource: unit === null ? null : unitSource,
    meterLabel: owner?.label ?? null,
    channelLabel: known?.label ?? null,
    reasonOfNull: reasonOfNull(topic, classOf(channel, known?.aggregation ?? null)),
    isCurrent: isCurrentTopic(topic),
    window: placeOfWindow(topic),
    next: null,
  };
}

// The records of a delivery as normalized readings (contract.md section 2, kind `webhook`).

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

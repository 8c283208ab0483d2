/**
 * What the name of a delivered value says, whatever the value: looked up once and then remembered. A monitor repeats the
 * sequence of its names in every delivery, so each name also remembers the one that followed it last.
 */
import type { DeliveryCatalogue } from '../wire/delivery-catalogue';
import type { FieldInfo, MissingReason } from './payload';
import { fieldWithUnit } from './public-field';
import { roleOfWords } from './public-role';
import { classOf, isCurrentTopic, placeOfWindow, reasonOfNull } from './topics';

export interface ReadingPlan {
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

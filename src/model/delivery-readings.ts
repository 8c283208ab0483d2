/**
 * Normalizes the records of a delivery. Field, unit and window of a reading depend only on its names (meter, channel, topic), so
 * each combination has a template.
 */
import { getOrSet } from '../checks/get-or-set';
import type { FieldInfo, MissingReason, WebhookPayload, WebhookReading } from './payload';
import { type DeliveryCatalogue, fieldWithUnit, roleInCatalogue } from './public-meters';
import {
  classOf,
  isCurrentTopic,
  windowIndexOf,
  reasonOfNull,
  type Window,
  windowOf,
  windowOfValue,
} from './webhook-topics';
import type { DeliveredRecord } from '../protocol/delivery';
import { millis, type Millis } from '../time/units';

interface ReadingTemplate {
  readonly meter: string;
  readonly channel: string;
  readonly topic: string;
  readonly field: string;
  readonly unit: string | null;
  readonly unitSource: FieldInfo['unitSource'] | null;
  /** Names given by the owner; null if the catalogue has none. */
  readonly meterLabel: string | null;
  readonly channelLabel: string | null;
  /** The reason in `missing` for null in place of a record. */
  readonly reasonOfNull: MissingReason;
  readonly isCurrent: boolean;
  /** Its meter is no part of the house. */
  readonly isLeftOut: boolean;
  /** Index of the window of its topic; -1 if the topic has none. */
  readonly windowIndex: number;
}

/** A large fleet uses some hundreds of combinations. At this number all templates are dropped and created again when needed. */
export const mostTemplates = 10_000;
/** Names of monitors are shorter; longer ones get no template. */
export const longestName = 64;

export class ReadingTemplates {
  private templates = new Map<string, Map<string, Map<string, ReadingTemplate>>>();
  private count = 0;

  constructor(readonly catalogue: DeliveryCatalogue) {}

  get size(): number {
    return this.count;
  }

  templateOf(meter: string, channel: string, topic: string): ReadingTemplate {
    const known = this.templates.get(meter)?.get(channel)?.get(topic);
    if (known !== undefined) return known;
    const template = createTemplate(meter, channel, topic, this.catalogue);
    if (Math.max(meter.length, channel.length, topic.length) <= longestName) this.add(template);
    return template;
  }

  private add(template: ReadingTemplate): void {
    if (this.count >= mostTemplates) {
      this.templates = new Map();
      this.count = 0;
    }
    const channels = getOrSet(this.templates, template.meter, () => new Map());
    getOrSet(channels, template.channel, () => new Map()).set(template.topic, template);
    this.count += 1;
  }
}

function createTemplate(meter: string, channel: string, topic: string, catalogue: DeliveryCatalogue): ReadingTemplate {
  const owner = catalogue.get(meter);
  const known = owner?.channels.get(channel);
  const role = roleInCatalogue(owner);
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
    isLeftOut: owner?.isLeftOut ?? false,
    windowIndex: windowIndexOf(topic),
  };
}

/** Appends the records of a delivery, or the next part of them. */
export type AppendRecords = (records: readonly DeliveredRecord[]) => void;

/** Belongs to one receiver: stores the templates of its catalogue, and the windows of the latest delivery. */
export class ReadingNormalizer {
  private templates = new ReadingTemplates(new Map());
  private windows = new Windows(millis(0), '');

  /**
   * Returns a function that adds each record to `readings`, and a current value to `values` as well.
   * @param at when the webhook was started: `this/…` and `last/…` are counted from it
   */
  appendTo(
    { readings, values }: Pick<WebhookPayload, 'readings' | 'values'>,
    { catalogue, timezone }: { readonly catalogue: DeliveryCatalogue; readonly timezone: string },
    at: Millis,
  ): AppendRecords {
    const templates = this.templatesOf(catalogue);
    const windows = this.windowsAt(at, timezone);
    /** The values of the latest meter; a delivery has them one after the other. */
    let fields: Record<string, number> = {};
    let meterOfFields: string | null = null;
    return (records) => {
      for (const record of records) {
        const { meter, channel, topic, value } = record;
        const template = templates.templateOf(meter, channel, topic);
        if (template.isLeftOut) continue;
        readings.push(readingOf(template, record, windows));
        if (!template.isCurrent || value === null) continue;
        if (meter !== meterOfFields) {
          fields = ensureMeterValues(values, meter);
          meterOfFields = meter;
        }
        fields[template.field] = value;
      }
    };
  }

  /** A reloaded catalogue is another object. */
  private templatesOf(catalogue: DeliveryCatalogue): ReadingTemplates {
    if (this.templates.catalogue !== catalogue) this.templates = new ReadingTemplates(catalogue);
    return this.templates;
  }

  /** All monitors start their webhooks at the same moments. */
  private windowsAt(at: Millis, timezone: string): Windows {
    const { windows } = this;
    if (windows.at !== at || windows.timezone !== timezone) this.windows = new Windows(at, timezone);
    return this.windows;
  }
}

/** A meter may have the name of an inherited member, hence `hasOwn`. `__proto__` has been removed already. */
function ensureMeterValues(values: WebhookPayload['values'], meter: string): Record<string, number> {
  const known = Object.hasOwn(values, meter) ? values[meter] : undefined;
  return known ?? (values[meter] = {});
}

function readingOf(
  template: ReadingTemplate,
  { time: ts, value, reason }: DeliveredRecord,
  windows: Windows,
): WebhookReading {
  const { meter, channel, topic, field, unit, unitSource } = template;
  const window = windows.of(template, ts);
  // A single literal, because in V8 a property that is added later costs half as much as all others together.
  const reading: WebhookReading =
    window === null
      ? { meter, channel, topic, field, value, unit, unitSource, ts }
      : { meter, channel, topic, field, value, unit, unitSource, ts, window: { start: window.start, end: window.end } };
  if (template.meterLabel !== null) reading.meterLabel = template.meterLabel;
  if (template.channelLabel !== null) reading.channelLabel = template.channelLabel;
  if (reason === 'absent') reading.missing = template.reasonOfNull;
  else if (reason !== null) reading.missing = reason === 'no_value' ? 'no_recent_value' : reason;
  return reading;
}

/** Time zone lookups are slow, so the windows of one delivery are computed once. */
class Windows {
  /** By index of the window. */
  private readonly found: (Window | null)[] = [];

  constructor(
    readonly at: Millis,
    readonly timezone: string,
  ) {}

  /** @param updatedAt the own time of the value */
  of({ topic, windowIndex }: ReadingTemplate, updatedAt: Millis | null): Window | null {
    if (windowIndex < 0) return null;
    const window = (this.found[windowIndex] ??= windowOf(topic, this.at, this.timezone));
    return window === null ? null : windowOfValue(topic, window, updatedAt, this.timezone);
  }
}

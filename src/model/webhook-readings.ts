/** The records of a delivery as normalized readings (contract.md section 2, kind `webhook`). */
import type { DeliveredRecord } from '../wire/delivery';
import type { CatalogueChannel, CatalogueMeter, DeliveryCatalogue } from '../wire/delivery-catalogue';
import { millis, type Millis } from '../wire/time';
import type { Field } from './fields';
import type { MissingReason, WebhookReading } from './payload';
import { fieldWithUnit } from './public-field';
import { roleOfWords } from './public-role';
import { classOf, isCurrentTopic, reasonOfNull, windowOf, type Window } from './topics';

/** A channel as all its records have it: they follow each other, one per topic. */
interface Source {
  readonly meter: string;
  readonly channel: string;
  readonly owner: CatalogueMeter | undefined;
  readonly known: CatalogueChannel | undefined;
  readonly field: Field;
}

/** @param at the moment at which the webhook was started: what `this/…` and `last/…` are counted from */
export function readingsOf(
  records: readonly DeliveredRecord[],
  catalogue: DeliveryCatalogue,
  at: Millis,
  timezone: string,
): WebhookReading[] {
  const windows = windowsAt(at, timezone);
  let source: Source | null = null;
  return records.map((record) => {
    if (source?.channel !== record.channel || source.meter !== record.meter) source = sourceOf(record, catalogue);
    return readingOf(record, source, windows);
  });
}

/** Names from outside may be those of inherited members, so what is there is asked for by itself. `__proto__` was taken out. */
export function currentValues(readings: readonly WebhookReading[]): Record<string, Record<string, number>> {
  const meters: Record<string, Record<string, number>> = {};
  for (const { meter, field, topic, value } of readings) {
    if (value === null || !isCurrentTopic(topic)) continue;
    const fields = Object.hasOwn(meters, meter) ? meters[meter] : undefined;
    if (fields === undefined) meters[meter] = { [field]: value };
    else fields[field] = value;
  }
  return meters;
}

function sourceOf({ meter, channel }: DeliveredRecord, catalogue: DeliveryCatalogue): Source {
  const owner = catalogue.get(meter);
  const known = owner?.channels.get(channel);
  const role = roleOfWords(owner?.role, owner?.type);
  return { meter, channel, owner, known, field: fieldWithUnit(channel, role, 'reading', known?.unit ?? null) };
}

function readingOf(record: DeliveredRecord, { owner, known, field }: Source, windows: Windows): WebhookReading {
  const { meter, channel, topic, value } = record;
  const reading: WebhookReading = {
    meter,
    channel,
    topic,
    field: field.name,
    value,
    unit: field.unit,
    unitSource: field.unit === null ? null : field.unitSource,
    ts: record.time,
  };
  if (typeof owner?.label === 'string') reading.meterLabel = owner.label;
  if (typeof known?.label === 'string') reading.channelLabel = known.label;
  const window = windows.of(topic);
  if (window !== null) reading.window = { start: window.start, end: window.end };
  const missing = missingOf(record, known);
  if (missing !== null) reading.missing = missing;
  return reading;
}

function missingOf(
  { channel, topic, reason }: DeliveredRecord,
  known: CatalogueChannel | undefined,
): MissingReason | null {
  if (reason === 'absent') return reasonOfNull(topic, classOf(channel, known?.aggregation ?? null));
  return reason === 'no_value' ? 'no_recent_value' : reason;
}

/** Finding a window in a time zone is dear; the records of a delivery share nine of them. */
class Windows {
  private readonly found = new Map<string, Window>();

  constructor(
    readonly at: Millis,
    readonly timezone: string,
  ) {}

  of(topic: string): Window | null {
    const known = this.found.get(topic);
    if (known !== undefined) return known;
    const window = windowOf(topic, this.at, this.timezone);
    if (window !== null) this.found.set(topic, window);
    return window;
  }
}

let latest = new Windows(millis(0), '');

/** All monitors start their webhooks at the same moments. */
function windowsAt(at: Millis, timezone: string): Windows {
  if (latest.at !== at || latest.timezone !== timezone) latest = new Windows(at, timezone);
  return latest;
}

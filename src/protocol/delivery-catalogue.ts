/**
 * The channel catalogue of a CEMM 3.0, `GET /api/v1/public/meters` (vendor-facts.md section 3): the only place that says in
 * which unit a webhook channel counts and how it is aggregated.
 */

export interface CatalogueChannel {
  /** The name that its owner gave it; may change. */
  readonly label: string | null;
  readonly unit: string | null;
  /** `AVG`, `COUNTER`, `PULSE`, `CALCULATED`, `TARIFF`, `DERIVED`, or a word that is not known yet. */
  readonly aggregation: string | null;
}

export interface CatalogueMeter {
  readonly label: string | null;
  /** `electricity`, … */
  readonly type: string | null;
  /** `grid-connection`, … */
  readonly role: string | null;
  /** Channel key → channel. */
  readonly channels: ReadonlyMap<string, CatalogueChannel>;
}

/** Meter key → meter. */
export type DeliveryCatalogue = ReadonlyMap<string, CatalogueMeter>;

/** What the monitor says of itself, `GET /api/v1/public/cemm`. */
export interface CatalogueMonitor {
  readonly cemm: number;
  readonly mac: string | null;
  readonly name: string | null;
  readonly version: string | null;
  readonly timezone: string | null;
}

/** Reads the list of meters; entries without a key are left out. An answer of another shape gives an empty catalogue. */
export function readDeliveryCatalogue(answer: unknown): DeliveryCatalogue {
  const catalogue = new Map<string, CatalogueMeter>();
  for (const meter of listOf(answer, 'meters')) {
    const key = textOf(meter, 'key');
    if (key === null) continue;
    const channels = new Map<string, CatalogueChannel>();
    for (const channel of listOf(meter, 'channels')) {
      const channelKey = textOf(channel, 'key');
      if (channelKey === null) continue;
      channels.set(channelKey, {
        label: textOf(channel, 'label'),
        unit: textOf(channel, 'unit'),
        aggregation: textOf(channel, 'aggregation_method'),
      });
    }
    catalogue.set(key, {
      label: textOf(meter, 'label'),
      type: textOf(meter, 'type'),
      role: textOf(meter, 'role'),
      channels,
    });
  }
  return catalogue;
}

/** Null where the answer has no usable id. */
export function readCatalogueMonitor(answer: unknown): CatalogueMonitor | null {
  const id = memberOf(answer, 'id');
  if (typeof id !== 'number' || !Number.isSafeInteger(id)) return null;
  return {
    cemm: id,
    mac: textOf(answer, 'mac'),
    name: textOf(answer, 'name'),
    version: textOf(answer, 'version'),
    timezone: textOf(answer, 'timezone'),
  };
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

function textOf(value: unknown, name: string): string | null {
  const text = memberOf(value, name);
  return typeof text === 'string' && text !== '' ? text : null;
}

function listOf(value: unknown, name: string): readonly unknown[] {
  const list = memberOf(value, name);
  return Array.isArray(list) ? list : [];
}

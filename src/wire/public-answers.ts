/** What the public API of a CEMM 3.0 answers, after parsing (vendor-facts 3; spec.md C, Public API Request). */
import type { MonitorRecord } from './answers';
import type { Seconds } from './time';

/** What a monitor says of itself. Only the MAC is needed: without it nobody knows which monitor answers. */
export interface PublicMonitor extends MonitorRecord {
  /** The number that its deliveries carry. */
  readonly cemm: number | null;
  /** Its time zone, as it spells it. */
  readonly timezone: string | null;
  /** What time it believed it was when it answered. */
  readonly time: Seconds | null;
  /** ISO code of the currency that its tariffs are in. */
  readonly currency: string | null;
  /** Ids of the installed modules, such as `webhooks`. */
  readonly modules: readonly string[];
}

export interface PublicChannel {
  readonly id: number | null;
  readonly key: string;
  /** The name that its user gave it; may change. */
  readonly label: string | null;
  readonly unit: string | null;
  /** `AVG`, `COUNTER`, `PULSE`, `CALCULATED`, `TARIFF`, `DERIVED`, or a word that is not known yet. */
  readonly aggregation: string | null;
}

export interface PublicMeter {
  readonly id: number | null;
  readonly key: string;
  readonly label: string | null;
  /** `electricity`, … */
  readonly type: string | null;
  /** `grid-connection`, … */
  readonly role: string | null;
  readonly channels: readonly PublicChannel[];
}

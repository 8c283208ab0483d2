/** The meters that deliveries of the connection's webhook nodes have named since the start, for "Find meters" in the dialog; kept-meters.ts has those of before. */
import type { Values, WebhookPayload } from '../../src/model/payload';

export interface NamedMeter {
  /** MAC address as digits, otherwise the installation or the number of the monitor; blank if none is known. */
  readonly monitor: string;
  readonly meter: string;
  readonly values: Values;
}

/** A receiver of a fleet names thousands; nobody looks for a meter of one house there. */
const most = 200;

export class DeliveredMeters {
  private readonly found = new Map<string, NamedMeter>();

  note({ monitor, installation, readings, values }: WebhookPayload): void {
    const name = monitor.id ?? installation ?? (monitor.cemm === undefined ? '' : String(monitor.cemm));
    for (const meter of new Set(readings.map((reading) => reading.meter))) {
      const key = JSON.stringify([name, meter]);
      const known = this.found.get(key);
      if (known === undefined && this.found.size >= most) continue;
      const current = Object.hasOwn(values, meter) ? values[meter] : undefined;
      this.found.set(key, { monitor: name, meter, values: { ...known?.values, ...current } });
    }
  }

  list(): readonly NamedMeter[] {
    return [...this.found.values()];
  }
}

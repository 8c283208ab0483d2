import { hasTwoTariffs } from '../model/derived-fields';
import type { MeterInfo, MonitorInfo } from '../model/payload';

/** A monitor may list other names each time. */
const mostWithTwo = 10_000;

/** Meters that have ever reported a second tariff; all others have a single register. */
export class TariffHistory {
  private readonly withTwo = new Set<string>();

  /** Called for every response, with all its channels. */
  recordTariffs(monitor: MonitorInfo, meter: MeterInfo, channels: Iterable<string>): void {
    if (!hasTwoTariffs(meter.alias, channels)) return;
    this.withTwo.add(buildMeterKey(monitor, meter));
    const [oldest = ''] = this.withTwo;
    if (this.withTwo.size > mostWithTwo) this.withTwo.delete(oldest);
  }

  isSingleCounter(monitor: MonitorInfo, meter: MeterInfo): boolean {
    return !this.withTwo.has(buildMeterKey(monitor, meter));
  }
}

function buildMeterKey({ id }: MonitorInfo, { alias }: MeterInfo): string {
  return `${id ?? ''} ${alias ?? ''}`;
}

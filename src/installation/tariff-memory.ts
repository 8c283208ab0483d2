/** Which meters of a connection have ever offered a second tariff: the others have a single counter (model/sums.ts). */
import type { MeterInfo, MonitorInfo } from '../model/payload';
import { hasTwoTariffs } from '../model/sums';

export class TariffMemory {
  private readonly withTwo = new Set<string>();

  /** To be told of every answer, with all channels that are in it. */
  answered(monitor: MonitorInfo, meter: MeterInfo, channels: Iterable<string>): void {
    if (hasTwoTariffs(meter.alias, channels)) this.withTwo.add(keyOf(monitor, meter));
  }

  isSingleCounter(monitor: MonitorInfo, meter: MeterInfo): boolean {
    return !this.withTwo.has(keyOf(monitor, meter));
  }
}

function keyOf({ id }: MonitorInfo, { alias }: MeterInfo): string {
  return `${id ?? ''} ${alias ?? ''}`;
}

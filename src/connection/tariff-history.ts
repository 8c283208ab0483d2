import { hasTwoTariffs } from '../model/derived-fields';
import type { MeterInfo, MonitorInfo } from '../model/payload';

/** A monitor may list other names each time. */
const mostWithTwo = 10_000;

/** Meters that have ever reported a second tariff; all others have a single register. */
export class TariffHistory {
  private readonly withTwo = new Set<string>();

  /**
   * Called for every response, with all its channels.
   * @returns true if the meter has a single register
   */
  recordTariffs({ id }: MonitorInfo, { alias }: MeterInfo, channels: Iterable<string>): boolean {
    const key = `${id ?? ''} ${alias ?? ''}`;
    if (hasTwoTariffs(alias, channels)) this.withTwo.add(key);
    const [oldest = ''] = this.withTwo;
    if (this.withTwo.size > mostWithTwo) this.withTwo.delete(oldest);
    return !this.withTwo.has(key);
  }
}

/** The devices of the demo monitor, as an owner would name them. */
import { type MeterRow, readMeterRows } from '../model/meter-rows';

export interface DemoNames {
  readonly heatPump: string;
  readonly car: string;
}

const englishNames: DemoNames = { heatPump: 'Heat pump', car: 'Car' };

/** The rows of a connection to the demo monitor: its devices have names without any. */
export function demoRows(rows: readonly MeterRow[], names?: DemoNames): readonly MeterRow[] {
  return rows.length === 0 ? demoMeters(names) : rows;
}

function demoMeters({ heatPump, car }: DemoNames = englishNames): readonly MeterRow[] {
  const rows = readMeterRows([
    { meter: 'mb2', name: heatPump, role: 'consumption' },
    { meter: 'mb3', name: car, role: 'consumption' },
  ]);
  return 'flaw' in rows ? [] : rows;
}

/**
 * Where the energy of one hour goes in a house with a battery, by pouring it from one vessel into another in the order of the
 * energy dashboard of Home Assistant. Slow and simple, and it shares no code with src/balance.
 */

export interface HourOfHouse {
  readonly taken: number;
  readonly given: number;
  /** Negative at night: an inverter uses a little. */
  readonly sun: number;
  readonly stored: number;
  readonly released: number;
}

/** The production that does not go to the grid. */
export function ownSun(hour: HourOfHouse): number {
  return hour.sun - pourHour(hour).sold;
}

/** The production that is sold, and where the use of the house comes from. */
export function pourHour(hour: HourOfHouse) {
  const sources = { grid: hour.taken, sun: Math.max(0, hour.sun), battery: hour.released };
  const sinks = { battery: hour.stored, grid: hour.given };
  const allSources = sources.grid + sources.sun + sources.battery;
  const house = Math.max(0, allSources - sinks.battery - sinks.grid);
  const pour = (from: keyof typeof sources, to: keyof typeof sinks, most = Infinity): number => {
    const poured = Math.max(0, Math.min(sources[from], sinks[to], most));
    sources[from] -= poured;
    sinks[to] -= poured;
    return poured;
  };
  // The house cannot use more of the import than it uses at all.
  pour('grid', 'battery', sources.grid - house);
  pour('sun', 'battery');
  const sold = pour('sun', 'grid');
  const sun = Math.min(house, sources.sun);
  const battery = Math.min(house - sun, Math.max(0, sources.battery - sinks.grid));
  return { sold, sun, battery, grid: house - sun - battery };
}

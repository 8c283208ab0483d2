/** Local time of Central Europe by its rule, independent of the package's time zones. */
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const changes = new Map<number, readonly [summer: number, winter: number]>();
/** By the hour since 1970: clocks change at whole hours. */
const offsets = new Map<number, number>();
const lowHours = new Map<number, boolean>();

/** UTC offset in ms. */
export function offsetOf(moment: number): number {
  const hour = Math.floor(moment / hourMs);
  const known = offsets.get(hour);
  if (known !== undefined) return known;
  const year = new Date(moment).getUTCFullYear();
  const [summer, winter] = changes.get(year) ?? changesOf(year);
  const offset = moment >= summer && moment < winter ? 2 * hourMs : hourMs;
  offsets.set(hour, offset);
  return offset;
}

/** At 1:00 UTC on the last Sundays of March and October. */
function changesOf(year: number): readonly [number, number] {
  const lastSunday = (month: number): number => {
    const last = new Date(Date.UTC(year, month + 1, 0));
    return last.getTime() - last.getUTCDay() * dayMs + hourMs;
  };
  const found = [lastSunday(2), lastSunday(9)] as const;
  changes.set(year, found);
  return found;
}

/** The low tariff of the Netherlands: 23:00 to 7:00 and weekends. */
export function isLowTariff(moment: number): boolean {
  const hour = Math.floor(moment / hourMs);
  const known = lowHours.get(hour);
  if (known !== undefined) return known;
  const isLow = computeLowTariff(moment);
  lowHours.set(hour, isLow);
  return isLow;
}

function computeLowTariff(moment: number): boolean {
  const local = moment + offsetOf(moment);
  const hour = Math.floor(local / hourMs) % 24;
  const weekday = (Math.floor(local / dayMs) + 4) % 7;
  return hour < 7 || hour >= 23 || weekday === 0 || weekday === 6;
}

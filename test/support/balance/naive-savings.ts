/**
 * A second program for what moved use and batteries save, written from docs/balance.md, without code of src/balance: one quarter
 * after the other, in kWh and euros.
 */
export interface NaiveQuarter {
  /** Number of its day, and of its hour in that day. */
  readonly day: number;
  readonly hour: number;
  /** kWh. */
  readonly taken: number;
  readonly given: number;
  /** Euros per kWh: of import, and of export less its fee. */
  readonly pays: number;
  readonly gets: number;
}

export function naiveBattery(quarters: readonly NaiveQuarter[], size: number): number {
  const mostInQuarter = size / 8;
  const givenTo: number[] = quarters.map(() => 0);
  let [content, euros] = [0, 0];
  quarters.forEach((quarter, index) => {
    let room = (size - content) / 0.9;
    if (room < 0) room = 0;
    let takes = quarter.given;
    if (takes > mostInQuarter) takes = mostInQuarter;
    if (takes > room) takes = room;
    let gives = quarter.taken;
    if (gives > mostInQuarter - takes) gives = mostInQuarter - takes;
    if (gives > content) gives = content;
    content = content + takes * 0.9 - gives;
    euros = euros + gives * quarter.pays - takes * quarter.gets;
    givenTo[index] = takes;
  });
  // What is left was never taken: the newest first.
  for (let index = quarters.length - 1; index >= 0 && content > 0; index -= 1) {
    const back = Math.min(givenTo[index] ?? 0, content / 0.9);
    content -= back * 0.9;
    euros += back * (quarters[index]?.gets ?? 0);
  }
  return euros;
}

export function naiveMoved(quarters: readonly NaiveQuarter[]): number {
  const lastDay = quarters.reduce((last, { day }) => Math.max(last, day), -1);
  let euros = 0;
  for (let day = 0; day <= lastDay; day += 1) {
    const ofDay = quarters.filter((quarter) => quarter.day === day);
    const isSunny = (hour: number): boolean => {
      const ofHour = ofDay.filter((quarter) => quarter.hour === hour);
      const given = ofHour.reduce((sum, quarter) => sum + quarter.given, 0);
      return given > ofHour.reduce((sum, quarter) => sum + quarter.taken, 0);
    };
    const sunny = new Set(ofDay.map(({ hour }) => hour).filter(isSunny));
    let [export_, earned, import_, paid] = [0, 0, 0, 0];
    for (const quarter of ofDay) {
      if (sunny.has(quarter.hour)) {
        export_ += quarter.given;
        earned += quarter.given * quarter.gets;
      } else {
        import_ += quarter.taken;
        paid += quarter.taken * quarter.pays;
      }
    }
    const moved = Math.min(1, export_, import_);
    if (moved > 0) euros += moved * (paid / import_ - earned / export_);
  }
  return euros;
}

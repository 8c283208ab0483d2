/** Every day of a simulated year as statistics of Home Assistant. */
import 'should';
import { LongTermStatistics } from '../../support/home-assistant/home-assistant-statistics';
import { SimulatedYear } from '../../support/balance/simulated-year';
import { MAC } from '../../support/formats/payloads';
import { commands, makeDayBalance } from '../../support/formats/history-days';

describe('a simulated year in Home Assistant', function () {
  this.timeout(600_000);
  const year = new SimulatedYear(7);
  const fields = { energy_import_kwh: 'import', energy_export_kwh: 'export' } as const;

  it('BA20: equals the meters on every day, in whatever order and however often the days are sent', () => {
    const days = year.days.map((day) => {
      const [before, after] = [year.readings(day.start - 1000), year.readings(day.end - 1000)];
      const meters = year.meters(
        { p1: [...before.p1, ...after.p1], s01: [...before.s01, ...after.s01], mb5: [...before.mb5, ...after.mb5] },
        year.shapes(day),
      );
      return { day, payload: makeDayBalance(day.label, meters) };
    });
    const counters = days[0]?.payload.counters ?? {};
    const base = Object.fromEntries(Object.entries(counters).map(([field, { start }]) => [field, start?.[1] ?? 0]));
    const send = (order: readonly number[]): LongTermStatistics => {
      const statistics = new LongTermStatistics();
      for (const index of order) {
        const payload = days[index]?.payload;
        if (payload === undefined) continue;
        for (const command of commands(payload, { base })) statistics.runCommand({ ...command });
      }
      return statistics;
    };
    const inOrder = send([...days.keys()]);
    for (const [field, sum] of Object.entries(fields)) {
      const id = `cemm:${MAC}_${field}`;
      inOrder.rows(id).should.have.length(366 * 24);
      for (const { start, change } of inOrder.bars(id)) {
        change.should.be.aboveOrEqual(0, `${field} ${new Date(start).toISOString()}`);
        change.should.be.below(20, `${field} ${new Date(start).toISOString()}`);
      }
      for (const { day } of days) {
        inOrder
          .between(id, day.start, day.end)
          .should.be.approximately(year.truth(day)[sum], 0.001, `${field} ${day.label}`);
      }
    }
    // Every third day first, then all of them backwards, and the last ten again.
    const indexes = [...days.keys()];
    const mixed = send([
      ...indexes.filter((index) => index % 3 === 0),
      ...[...indexes].reverse(),
      ...indexes.slice(-10),
    ]);
    for (const id of inOrder.ids) mixed.rows(id).should.deepEqual(inOrder.rows(id));
  });
});

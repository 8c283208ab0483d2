/** A month as a calendar. */
import should from 'should';
import { calendarOf } from '../../../nodes/cemm-page/page/draw/calendar';
import type { Calendar } from '../../../nodes/cemm-page/page/draw/pictures';
import type { BalancePayload } from '../../../src/model/payload';
import { dayMs } from '../../../src/time/units';
import { balanceWith, sheetAt, zone } from '../../support/page/sheet';

const start = Date.parse('2026-10-01T00:00+02:00');
const moment = Date.parse('2026-10-27T13:40+01:00');

function monthWith(days: readonly (readonly [taken: number | null, given: number | null])[]): BalancePayload {
  return balanceWith({
    period: {
      unit: 'month',
      label: '2026-10',
      timezone: zone,
      start,
      step: 'P1D',
      end: Date.parse('2026-11-01T00:00+01:00'),
    },
    values: { energy_import_kwh: 1, energy_export_kwh: 1, energy_production_kwh: 1 },
    points: days.map(([energy_import_kwh, energy_export_kwh], index) => ({
      ts: start + index * dayMs,
      energy_import_kwh,
      energy_export_kwh,
    })),
  });
}

function drawn(balance: BalancePayload, language = 'en'): Calendar {
  const calendar = calendarOf(sheetAt(moment, language), balance);
  if (calendar === null) throw new Error('no calendar');
  return calendar;
}

describe('a month as a calendar', () => {
  it('begins weeks on Monday, in the language of the page', () => {
    const { heads, before, days } = drawn(monthWith([[1, 0]]), 'nl');
    heads.should.eql(['ma', 'di', 'wo', 'do', 'vr', 'za', 'zo']);
    before.should.equal(3);
    days.length.should.equal(31);
  });

  it('gives a day the colour of import less export, against the largest day of the month', () => {
    const { days } = drawn(
      monthWith([
        [12, 0],
        [6, 0],
        [3.1, 0],
        [0.3, 0],
        [0, 6],
        [0, 12],
        [1, 1.2],
      ]),
    );
    days
      .slice(0, 7)
      .map(({ level }) => level)
      .should.eql([-4, -2, -2, 0, 2, 4, 0]);
  });

  it('never has the colour of the sun in a house without sun', () => {
    const { values, ...month } = monthWith([[0, null]]);
    const { days } = drawn({ ...month, values: { energy_import_kwh: values['energy_import_kwh'] ?? 0 } });
    should(days[0]?.level).equal(-1);
  });

  it('has no colour for a day that is not known or has not come', () => {
    const { days } = drawn(
      monthWith([
        [1, 0],
        [null, 0],
        [1, null],
      ]),
    );
    days
      .slice(0, 4)
      .map(({ level }) => level)
      .should.eql([-4, null, null, null]);
    days[1]?.label.should.equal('Fri 2 Oct: –'.replace('Fri 2 Oct', days[1].label.split(':')[0] ?? ''));
  });

  it('names day and amount for a screen reader, and marks today', () => {
    const { days } = drawn(monthWith([[12, 2]]));
    days[0]?.label.should.equal('Thu, Oct 1: 10.00\u00a0kWh');
    days
      .filter(({ isToday }) => isToday)
      .map(({ text }) => text)
      .should.eql(['27']);
  });

  it('needs a month with a known day', () => {
    should(calendarOf(sheetAt(moment), monthWith([[null, null]]))).equal(null);
    should(calendarOf(sheetAt(moment), balanceWith({}))).equal(null);
  });
});

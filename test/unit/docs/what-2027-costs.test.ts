/** The functions of the example what-2027-costs: its bills equal those of the naive program in test/unit/balance, to the cent. */
import should from 'should';
import { shapeOf } from '../../../src/balance/meters/shape';
import type { Period } from '../../../src/calendar/periods';
import type { BalancePayload } from '../../../src/model/payload';
import { naiveBill, type Direction } from '../../support/balance/naive-bill';
import { houseOf } from '../../support/balance/random-year';
import { balance, meter, reading } from '../../support/balance/small-house';
import { runFunction } from '../../support/docs/example-functions';

const hourMs = 3_600_000;

type House = ReturnType<typeof houseOf>;

/** Completely measured years: a single day knows less of a gap than the year. */
const years = Array.from({ length: 5 }, (_, index) => 2013 + 4 * index);

interface Field {
  readonly name: string;
  readonly value: string;
  readonly flaw: string;
}

interface Card {
  readonly name: string;
  readonly value: string;
  readonly more: readonly string[];
}

interface Page {
  readonly kept: number;
  readonly all: number;
  readonly told: readonly string[];
  readonly fields: readonly Field[];
  readonly cards: readonly Card[];
  readonly note: string;
}

/** The flow of the example, at five in the morning after the year is over. */
class Flow {
  private readonly context = new Map<string, unknown>();
  private readonly now: number;

  constructor(
    year: number,
    private readonly lang = 'en',
  ) {
    this.now = Date.UTC(year + 1, 0, 1, 5);
  }

  /** The range of the request to the balance node. */
  ask(): { from: string; to: string } | null {
    const [request] = this.run('ask') as [{ from: string; to: string } | null];
    return request;
  }

  keep(payload: BalancePayload, parts = { index: 0, count: 1 }): void {
    this.run('keep', { payload, parts });
  }

  enter(prices: Readonly<Record<string, string>>): void {
    this.page(prices);
  }

  fail(message: string): void {
    this.run('failed', { error: { message } });
  }

  page(entered?: object): Page {
    const asked = entered === undefined ? {} : { payload: entered };
    const message = ['sums', 'bill', 'texts', 'cards'].reduce<object>((msg, id) => this.run(id, msg) as object, asked);
    return (message as { payload: Page }).payload;
  }

  private run(id: string, message: object = {}): unknown {
    return runFunction('what-2027-costs', `cemm-2027-${id}`, message, {
      env: { lang: this.lang },
      flow: this.context,
      now: this.now,
    });
  }
}

function valueOf({ cards }: Page, name: string): string {
  return cards.find((card) => card.name === name)?.value ?? 'no such card';
}

/** The balance of each day, as sent by the node. */
function daysOf({ days, taken, given }: House, hasTariffs = true, hasGas = false): BalancePayload[] {
  let first = 0;
  return days.map((day, index) => {
    const from = first;
    first += (day.end - day.start) / hourMs;
    const shape = ({ hours }: Direction) =>
      shapeOf(
        hours.slice(from, first).map((wh, hour) => {
          const start = day.start + hour * hourMs;
          return { start, end: start + hourMs, amount: Number(wh) * 60_000, known: hourMs };
        }),
      );
    const readings = [index, index + 1].flatMap((border) =>
      (['import', 'export'] as const).flatMap((name) => {
        const { counters, low, high } = name === 'import' ? taken : given;
        const at = border === index ? day.start : day.end;
        const kwh = (wh: bigint | null | undefined) => Number(wh) / 1000;
        const tariffs = [reading(`${name}_t1`, at, kwh(low[border])), reading(`${name}_t2`, at, kwh(high[border]))];
        return [reading(name, at, kwh(counters[border])), ...(hasTariffs ? tariffs : [])];
      }),
    );
    // The smart meter has the reading of the gas meter, but not its hours.
    const gas = hasGas ? [reading('gas', day.start, 1000 + index), reading('gas', day.end, 1001 + index)] : [];
    return balance(day.label, [
      meter('p1', 'grid', { readings: [...readings, ...gas], shapes: { import: shape(taken), export: shape(given) } }),
    ]);
  });
}

function euros(amount: number | null): string {
  return new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'EUR' }).format(amount ?? NaN);
}

function labels(days: readonly Period[]): string[] {
  return days.map(({ label }) => label);
}

describe('the example what-2027-costs', function () {
  this.timeout(60_000);

  it('computes five years with netting and without to the cent of the naive program', () => {
    for (const [index, year] of years.entries()) {
      const { taken, given, ...rest } = houseOf(year);
      // Every second house exports more than it imports.
      const house = index % 2 === 0 ? { taken, given, ...rest } : { taken: given, given: taken, ...rest };
      const flow = new Flow(year);
      should(flow.ask()).eql({ from: labels(house.days)[0], to: labels(house.days).at(-1) });
      flow.enter({ buy: '0,23871', sell: ' 0.0515', fixed: '1,0437' });
      for (const payload of daysOf(house)) flow.keep(payload);
      const page = flow.page();
      const prices = { import: { fixed: '0.23871' }, export: { fixed: '0.0515' }, perDay: '1.0437' };
      const bill = naiveBill(house.lengths, house.taken, house.given, prices);
      valueOf(page, 'Bill without netting (2027)').should.equal(euros(bill.total), String(year));
      valueOf(page, 'Bill with netting (until 2026)').should.equal(euros(bill.netted), String(year));
      valueOf(page, 'Difference').should.equal(euros((bill.total ?? NaN) - (bill.netted ?? NaN)), String(year));
      page.cards
        .map(({ more }) => more.at(-1))
        .slice(0, 3)
        .should.eql(Array(3).fill('100% of the year was measured'));
      page.note.should.containEql('per tariff.');
    }
  });

  it('nets without tariffs where the days have none, and says so', () => {
    const house = houseOf(2025);
    const flow = new Flow(2025);
    flow.ask();
    flow.enter({ buy: '0.3', sell: '0.1', fixed: '0' });
    for (const payload of daysOf(house, false)) flow.keep(payload);
    const asOne = (direction: Direction): Direction => ({
      ...direction,
      low: direction.counters.map((wh) => wh ?? 0n),
      high: direction.counters.map(() => 0n),
    });
    const prices = { import: { fixed: '0.3' }, export: { fixed: '0.1' }, perDay: '0' };
    const bill = naiveBill(house.lengths, asOne(house.taken), asOne(house.given), prices);
    const page = flow.page();
    valueOf(page, 'Bill with netting (until 2026)').should.equal(euros(bill.netted));
    page.note.should.containEql('without tariffs');
  });

  it('says what it is worth to move one kWh a day to the noon of the house', () => {
    const house = houseOf(2027);
    const flow = new Flow(2027);
    flow.ask();
    flow.enter({ buy: '0.3', sell: '0.1' });
    const days = daysOf(house);
    for (const payload of days) flow.keep(payload);
    const moved = days.map(({ points = [] }) => {
      // A day of the house has 23, 24 or 25 hours, and its noon is twelve hours before its end.
      const noon = points.length - 12;
      const sum = (field: string, isCounted: (index: number) => boolean) =>
        points.reduce((total, point, index) => total + (isCounted(index) ? Number(point[field]) : 0), 0);
      const isNoon = (index: number) => index === noon || index === noon + 1;
      return Math.min(
        1,
        sum('energy_export_kwh', isNoon),
        sum('energy_import_kwh', (index) => !isNoon(index)),
      );
    });
    const kwh = moved.reduce((total, one) => total + one, 0);
    valueOf(flow.page(), 'One kWh a day moved to noon saves').should.equal(euros(kwh * 0.2));
  });

  it('knows the worth of the noon of a house whose gas has no hours', () => {
    const worth = (hasGas: boolean) => {
      const flow = new Flow(2027);
      flow.ask();
      flow.enter({ buy: '0.3', sell: '0.1' });
      for (const payload of daysOf(houseOf(2027), true, hasGas)) flow.keep(payload);
      return valueOf(flow.page(), 'One kWh a day moved to noon saves');
    };
    should(worth(true)).equal(worth(false));
    should(worth(true)).not.equal(euros(0));
  });

  it('shows no negative zero and no percentage below 0 where an inverter took more than it gave', () => {
    const flow = new Flow(2025);
    flow.ask();
    const [day] = daysOf(houseOf(2025));
    if (day === undefined) throw new Error('no day');
    const values = { ...day.values, energy_production_kwh: 0.2, energy_self_consumed_kwh: -0.1 };
    flow.keep({ ...day, values, coverage: { ...day.coverage, energy_self_consumed_kwh: 1 } });
    const [, , , own] = flow.page().cards;
    should(own).containDeep({ value: '0%', more: ['0 / 0 kWh'] });
  });

  it('shows a dash for what is not known, and how much of the year was measured', () => {
    const house = houseOf(2025);
    const flow = new Flow(2025);
    flow
      .page()
      .cards.map(({ value }) => value)
      .should.eql(Array(6).fill('–'));
    flow.ask();
    flow
      .page()
      .cards.map(({ more }) => more.at(-1))
      .should.eql(Array(6).fill('0% of the year was measured'));
    const days = daysOf(house);
    days.slice(0, 73).forEach((payload, index) => {
      flow.keep(payload, { index, count: 365 });
    });
    const page = flow.page();
    should([page.kept, page.all]).eql([73, 365]);
    page.told.should.eql(['73 of 365 days are read']);
    should(page.cards[0]?.more).eql(['20% of the year was measured']);
    // A house without solar panels and without measured quarters.
    should(page.cards[3]?.value).equal('–');
    should(page.cards[5]).eql({
      name: 'Highest quarter of an hour',
      value: '–',
      more: ['0% of the year was measured'],
    });
    const [last] = days.slice(73, 74);
    if (last === undefined) throw new Error('no day');
    const peak = {
      power_w: 4321,
      start: Date.parse('2025-03-15T18:15:00+01:00'),
      end: Date.parse('2025-03-15T18:30:00+01:00'),
    };
    const values = { ...last.values, energy_production_kwh: 8, energy_self_consumed_kwh: 2 };
    flow.keep({ ...last, peak, values, coverage: { ...last.coverage, energy_self_consumed_kwh: 1 } });
    const [, , , own, , quarter] = flow.page().cards;
    should(own).containDeep({ value: '25%', more: ['2 / 8 kWh', '0% of the year was measured'] });
    should(quarter).containDeep({ value: '4.32 kW', more: ['15 March 2025 at 18:15'] });
  });

  it('asks for a day once, for nothing while it waits, and again for days whose meter did not answer', () => {
    const house = houseOf(2025);
    const days = daysOf(house);
    const flow = new Flow(2025);
    should(flow.ask()).eql({ from: '2025-01-01', to: '2025-12-31' });
    should(flow.ask()).be.null();
    days.slice(0, 100).forEach((payload, index) => {
      flow.keep(payload, { index, count: 365 });
    });
    flow.fail('The monitor does not answer.');
    flow
      .page()
      .told.should.eql([
        '100 of 365 days are read',
        'No answer; asked again within the hour: The monitor does not answer.',
      ]);
    should(flow.ask()).eql({ from: '2025-04-11', to: '2025-12-31' });
    days.slice(100).forEach((payload, index) => {
      const isAway = index === 40;
      const missing = { energy_import_kwh: 'not_readable' as const };
      flow.keep(isAway ? { ...payload, missing } : payload, { index, count: 265 });
    });
    flow.page().told.should.eql(['364 of 365 days are read']);
    should(flow.ask()).eql({ from: '2025-05-21', to: '2025-05-21' });
    const [, asked] = [flow.ask(), days[140]];
    if (asked !== undefined) flow.keep(asked);
    should(flow.ask()).be.null();
    flow.page().told.should.eql([]);
  });

  for (const nonsense of ['', 'a lot', 'NaN', '25', '0,2,5', '1e-1', '€ 0.25', '--1']) {
    it(`says what a price is to somebody who enters “${nonsense}”`, () => {
      const flow = new Flow(2025, 'nl');
      flow.ask();
      for (const payload of daysOf(houseOf(2025)).slice(0, 3)) flow.keep(payload);
      flow.enter({ buy: nonsense });
      const page = flow.page();
      page.fields.map(({ flaw }) => flaw).should.eql(['Vul een getal van -5 tot 5 in, zoals 0,25.', '', '']);
      should(page.fields[0]?.value).equal(nonsense);
      page.cards
        .slice(0, 3)
        .map(({ value }) => value)
        .should.eql(['–', '–', '–']);
      JSON.stringify([page.cards, page.note]).should.not.match(/NaN|undefined|null/);
      flow.enter({ buy: '-0,01' });
      valueOf(flow.page(), 'Verschil').should.match(/^€\s-?\d/);
    });
  }
});

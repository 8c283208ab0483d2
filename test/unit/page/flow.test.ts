/** The flow of the view Now: what is drawn of powers. */
import should from 'should';
import { flowOf } from '../../../nodes/cemm-page/page/draw/flow';
import { pathsBetween } from '../../../nodes/cemm-page/page/draw/paths';
import type { Flow } from '../../../nodes/cemm-page/page/draw/pictures';
import { computeHouseSums } from '../../../src/balance/period/energies';
import { smallest } from '../../../src/checks/extremes';
import type { BalancePayload } from '../../../src/model/payload';
import { Random } from '../../support/random';
import { balanceWith, sheetAt } from '../../support/page/sheet';

const sheet = sheetAt(Date.parse('2026-10-27T13:40:00+01:00'));

function drawnWith(values: BalancePayload['values'], parts: Partial<BalancePayload> = {}): Flow {
  return flowOf(sheet, balanceWith({ values, ...parts }));
}

const sunny = { power_import_w: 0, power_export_w: 754, power_production_w: 2861, power_house_w: 2107 };

function textsOf({ nodes }: Flow): Record<string, string> {
  return Object.fromEntries(nodes.map(({ key, text }) => [key, text]));
}

describe('the flow of now', () => {
  it('shows sources and house, which add up as they are printed', () => {
    const flow = drawnWith(sunny);
    textsOf(flow).should.eql({ sun: '2.86\u00a0kW', grid: '750\u00a0W' });
    should([flow.house.text, flow.house.unit]).eql(['2.11', 'kW']);
    flow.ring.should.eql([{ colour: 'production', from: 0, share: 100 }]);
  });

  it('shows whole watts below 1 kW', () => {
    const flow = drawnWith({ power_import_w: 423.4, power_export_w: 0, power_house_w: 423.4 });
    textsOf(flow).should.eql({ grid: '423\u00a0W' });
    flow.nodes.map(({ name }) => name).should.eql(['from the grid']);
  });

  it('draws a path for each flow, and a thin line where nothing flows', () => {
    const { paths } = drawnWith(sunny);
    paths
      .map(({ colour, width }) => [colour, width > 0])
      .should.eql([
        ['production', true],
        ['export', true],
        ['import', false],
      ]);
    paths.filter(({ width }) => width > 16).should.eql([]);
  });

  it('moves faster and is wider with more power', () => {
    const [small, large] = [100, 3000].map(
      (watt) => drawnWith({ power_import_w: watt, power_export_w: 0, power_house_w: watt }).paths[0],
    );
    should(small?.seconds).be.above(large?.seconds ?? 0);
    should(small?.width).be.below(large?.width ?? 0);
  });

  it('divides the ring by what feeds the house', () => {
    const { ring } = drawnWith({
      power_import_w: 580,
      power_export_w: 0,
      power_production_w: 340,
      power_battery_w: 1200,
      power_house_w: 2120,
    });
    ring
      .map(({ colour, share }) => [colour, Math.round(share)])
      .should.eql([
        ['production', 16],
        ['battery', 57],
        ['import', 27],
      ]);
  });

  it('has no ring and no path of what is not known', () => {
    const flow = drawnWith({
      power_import_w: null,
      power_export_w: null,
      power_production_w: 500,
      power_house_w: null,
    });
    flow.ring.should.eql([]);
    flow.paths.every(({ width }) => width === 0).should.equal(true);
    textsOf(flow).should.eql({ sun: '500\u00a0W', grid: '–' });
    flow.house.text.should.equal('–');
  });

  it('shows the two largest devices and the rest, which is a dash while a smaller one is not known', () => {
    const device = (name: string, power_w: number | null, within?: string) => ({
      meter: name,
      name,
      power_w,
      coverage: 1,
      ...(within !== undefined && { within }),
    });
    const values = { power_import_w: 2110, power_export_w: 0, power_house_w: 2110, power_other_w: 250 };
    const devices = [
      device('Boiler', 60),
      device('Car', 1380),
      device('Heat pump', 420),
      device('Fan', 90, 'Heat pump'),
    ];
    const flow = drawnWith(values, { devices });
    flow.nodes
      .slice(1)
      .map(({ name, text }) => [name, text])
      .should.eql([
        ['Car', '1.38\u00a0kW'],
        ['Heat pump', '420\u00a0W'],
        ['Rest', '310\u00a0W'],
      ]);
    const unknown = drawnWith(values, {
      devices: [device('Boiler', null), device('Car', 1380), device('Heat pump', 420)],
    });
    textsOf(unknown)['rest']?.should.equal('–');
  });

  it('draws the path between battery and grid only while it is used', () => {
    const idle = drawnWith({
      power_import_w: 0,
      power_export_w: 0,
      power_production_w: 900,
      power_battery_w: -400,
      power_house_w: 500,
    });
    idle.paths.length.should.equal(5);
    const charging = drawnWith({
      power_import_w: 2500,
      power_export_w: 0,
      power_production_w: 0,
      power_battery_w: -2000,
      power_house_w: 500,
    });
    charging.paths
      .filter(({ width }) => width > 0)
      .map(({ colour }) => colour)
      .should.eql(['import', 'battery']);
  });

  it('speaks of all numbers to a screen reader', () => {
    drawnWith(sunny).label.should.equal('House 2.11\u00a0kW. Sun 2.86\u00a0kW. to the grid 750\u00a0W');
  });
});

describe('paths of power', () => {
  it('give the sun to the grid what the balance gives, and add up for 2,000 random houses', () => {
    const random = new Random(48);
    for (let count = 0; count < 2000; count++) {
      const sun = Math.round(5000 * random.next());
      const battery = Math.round(6000 * (random.next() - 0.5));
      const house = Math.round(4000 * random.next());
      const net = house - sun - battery;
      const [taken, given] = [Math.max(0, net), Math.max(0, -net)];
      const paths = pathsBetween({ taken, given, sun, battery });
      const sums = computeHouseSums({
        import: taken,
        export: given,
        production: sun,
        battery: { charged: Math.max(0, -battery), discharged: Math.max(0, battery) },
      });
      const near = (one: number, other: number): void => {
        one.should.be.approximately(other, 1e-6, JSON.stringify({ taken, given, sun, battery }));
      };
      near(sun - paths.sunToGrid, sums.selfConsumed ?? NaN);
      near(paths.sunToHouse + paths.batteryToHouse + paths.gridToHouse, house);
      near(paths.sunToGrid + paths.batteryToGrid, given);
      near(paths.sunToBattery + paths.gridToBattery, Math.max(0, -battery));
      smallest(Object.values<number>({ ...paths })).should.be.aboveOrEqual(-1e-9);
    }
  });
});

/** Faults of the simulated house: its powers, registers and series change together, and return when the fault ends. */
import should from 'should';
import type { FaultName } from '../../../src/simulator/faults';
import type { Minute } from '../../../src/simulator/household';
import type { Registers } from '../../../src/simulator/register-sums';
import { startSimulator } from '../../../src/simulator/start-simulator';
import type { Simulator } from '../../../src/simulator/simulator';
import { minuteMs, dayMs, millis, type Millis } from '../../../src/time/units';
import { momentOf, settableClock } from '../../support/simulator/requests';

describe('simulator: faults of the house', () => {
  const clock = settableClock('2026-06-15T18:20:00+02:00');
  const noon = momentOf('2026-06-15T12:00:00+02:00');
  let simulator: Simulator;

  before(async () => {
    simulator = await startSimulator({ clock, seed: 5, since: momentOf('2026-05-01T12:00:00+02:00') });
  });
  afterEach(() => {
    simulator.faults.clear();
  });
  after(() => simulator.close());

  function household() {
    const [monitor] = simulator.monitors;
    if (monitor === undefined) throw new Error('no monitor');
    return monitor.household;
  }

  /** Without and with the fault. */
  function both<T>(fault: FaultName, look: () => T): readonly [healthy: T, faulty: T] {
    const healthy = look();
    simulator.faults.add(fault);
    const faulty = look();
    simulator.faults.delete(fault);
    should(look()).eql(healthy);
    return [healthy, faulty];
  }

  function minuteOf(iso: string): Minute {
    return household().minute(momentOf(iso));
  }

  function used(from: Millis, to: Millis, reading: (registers: Registers) => number): number {
    return reading(household().registers(to)) - reading(household().registers(from));
  }

  it('water-leak: 0.3 litres in every minute, in the register as well', () => {
    const night = momentOf('2026-06-15T03:00:00+02:00');
    const [healthy, faulty] = both('water-leak', () => [
      household().minute(night).waterL,
      used(night, millis(night + 60 * minuteMs), ({ waterM3 }) => waterM3),
    ]);
    healthy.should.eql([0, 0]);
    should(faulty[0]).equal(0.3);
    should(faulty[1]).be.approximately(0.018, 1e-9);
  });

  it('rising-standby: 12 W more in each week, in power and energy', () => {
    for (const [week, moment] of [0, 1, 5].map((number) => [number, millis(household().since + number * 7 * dayMs)])) {
      const [healthy, faulty] = both('rising-standby', () => household().minute(millis(Number(moment))).gridW);
      should(faulty - healthy).equal(12 * Number(week));
    }
    const from = millis(household().since + 7 * dayMs);
    const net = (r: Registers) => r.importT1Kwh + r.importT2Kwh - r.exportT1Kwh - r.exportT2Kwh;
    const [healthy, faulty] = both('rising-standby', () => used(from, millis(from + dayMs), net));
    should(faulty - healthy).be.approximately(0.288, 1e-9);
  });

  it('no-sun: no production on the current day, the days before as they were', () => {
    const production = (r: Registers) => r.solarT1Kwh + r.solarT2Kwh + r.garageT1Kwh + r.garageT2Kwh;
    const [healthy, faulty] = both('no-sun', () => {
      const { solarW, garageW, gridW, homeW } = household().step(noon);
      should(gridW).equal(homeW - solarW - garageW);
      return { now: solarW + garageW, today: used(millis(noon - 60 * minuteMs), noon, production) };
    });
    healthy.now.should.be.above(1000);
    faulty.should.eql({ now: 0, today: 0 });
    const yesterday = (): number => household().minute(millis(noon - dayMs)).solarW;
    both('no-sun', yesterday).should.eql([yesterday(), yesterday()]);
  });

  it('overload: 12 kW from 18:00 to 18:15', () => {
    const powers = ['17:59', '18:00', '18:14', '18:15'].map((time) => `2026-06-15T${time}:00+02:00`);
    const [healthy, faulty] = both('overload', () => powers.map((time) => minuteOf(time).gridW));
    faulty.map((watt, index) => watt - (healthy[index] ?? NaN)).should.eql([0, 12_000, 12_000, 0]);
  });
});

/** The identities of simulated monitors (src/simulator/identity.ts). */
import should from 'should';
import { millis } from '../../../src/time/units';
import { createMonitors, monitorIdOf } from '../../../src/simulator/identity';
import { houses } from '../../../src/simulator/houses';

const now = millis(Date.parse('2026-06-15T19:00:00+02:00'));

describe('the simulated monitors', () => {
  it('BA28: have addresses and numbers of their own in each house, with each seed', () => {
    const all = [1, 2, 3].flatMap((seed) =>
      Object.values(houses).flatMap((house) => createMonitors({ seed, house, now, count: 2 })),
    );
    should(new Set(all.map(monitorIdOf)).size).equal(all.length);
    // The days of another zone are others.
    const zones = [undefined, 'Europe/Lisbon', 'Australia/Sydney'];
    const inZones = zones.flatMap((timezone) =>
      createMonitors({ seed: 1, house: houses.leak, now, count: 1, ...(timezone !== undefined && { timezone }) }),
    );
    should(new Set(inZones.map(monitorIdOf)).size).equal(zones.length);
    const [named] = createMonitors({ seed: 1, house: houses.leak, now, count: 1, timezone: 'Europe/Amsterdam' });
    should(named?.mac).equal(inZones[0]?.mac);
    // The remote service and the local monitor of one house are one monitor.
    const [one] = createMonitors({ seed: 1, house: houses.leak, now, count: 1 });
    const [other] = createMonitors({ seed: 1, house: houses.leak, now, count: 1 });
    should(one?.mac).equal(other?.mac);
    should(one?.cemm).equal(other?.cemm);
  });
});

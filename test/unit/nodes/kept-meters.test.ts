/** The meters of a CEMM 3.0 by webhook after a restart, before its first delivery: in the dialog and in the balance. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import should from 'should';
import { deliveredEntries } from '../../../nodes/cemm-connection/find-meters';
import { withKeptMeters } from '../../../nodes/cemm-connection/kept-meters';
import { balanceOfHouse, Houses } from '../../../src/balance/messages/houses';
import { KeptHouses, type OtherHouses } from '../../../src/balance/messages/kept-houses';
import { everyMeter } from '../../../src/balance/meters/choice';
import { periodContaining } from '../../../src/calendar/periods';
import { systemClock } from '../../../src/time/clock';
import { minuteMs, millis } from '../../../src/time/units';
import { PastDays } from '../../../src/store/past-days';
import { AddedDeliveries } from '../../support/houses/added-deliveries';
import { specifiedBody } from '../../support/houses/specified-webhook';
import { meters, ticked } from '../../support/houses/walked-house';

const timezone = 'Europe/Amsterdam';
const nothing: OtherHouses = {
  names: () => Promise.resolve([]),
  read: () => Promise.resolve(undefined),
  write: () => Promise.resolve(),
  remove: () => Promise.resolve(),
};

describe('the meters of deliveries after a restart', () => {
  let folder: string;
  const open = (): PastDays =>
    new PastDays({ folder, clock: systemClock, onProblem: (problem) => should(problem).be.undefined() });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cemm-meters-'));
    const past = open();
    const kept = new KeptHouses({ past, clock: systemClock, other: nothing });
    const houses = new Houses(kept);
    const now = Math.floor(Date.now() / minuteMs) * minuteMs;
    for (const at of [now - 10 * minuteMs, now - 5 * minuteMs]) {
      await houses.add(new AddedDeliveries().payload(specifiedBody(meters, ticked, at), at), { timezone, now: at });
    }
    await kept.close();
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('are found by the dialog, with their readings', async () => {
    const entries = deliveredEntries(await withKeptMeters([], open()));
    should(entries.map(({ alias }) => alias)).eql(['smartmeter-dsmr', 'zon', 'gas', 'water']);
    should(entries.map(({ monitor }) => monitor)).eql(['', '', '', '']);
    for (const { alias, value } of entries) should(typeof value).equal('number', alias);
  });

  it('are those of new deliveries where both are known', async () => {
    const [kept] = await withKeptMeters([], open());
    if (kept === undefined) throw new Error('There is no meter.');
    const later = { ...kept, values: { energy_import_kwh: 1 } };
    const all = await withKeptMeters([later], open());
    should(all.filter(({ meter }) => meter === later.meter)).eql([later]);
    should(all).have.length(4);
    should(await withKeptMeters([later], null)).eql([later]);
  });

  it('are in the balance', async () => {
    const [house] = await new Houses(new KeptHouses({ past: open(), clock: systemClock, other: nothing })).chosen(null);
    if (house === undefined) throw new Error('There is no house.');
    const period = periodContaining('year', timezone, millis(Date.now()));
    const balance = balanceOfHouse(house, everyMeter, { period, step: 'P1M', prices: null, now: Date.now() });
    should(balance.meters).containEql({
      grid: ['smartmeter-dsmr'],
      production: ['zon'],
      gas: ['gas'],
      water: ['water'],
    });
  });
});

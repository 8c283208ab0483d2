/** The minutes of a day: from what is kept alone. */
import should from 'should';
import type { Balances } from '../../../src/balance/balances';
import { everyMeter } from '../../../src/balance/meters/choice';
import { periodContaining } from '../../../src/calendar/periods';
import { openBalances } from '../../support/clients/in-process';
import type { BalancePayload, BalanceStep } from '../../../src/model/payload';
import { millis } from '../../../src/time/units';
import { PastDays } from '../../../src/store/past-days';
import { SimulatedHouse } from '../../support/houses/simulated-house';
import { KeptInMemory, StillClock } from '../../support/houses/still-clock';

const zone = 'Europe/Amsterdam';
const now = Date.parse('2026-11-03T14:20:00+01:00');
/** The clock went back. */
const day = periodContaining('day', zone, millis(Date.parse('2026-10-25T12:00:00+01:00')));
/** The service does not list the names of the other ones. */
const meters = { ...everyMeter, production: ['s01'], water: [] };
const user = { signal: new AbortController().signal };

class OpenHouse {
  requests = 0;
  private readonly balances: Balances;
  readonly house: SimulatedHouse;

  constructor(transport: 'local' | 'remote') {
    const clock = new StillClock(now);
    this.house = new SimulatedHouse('demo', now, Date.parse('2026-10-20T00:00:00+02:00'), clock);
    const client = this.house.client(transport, clock);
    const past = new PastDays({ folder: null, clock, onProblem: () => undefined });
    const counted = {
      limits: client.limits,
      transport,
      request: (...asked: Parameters<typeof client.request>) => {
        this.requests += /series|totals/.test(asked[0].kind) ? 1 : 0;
        return client.request(...asked);
      },
      close: () => undefined,
    } as typeof client;
    this.balances = openBalances({ client: counted, clock, past }).balances;
  }

  read(step: BalanceStep): Promise<BalancePayload> {
    const target = { monitor: null, meters, prices: null, wantsPeak: false };
    return this.balances.read({ ...target, step, period: day, counters: new KeptInMemory() }, user);
  }
}

describe('the minutes of a day', function () {
  this.timeout(60_000);

  for (const transport of ['local', 'remote'] as const) {
    it(`are not requested: what is not kept is null, with the reason (${transport})`, async () => {
      const open = new OpenHouse(transport);
      const { values, missing, points = [], complete, period } = await open.read('PT1M');
      should(open.requests).equal(0);
      should(period?.step).equal('PT1M');
      should(values['energy_import_kwh']).be.null();
      should(missing['energy_import_kwh']).equal('not_kept');
      should(missing['energy_house_kwh']).equal('not_kept');
      should(complete).be.false();
      should(points.every((point) => point['energy_import_kwh'] === null)).be.true();
    });

    it(`are those of the day that was read, 1,500 where the clock goes back (${transport})`, async () => {
      const open = new OpenHouse(transport);
      const hours = await open.read('PT1H');
      const asked = open.requests;
      const { values, points = [], missing, source } = await open.read('PT1M');
      should(open.requests).equal(asked);
      should(source.requests).equal(0);
      should(points).have.length(1_500);
      for (const field of ['energy_import_kwh', 'energy_production_kwh', 'energy_house_kwh']) {
        const sum = points.reduce((all, point) => all + Number(point[field]), 0);
        should(sum).be.above(1, field);
        should(sum).be.approximately(Number(values[field]), 1e-6, field);
        should(sum).be.approximately(Number(hours.values[field]), 0.05 + 0.01 * sum, field);
      }
      should(Object.entries(missing).filter(([, reason]) => reason === 'not_kept')).eql([]);
      const from = day.start + 12 * 3_600_000;
      const net = points.find(({ ts }) => ts === from)?.['energy_net_kwh'];
      const flowed = (flow: 'import' | 'export'): number => open.house.flowed(flow, from, from + 60_000) ?? NaN;
      should(net).be.approximately(flowed('import') - flowed('export'), 0.001);
    });
  }
});

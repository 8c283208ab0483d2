/** The first year that somebody sees: of the demo monitor, while it is read. */
import should from 'should';
import type { BalancePayload } from '../../../src/model/payload';
import { Flow, type Received, unload, watched } from '../../support/flow/flow';
import { until } from '../../support/until';

function payloadOf(message: Received | undefined): BalancePayload {
  return message?.payload as BalancePayload;
}

describe('a question about the year of the demo monitor', function () {
  this.timeout(180_000);
  afterEach(unload);

  it('is answered at once, and then as it grows, up to its sums', async () => {
    const balance = { id: 'balance', type: 'cemm-balance', connection: 'connection', interval: 0 };
    const demo = { id: 'connection', type: 'cemm-connection', mode: 'demo' };
    const flow = await Flow.load([demo, ...watched(balance)]);
    flow.send('balance', { payload: { balance: 'year', progress: true, question: 'year' } });
    const isDone = (message: Received): boolean => {
      const { progress } = payloadOf(message);
      return progress !== undefined && progress.done === progress.all;
    };
    const last = payloadOf(await until('the whole year', () => flow.at('out').find(isDone), 150_000));
    const [first] = flow.at('out').map(payloadOf);
    should(first?.progress).containEql({ done: 0, unit: 'day' });
    should(first?.complete).be.false();
    should(last.question).equal('year');
    // The monitor's own sums are there before all days.
    const early = flow
      .at('out')
      .map(payloadOf)
      .filter(({ coverage }) => (coverage['energy_import_kwh'] ?? 1) < 1);
    for (const field of ['energy_net_kwh', 'energy_production_kwh']) {
      const ofYear = early.filter(({ coverage }) => coverage[field] === 1).map(({ values }) => Number(values[field]));
      should(ofYear.length).be.above(0, field);
      should(ofYear[0]).be.approximately(Number(last.values[field]), 1, field);
    }
    for (const field of ['energy_import_kwh', 'energy_export_kwh', 'energy_production_kwh', 'energy_house_kwh']) {
      should(last.coverage[field]).be.aboveOrEqual(0.999, field);
    }
    should(last.missing).eql({});
    const months = (last.points ?? []).map((point) => Number(point['energy_import_kwh']));
    for (const month of months) should(month).be.above(0);
    const sum = months.reduce((total, kwh) => total + kwh, 0);
    should(last.values['energy_import_kwh']).be.approximately(sum, 1e-6);
    // A monitor has no past readings, and adds up gas and water by itself.
    for (const field of ['gas_m3', 'water_m3']) {
      const volume = (last.points ?? []).reduce((total, point) => total + Number(point[field]), 0);
      should(last.values[field]).be.above(1).and.approximately(volume, 1e-6);
      should(last.coverage[field]).be.aboveOrEqual(0.999, field);
      should(last.method[field]).equal('minutes', field);
    }
    // A second time it is all kept: one message with everything, and the last one.
    const before = flow.at('out').length;
    flow.send('balance', { payload: { balance: 'year', progress: true, question: 'again' } });
    const again = payloadOf((await flow.next('out', before + 1))[before]);
    // The running day is never final.
    should(again.progress?.done).equal(Number(again.progress?.all) - 1);
    should(again.source.requests).equal(0);
  });
});

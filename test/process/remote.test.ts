/** Remote connections in a whole Node-RED: every response after a promise, ranges, new samples, refusals. */
import should from 'should';
import type { RealtimePayload, SeriesPayload, TotalsPayload } from '../../src/model/payload';
import { flowPerTest } from '../support/node-red/flow-per-test';
import { dayMs, millis } from '../../src/time/units';
import {
  asking,
  errorOf,
  localConnection,
  remoteConnection,
  statusTexts,
  trigger,
} from '../support/node-red/remote-flow';

const promiseMs = 400;

describe('remote connections', function () {
  this.timeout(180_000);
  const { simulate, deploy, fire, next, soFar } = flowPerTest(() => ({
    since: millis(Date.now() - 40 * dayMs),
    promiseMs,
  }));

  function label(daysAgo: number): string {
    return new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Amsterdam' }).format(Date.now() - daysAgo * dayMs);
  }

  it('realtime, totals and a series come behind their promises', async () => {
    const simulator = await simulate();
    await deploy([
      remoteConnection(simulator),
      asking('realtime', 'now'),
      asking('totals', 'yesterday', { dateType: 'previous' }),
      asking('series', 'day', { dateType: 'previous' }),
      trigger('go', ['now', 'yesterday', 'day'], { kept: ['mine', 'str'] }),
    ]);
    await fire('go');
    const messages = await next('out', 3);
    const byKind = new Map(
      messages.map((message) => {
        const payload = message.payload as RealtimePayload | TotalsPayload | SeriesPayload;
        payload.source.transport.should.equal('remote');
        payload.source.promises.should.be.aboveOrEqual(1);
        payload.source.requests.should.be.above(payload.source.promises);
        payload.source.latencyMs.should.be.aboveOrEqual(promiseMs);
        should(message['kept']).equal('mine');
        return [payload.kind, payload] as const;
      }),
    );
    const now = byKind.get('realtime') as RealtimePayload;
    should(now.values.power_w).be.a.Number();
    const totals = byKind.get('totals') as TotalsPayload;
    totals.period.should.containEql({ label: label(1), final: true });
    should(totals.values.energy_import_kwh).be.a.Number();
    const series = byKind.get('series') as SeriesPayload;
    series.period.label.should.equal(label(1));
    series.complete.should.be.true();
    (await next('completed', 3)).should.have.length(3);
    (await soFar('caught')).should.be.empty();
  });

  it('a range comes in order with parts and progress, and never has more than two requests in flight', async () => {
    const open = new Set<unknown>();
    let most = 0;
    const simulator = await simulate({
      log: ({ path, status }) => {
        if (!String(path).includes('/data/day/')) return;
        if (status === 202) open.add(path);
        else open.delete(path);
        most = Math.max(most, open.size);
      },
    });
    const from = { from: label(4), fromType: 'str', to: 'until', toType: 'msg' };
    await deploy([
      remoteConnection(simulator),
      asking('series', 'range', { span: 'range', ...from }),
      trigger('go', ['range'], { until: [label(0), 'str'] }),
    ]);
    await fire('go');
    const messages = await next('out', 5);
    messages
      .map(({ payload }) => (payload as SeriesPayload).period.label)
      .should.eql([4, 3, 2, 1, 0].map((days) => label(days)));
    const parts = messages.map((message) => message['parts'] as { id: string; index: number; count: number });
    parts.map(({ index, count }) => [index, count]).should.eql([0, 1, 2, 3, 4].map((index) => [index, 5]));
    new Set(parts.map(({ id }) => id)).size.should.equal(1);
    await next('completed');
    most.should.equal(2);
    const texts = statusTexts(await soFar('statuses'));
    texts.some((text) => /^[1-4] \/ 5$/.test(text)).should.be.true(texts.join(', '));
  });

  it('msg.stop ends a range at once: nothing comes after it, and the node works on', async () => {
    const simulator = await simulate();
    const range = { span: 'range', from: label(30), fromType: 'str', toType: 'current' };
    await deploy([
      remoteConnection(simulator),
      asking('series', 'range', range),
      asking('series', 'other', { dateType: 'previous' }),
      trigger('go', ['range']),
      trigger('halt', ['range'], { stop: ['true', 'bool'] }),
      trigger('on', ['other']),
    ]);
    await fire('go');
    await next('out');
    await fire('halt');
    const [caught] = await next('caught');
    errorOf(caught).code.should.equal('CANCELLED');
    const count = (await soFar('out')).length;
    // A complete request of another node later, nothing more has arrived.
    await fire('on');
    await next('out', count + 1);
    const labels = (await soFar('out')).map(({ payload }) => (payload as SeriesPayload).period.label);
    labels.slice(0, count).should.eql(labels.slice(0, count).map((_, index) => label(30 - index)));
    labels.should.have.length(count + 1);
    count.should.be.below(31);
  });

  it('span new sends from since on, nothing twice, and says so', async () => {
    const simulator = await simulate({ promiseMs: 200 });
    const since = Math.floor(Date.now() / 60_000) * 60_000 - dayMs;
    await deploy([
      remoteConnection(simulator),
      asking('series', 'new', { span: 'new' }),
      trigger('go', ['new'], { since: [String(since), 'num'] }),
    ]);
    await fire('go');
    await next('completed', 1);
    await fire('go');
    await next('completed', 2);
    const moments = (await soFar('out')).flatMap(({ payload }) =>
      (payload as SeriesPayload).points.map(({ ts }) => ts),
    );
    moments.length.should.be.aboveOrEqual(dayMs / 60_000 - 5);
    moments.should.eql(moments.map((_, index) => since + index * 60_000));
  });

  it('several monitors on the key without a choice: INPUT, which lists them; with a choice it answers', async () => {
    const simulator = await simulate({ monitors: 2, promiseMs: 0 });
    const macs = simulator.monitors.map(({ mac }) => mac);
    await deploy([
      remoteConnection(simulator),
      ...(['realtime', 'series', 'totals'] as const).map((kind) => asking(kind, kind)),
      asking('realtime', 'chosen', { monitor: macs[1]?.toLowerCase() }),
      trigger('go', ['realtime', 'series', 'totals']),
      trigger('choose', ['chosen']),
    ]);
    await fire('go');
    const caught = await next('caught', 3);
    for (const message of caught) {
      const { code, message: sentence } = errorOf(message);
      code.should.equal('INPUT');
      for (const mac of macs) sentence.should.containEql(mac);
    }
    (await soFar('out')).should.be.empty();
    await fire('choose');
    const [answer] = await next('out');
    should((answer?.payload as RealtimePayload).monitor.id).equal(macs[1]?.replaceAll(':', '').toLowerCase());
  });

  it('totals of a local connection: the current day, and UNSUPPORTED with the reason for another', async () => {
    const simulator = await simulate();
    await deploy([
      localConnection(simulator),
      asking('totals', 'today', { connection: 'local-connection', dateType: 'current' }),
      asking('totals', 'yesterday', { connection: 'local-connection', dateType: 'previous' }),
      trigger('go', ['today', 'yesterday']),
    ]);
    await fire('go');
    const [answer] = await next('out');
    const totals = answer?.payload as TotalsPayload;
    totals.period.should.containEql({ label: label(0), final: false });
    should(totals.values.energy_import_t1_kwh).be.a.Number();
    const [caught] = await next('caught');
    const { code, message } = errorOf(caught);
    code.should.equal('UNSUPPORTED');
    message.should.match(/current day|today/);
    (await soFar('out')).should.have.length(1);
  });
});

/** Jobs: the message contains monitor, meter, period and day, so any of several Node-REDs can serve it. */
import should from 'should';
import type { Payload } from '../../src/model/payload';
import { Flow, unload, watched, type FlowNode } from '../support/flow/flow';
import { endSimulators, remoteConnection, remoteCredentials, simulate } from '../support/flow/simulated';

const fromJob = {
  connection: 'connection',
  interval: 0,
  monitor: 'payload.monitor',
  monitorType: 'msg',
  alias: 'payload.alias',
  aliasType: 'msg',
};
const realtime: FlowNode = { id: 'query', type: 'cemm-realtime', ...fromJob };
const dated = { date: 'payload.date', dateType: 'msg' };
const series: FlowNode = {
  id: 'query',
  type: 'cemm-series',
  period: 'payload.period',
  periodType: 'msg',
  span: 'one',
  ...dated,
  ...fromJob,
};
const totals: FlowNode = { id: 'query', type: 'cemm-totals', ...dated, ...fromJob };

const yesterday = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Amsterdam' }).format(Date.now() - 86_400_000);

describe('jobs in messages', function () {
  this.timeout(120_000);
  afterEach(async () => {
    await unload();
    await endSimulators();
  });

  async function start(query: FlowNode, connection: object = {}) {
    const simulator = await simulate({ monitors: 3 });
    const flow = await Flow.load([remoteConnection(simulator, connection), ...watched(query)], {
      credentials: remoteCredentials,
    });
    const ids = simulator.monitors.map(({ mac }) => mac.replaceAll(':', '').toLowerCase());
    return { simulator, flow, ids };
  }

  async function answered(flow: Flow, count: number): Promise<Payload[]> {
    await flow.next('completed', count);
    flow.at('errors').should.have.length(0);
    return flow.at('out').map(({ payload }) => payload as Payload);
  }

  it('realtime: each message is answered for its own monitor and meter, and keeps what else it carries', async () => {
    const { flow, ids } = await start(realtime);
    for (const monitor of ids) flow.send('query', { payload: { monitor, alias: 'p1' }, job: monitor });
    flow.send('query', { payload: { monitor: ids[1], alias: 's01' }, job: 's01' });
    const payloads = await answered(flow, 4);
    payloads
      .map((payload) => `${String(payload.monitor.id)} ${'meter' in payload ? payload.meter.alias : ''}`)
      .sort()
      .should.eql([...ids.map((id) => `${id} p1`), `${String(ids[1])} s01`].sort());
    for (const { job, payload } of flow.at('out')) {
      const { monitor, meter } = payload as { monitor: { id: string }; meter: { alias: string } };
      [monitor.id, meter.alias].should.containEql(job);
    }
  });

  it('series: day, month and year, and the day that is meant, come from the message', async () => {
    const { flow, ids } = await start(series);
    const job = (period: string, date: string) => ({ payload: { monitor: ids[2], alias: 'p1', period, date } });
    flow.send('query', job('day', yesterday));
    flow.send('query', job(' month ', yesterday));
    flow.send('query', job('year', yesterday));
    const payloads = await answered(flow, 3);
    const periods = payloads.flatMap((payload) => (payload.kind === 'series' ? [payload.period] : []));
    periods.map(({ unit }) => unit).should.eql(['day', 'month', 'year']);
    periods.map(({ label }) => label).should.eql([yesterday, yesterday.slice(0, 7), yesterday.slice(0, 4)]);
    for (const { monitor } of payloads) should(monitor.id).equal(ids[2]);
  });

  it('series: the period may also come from the environment or an expression', async () => {
    for (const given of [
      { period: '$lowercase(payload.unit)', periodType: 'jsonata' },
      { period: '${CEMM_TEST_PERIOD}', periodType: 'str' },
    ]) {
      process.env['CEMM_TEST_PERIOD'] = 'month';
      const { flow, ids } = await start({ ...series, ...given });
      flow.send('query', { payload: { unit: 'MONTH', monitor: ids[0], alias: 'p1', date: yesterday } });
      const [payload] = await answered(flow, 1);
      should(payload?.kind === 'series' && payload.period.unit).equal('month');
      delete process.env['CEMM_TEST_PERIOD'];
      await unload();
      await endSimulators();
    }
  });

  it('series: a flow of a release without a type for the period still means what it says', async () => {
    const { periodType, ...old } = series;
    should(periodType).equal('msg');
    const { flow, ids } = await start({ ...old, period: 'month' });
    flow.send('query', { payload: { monitor: ids[0], alias: 'p1', date: yesterday } });
    const [payload] = await answered(flow, 1);
    should(payload?.kind === 'series' && payload.period.unit).equal('month');
  });

  it('totals: monitor, meter and day come from the message', async () => {
    const { flow, ids } = await start(totals);
    flow.send('query', { payload: { monitor: ids[1], alias: 'p1', date: yesterday } });
    const [payload] = await answered(flow, 1);
    should(payload?.monitor.id).equal(ids[1]);
    should(payload?.kind === 'totals' && payload.period.label).equal(yesterday);
  });

  const good = { alias: 'p1', date: yesterday, period: 'day' };
  const wrong: readonly (readonly [string, FlowNode, object, string, RegExp])[] = [
    ['a monitor that is no MAC', realtime, { monitor: 'kitchen', alias: 'p1' }, 'INPUT', /MAC address, one of: /],
    ['a monitor of somebody else', series, { ...good, monitor: '00:11:22:33:44:55' }, 'INPUT', /does not have the/],
    ['no monitor at all', realtime, { alias: 'p1' }, 'INPUT', /“Monitor” has no value/],
    ['a monitor that is an object', realtime, { monitor: { id: 1 }, alias: 'p1' }, 'INPUT', /“Monitor” must be a text/],
    ['no meter', totals, { monitor: 'FIRST', date: yesterday }, 'INPUT', /has no value/],
    [
      'a meter with a path in it',
      series,
      { ...good, monitor: 'FIRST', alias: '../p1' },
      'INPUT',
      /“Meter” is not valid/,
    ],
    ['no period', series, { ...good, monitor: 'FIRST', period: undefined }, 'INPUT', /“Period” has no value/],
    [
      'a period that is none',
      series,
      { ...good, monitor: 'FIRST', period: 'week' },
      'INPUT',
      /“Period” must be one of/,
    ],
    ['a period in a list', series, { ...good, monitor: 'FIRST', period: ['day'] }, 'INPUT', /“Period” must be a text/],
    ['no date', totals, { monitor: 'FIRST', alias: 'p1' }, 'INPUT', /has no value/],
    ['a date that is none', series, { ...good, monitor: 'FIRST', date: 'tomorrow' }, 'INPUT', /is not a date/],
  ];
  for (const [name, query, job, code, sentence] of wrong) {
    it(`${query.type}: ${name} is reported to Catch, with the job, and the next job is served`, async () => {
      const { flow, ids } = await start(query);
      const named = (given: object) => ({
        ...given,
        ...('monitor' in given && given.monitor === 'FIRST' && { monitor: ids[0] }),
      });
      flow.send('query', { payload: named(job), job: 'wrong' });
      const [caught] = await flow.next('errors');
      should(caught?.error?.code).equal(code);
      should(caught?.error?.message).match(sentence);
      should(caught?.['job']).equal('wrong');
      flow.at('out').should.have.length(0);
      flow.send('query', { payload: { ...good, monitor: ids[0] } });
      await flow.next('out');
    });
  }

  it('does not poll with a value that only a message has', async () => {
    const { simulator, flow } = await start({
      ...series,
      interval: 60,
      monitor: '',
      monitorType: 'str',
      alias: 'p1',
      aliasType: 'str',
      dateType: 'current',
    });
    const [caught] = await flow.next('errors');
    should(caught?.error?.code).equal('CONFIG');
    should(caught?.error?.message).match(/“Period” is taken from a message/);
    simulator.requests.size.should.equal(0);
  });
});

/** Past days in a whole Node-RED: read once, also after a restart; and what a dialog can do with them. */
import should from 'should';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Period, previousPeriod, periodContaining } from '../../../src/calendar/periods';
import type { BalancePayload, PeriodSeriesPayload } from '../../../src/model/payload';
import { toMonitorId } from '../../../src/protocol/mac';
import { dayMs, millis } from '../../../src/time/units';
import type { Simulator } from '../../../src/simulator/simulator';
import { startSimulator } from '../../../src/simulator/start-simulator';
import { type FlowNode, NodeRed, tab } from '../../support/node-red/node-red';
import { asking, localConnection, trigger, watchers } from '../../support/node-red/remote-flow';
import { until } from '../../support/until';
import { connectionDefaults, connectionRoutes } from '../../../nodes/cemm-connection/config';
import { requestHeader } from '../../../nodes/lib/stored/config';

const zone = 'Europe/Amsterdam';

describe('past days in Node-RED', function () {
  this.timeout(300_000);
  let simulator: Simulator;
  let nodeRed: NodeRed;
  let userDir = '';
  /** The month before last, which is final. */
  const month = previousPeriod(previousPeriod(periodContaining('month', zone, millis(Date.now()))));
  const day = periodContaining('day', zone, month.start);

  beforeEach(async () => {
    simulator = await startSimulator({ localPort: 0, timezone: zone, since: millis(month.start - 2 * dayMs) });
    nodeRed = await NodeRed.start();
    ({ userDir } = nodeRed);
  });
  afterEach(async () => {
    await nodeRed.stop();
    await simulator.close();
  });

  const flow = (connection: FlowNode, { unit: period, label: date }: Period = day): FlowNode[] => [
    tab(),
    connection,
    asking('balance', 'balance', { connection: connection.id, period, span: 'one', date, dateType: 'str' }),
    trigger('go', ['balance']),
    ...watchers(['balance']),
  ];

  const pastRequests = (): number =>
    [...simulator.requests].reduce((sum, [path, count]) => (/day|month|year/.test(path) ? sum + count : sum), 0);

  let seen = 0;
  async function read(): Promise<BalancePayload> {
    await nodeRed.inject('go');
    seen += 1;
    const messages = await nodeRed.waitForMessages('out', seen, 120_000);
    return messages[seen - 1]?.payload as BalancePayload;
  }

  async function restart(): Promise<void> {
    await nodeRed.stop({ keep: true });
    nodeRed = await NodeRed.start({ userDir });
  }

  async function post(path: string, body: object): Promise<unknown> {
    const response = await nodeRed.admin(`/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [requestHeader]: 'dialog' },
      body: JSON.stringify(body),
    });
    return response.json();
  }

  const kept = (action: string): Promise<unknown> => post(connectionRoutes.kept, { action });

  it('are requested once: a month after a restart needs no request, and is equal', async () => {
    seen = 0;
    await nodeRed.deploy(flow(localConnection(simulator), month));
    const first = await read();
    should(first.source.kept).be.undefined();
    const asked = pastRequests();
    asked.should.be.above(50);
    await restart();
    const second = await read();
    pastRequests().should.equal(asked);
    should(second.source.kept).be.true();
    second.source.requests.should.equal(0);
    for (const part of ['values', 'points', 'coverage', 'complete', 'missing', 'method'] as const) {
      should(second[part]).deepEqual(first[part], part);
    }
    const folder = join(userDir, 'cemm');
    ((await stat(folder)).mode & 0o777).should.equal(0o700);
    const [monitor = '', connection = '', ...others] = (await readdir(folder)).sort();
    monitor.should.equal(first.monitor.id);
    connection.should.match(/^connection-[0-9a-f]{16}$/);
    should(others).be.empty();
    const names = await readdir(join(folder, monitor));
    names.should.containEql(`${new Date(month.start).toISOString().slice(0, 7)}.series`);
    for (const name of names) ((await stat(join(folder, monitor, name))).mode & 0o777).should.equal(0o600);
  });

  it('are requested once by a series: a range after a restart needs no request for a day that is over, and is equal', async () => {
    const days = Array.from({ length: 4 }, (_, index) => millis(day.start + index * dayMs + dayMs / 2));
    const [from = '', to = ''] = [days[0], days.at(-1)].map(
      (moment) => periodContaining('day', zone, moment ?? day.start).label,
    );
    const range = { period: 'day', span: 'range', from, fromType: 'str', to, toType: 'str' };
    const connection = localConnection(simulator);
    const running = { period: 'day', span: 'one', dateType: 'current' };
    await nodeRed.deploy([
      tab(),
      connection,
      asking('series', 'range', { connection: connection.id, ...range }),
      asking('series', 'today', { connection: connection.id, ...running }),
      trigger('go', ['range']),
      trigger('go-today', ['today']),
      ...watchers(['range', 'today']),
    ]);
    const readNext = async (button: string, count: number): Promise<PeriodSeriesPayload[]> => {
      const before = (await nodeRed.messages('out')).length;
      await nodeRed.inject(button);
      const messages = await nodeRed.waitForMessages('out', before + count, 120_000);
      return messages.slice(before).map(({ payload }) => payload as PeriodSeriesPayload);
    };
    const readRange = (): Promise<PeriodSeriesPayload[]> => readNext('go', days.length);
    const plain = (payloads: readonly PeriodSeriesPayload[]) =>
      payloads.map(({ source: { transport }, ...rest }) => ({ ...rest, transport }));
    const first = await readRange();
    for (const { source, complete } of first) {
      should(source.kept).be.undefined();
      complete.should.be.true();
    }
    const asked = pastRequests();
    asked.should.be.aboveOrEqual(days.length);
    await restart();
    const second = await readRange();
    pastRequests().should.equal(asked);
    should(plain(second)).deepEqual(plain(first));
    for (const { source } of second) should(source).have.properties({ kept: true, requests: 0 });
    const [today] = await readNext('go-today', 1);
    should(today?.complete).be.false();
    should(today?.source.kept).be.undefined();
    pastRequests().should.be.above(asked);
    const known = await kept('show');
    should(await kept('again')).deepEqual(known);
    for (const { source } of await readRange()) should(source.kept).be.undefined();
    await until('the files', async () => ((await kept('show')) as { months: number }).months > 0);
    await kept('forget');
    should(await readdir(join(userDir, 'cemm'))).deepEqual([]);
  });

  it('PD10: are read again when a dialog says so, and forgotten', async () => {
    seen = 0;
    await nodeRed.deploy(flow(localConnection(simulator)));
    should(await kept('show')).deepEqual({ months: 0, bytes: 0 });
    await read();
    const asked = pastRequests();
    await until('the files', async () => ((await kept('show')) as { months: number }).months > 1);
    const known = await kept('show');
    should(await kept('again')).deepEqual(known);
    // In the running Node-RED, and once.
    should((await read()).source.kept).be.undefined();
    pastRequests().should.equal(2 * asked);
    await restart();
    should((await read()).source.kept).be.true();
    pastRequests().should.equal(2 * asked);
    await until('the files', async () => ((await kept('show')) as { months: number }).months > 1);
    await kept('forget');
    should(await readdir(join(userDir, 'cemm'))).deepEqual([]);
  });

  it('PD4: stay those of the monitor before, after another one is named as the new monitor', async () => {
    seen = 0;
    const { mac = '' } = simulator.monitors[0] ?? {};
    for (const filledIn of ['', mac]) {
      simulator.faults.clear();
      const connection = localConnection(simulator, { mac: filledIn, allowLoopback: true });
      await nodeRed.deploy(flow(connection));
      const before = (await read()).monitor.id ?? '';
      await until('the files', async () => ((await kept('show')) as { months: number }).months > 1);
      simulator.faults.add('wrong-monitor');
      const listFiles = async (): Promise<string[]> =>
        (await readdir(join(userDir, 'cemm', before))).filter((name) => !name.endsWith('.lock'));
      const files = await listFiles();
      const answer = await post(connectionRoutes.newMonitor, { ...connectionDefaults, ...connection });
      const other = `${mac.slice(0, 3)}FF${mac.slice(5)}`;
      should(answer).deepEqual({ mac: other, isUsed: true, error: null });
      const after = await read();
      should(after.monitor.id).equal(toMonitorId(other));
      should(after.source.kept).be.undefined();
      const houses = join(userDir, 'cemm');
      await until('its files', async () => (await readdir(houses)).filter((name) => toMonitorId(name)).length === 2);
      should(await listFiles()).deepEqual(files);
      await kept('forget');
    }
  });

  it('PD22: are given after a restart while the monitor, whose MAC address is not filled in, is away', async () => {
    seen = 0;
    await nodeRed.deploy(flow(localConnection(simulator)));
    const before = await read();
    await nodeRed.stop({ keep: true });
    await simulator.close();
    nodeRed = await NodeRed.start({ userDir });
    const after = await read();
    should(after.values).deepEqual(before.values);
    should(after.monitor).deepEqual(before.monitor);
    should(after.source).have.properties({ kept: true, requests: 0 });
    should(after.source.keptAt).be.within(before.source.fetchedAt - 60_000, before.source.fetchedAt);
  });

  it('are set aside and named once when a file is damaged', async () => {
    seen = 0;
    await nodeRed.deploy(flow(localConnection(simulator)));
    const first = await read();
    await restart();
    await nodeRed.stop({ keep: true });
    const folder = join(userDir, 'cemm', String(first.monitor.id));
    const files = (await readdir(folder)).filter((name) => name.endsWith('.series'));
    for (const name of files) {
      const bytes = await readFile(join(folder, name));
      await writeFile(join(folder, name), bytes.subarray(0, bytes.length / 2));
    }
    nodeRed = await NodeRed.start({ userDir });
    should((await read()).values).deepEqual(first.values);
    nodeRed.log.match(/damaged and is set aside/g)?.length.should.equal(1);
    (await readdir(folder)).should.containEql(`${files[0] ?? ''}.bad`);
  });

  it('are not kept without the choice, nor for the demo monitor', async () => {
    seen = 0;
    await nodeRed.deploy(flow(localConnection(simulator, { keepDays: false })));
    should((await read()).source.kept).be.undefined();
    await nodeRed.deploy(flow({ id: 'simulated', type: 'cemm-connection', mode: 'demo', timezone: zone }));
    await read();
    await nodeRed.stop({ keep: true });
    (await readdir(userDir)).should.not.containEql('cemm');
  });

  it('reads the past back in the background once a page asks, and the dialog says how far it is', async () => {
    const readBack = async (): Promise<{ month: string | null; state: string }> => {
      const response = await nodeRed.admin('/cemm-connection/read-back', {
        method: 'POST',
        headers: { 'content-type': 'application/json', [requestHeader]: 'dialog' },
        body: JSON.stringify({ id: 'local-connection' }),
      });
      return (await response.json()) as { month: string | null; state: string };
    };
    const paged = (properties: object): FlowNode[] => [
      tab(),
      localConnection(simulator, properties),
      asking('balance', 'balance', { connection: 'local-connection', period: 'now' }),
      trigger('go', ['balance'], { payload: [JSON.stringify({ balance: 'day', question: 'of a page' }), 'json'] }),
      ...watchers(['balance']),
    ];
    await nodeRed.deploy(paged({ readBack: false }));
    await nodeRed.inject('go');
    await nodeRed.waitForMessages('out', 1, 60_000);
    should(await readBack()).eql({ month: null, state: 'off' });
    const before = pastRequests();
    await nodeRed.deploy(paged({}));
    should(await readBack()).eql({ month: null, state: 'waiting' });
    await nodeRed.inject('go');
    await nodeRed.waitForMessages('out', 2, 60_000);
    await until('the past', () => pastRequests() >= before + 8);
    should((await readBack()).state).equal('reading');
    // A deploy closes the connection, and nothing is requested afterwards.
    await nodeRed.deploy([tab()]);
    const closed = pastRequests();
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    should(pastRequests()).equal(closed);
  });
});

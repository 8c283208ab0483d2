/** What many nodes share: one request per interval for one meter, and a line for what is different. */
import 'should';
import type { RealtimePayload, SeriesPayload } from '../../src/model/payload';
import type { Simulator } from '../../src/simulator/simulator';
import { startSimulator } from '../../src/simulator/start-simulator';
import { millis } from '../../src/protocol/time';
import { NodeRed, tab, type CollectedMessage } from '../support/node-red';
import {
  asking,
  CREDENTIALS,
  fire,
  KEY,
  localConnection,
  remoteConnection,
  requestsTo,
  trigger,
  watchers,
} from './remote-flow';

const DAY = 86_400_000;
const NODES = 50;
const ids = Array.from({ length: NODES }, (_, index) => `node-${index}`);

describe('fifty nodes', function () {
  this.timeout(180_000);
  let nodeRed: NodeRed;
  let simulator: Simulator;

  before(async () => {
    nodeRed = await NodeRed.start();
  });
  after(() => nodeRed.stop());
  afterEach(async () => {
    await nodeRed.deploy([tab()]);
    await simulator.close();
  });

  for (const transport of ['local', 'remote'] as const) {
    it(`on one meter make one request per interval (${transport})`, async () => {
      simulator = await startSimulator({ [`${transport}Port`]: 0, apiKey: KEY, since: millis(Date.now() - DAY) });
      const connection = transport === 'local' ? localConnection(simulator) : remoteConnection(simulator);
      const start = (await nodeRed.messages('out')).length;
      await nodeRed.deploy(
        [
          tab(),
          connection,
          ...ids.map((id) =>
            asking('realtime', id, { connection: `${transport}-connection`, interval: transport === 'local' ? 5 : 10 }),
          ),
          ...watchers(ids),
        ],
        'full',
        CREDENTIALS,
      );
      const rounds = transport === 'local' ? 4 : 3;
      const ours = (messages: CollectedMessage[]): RealtimePayload[] =>
        messages.slice(start).map(({ payload }) => payload as RealtimePayload);
      const payloads = ours(await nodeRed.waitFor('out', (all) => all.length >= start + rounds * NODES, 90_000));
      const byRequest = new Map<number, number>();
      for (const { source } of payloads) byRequest.set(source.fetchedAt, (byRequest.get(source.fetchedAt) ?? 0) + 1);
      [...byRequest.values()].slice(0, rounds).should.eql(Array.from({ length: rounds }, () => NODES));
      // One more may be on its way to the nodes by now.
      requestsTo(simulator, '/realtime/').should.be.within(byRequest.size, byRequest.size + 1);
      // Who is there and which meters there are: once, for all of them, too.
      for (const [path, count] of simulator.requests) if (!path.includes('/realtime/')) count.should.equal(1, path);
      (await nodeRed.messages('caught')).should.be.empty();
    });
  }

  it('on fifty days have two questions at most under way, and all get their day', async () => {
    const open = new Set<unknown>();
    const seen: number[] = [];
    simulator = await startSimulator({
      remotePort: 0,
      apiKey: KEY,
      since: millis(Date.now() - 60 * DAY),
      promiseMs: 1,
      log: ({ path, status }) => {
        if (!String(path).includes('/data/day/')) return;
        if (status === 202) open.add(path);
        else open.delete(path);
        seen.push(open.size);
      },
    });
    const start = (await nodeRed.messages('out')).length;
    const date = (index: number): string => new Date(Date.now() - (index + 2) * DAY).toISOString().slice(0, 10);
    await nodeRed.deploy(
      [
        tab(),
        remoteConnection(simulator, { deadline: 60 }),
        ...ids.map((id, index) => asking('series', id, { date: date(index), dateType: 'str' })),
        trigger('go', ids),
        ...watchers(ids),
      ],
      'full',
      CREDENTIALS,
    );
    await fire(nodeRed, 'go');
    const messages = (await nodeRed.waitForMessages('out', start + NODES, 90_000)).slice(start);
    new Set(messages.map(({ payload }) => (payload as SeriesPayload).period.label)).size.should.equal(NODES);
    Math.max(...seen).should.equal(2);
    // Each day once as a promise and once with its data.
    requestsTo(simulator, '/data/day/').should.equal(2 * NODES);
    (await nodeRed.messages('caught')).should.be.empty();
  });
});

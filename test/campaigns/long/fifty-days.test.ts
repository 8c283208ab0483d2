/** Many nodes share their requests: one request per interval for one meter, and a queue for different ones. */
import 'should';
import type { SeriesPayload } from '../../../src/model/payload';
import type { Simulator } from '../../../src/simulator/simulator';
import { startSimulator } from '../../../src/simulator/start-simulator';
import { dayMs, millis } from '../../../src/time/units';
import { NodeRed, tab } from '../../support/node-red/node-red';
import {
  asking,
  testCredentials,
  testKey,
  remoteConnection,
  requestsTo,
  trigger,
  watchers,
} from '../../support/node-red/remote-flow';

const nodeCount = 50;
const ids = Array.from({ length: nodeCount }, (_, index) => `node-${index}`);

describe('fifty nodes', function () {
  this.timeout(900_000);
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

  it('on fifty days have at most two requests in flight, and all get their day', async () => {
    const open = new Set<unknown>();
    const seen: number[] = [];
    simulator = await startSimulator({
      remotePort: 0,
      apiKey: testKey,
      since: millis(Date.now() - 60 * dayMs),
      promiseMs: 1,
      log: ({ path, status }) => {
        if (!String(path).includes('/data/day/')) return;
        if (status === 202) open.add(path);
        else open.delete(path);
        seen.push(open.size);
      },
    });
    const start = (await nodeRed.messages('out')).length;
    const date = (index: number): string => new Date(Date.now() - (index + 2) * dayMs).toISOString().slice(0, 10);
    await nodeRed.deploy(
      [
        tab(),
        remoteConnection(simulator, { deadline: 60 }),
        ...ids.map((id, index) => asking('series', id, { date: date(index), dateType: 'str' })),
        trigger('go', ids),
        ...watchers(ids),
      ],
      'full',
      testCredentials,
    );
    await nodeRed.inject('go');
    const messages = (await nodeRed.waitForMessages('out', start + nodeCount, 90_000)).slice(start);
    new Set(messages.map(({ payload }) => (payload as SeriesPayload).period.label)).size.should.equal(nodeCount);
    Math.max(...seen).should.equal(2);
    // Each day once as a promise and once with its data.
    requestsTo(simulator, '/data/day/').should.equal(2 * nodeCount);
    (await nodeRed.messages('caught')).should.be.empty();
  });
});

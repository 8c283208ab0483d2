/** Many nodes share their requests: one request per interval for one meter, and a queue for different ones. */
import 'should';
import type { SeriesPayload } from '../../../src/model/payload';
import type { Simulator } from '../../../src/simulator/simulator';
import { startSimulator } from '../../../src/simulator/start-simulator';
import { millis } from '../../../src/protocol/time';
import { NodeRed, tab } from '../../support/node-red/node-red';
import {
  asking,
  CREDENTIALS,
  fire,
  KEY,
  remoteConnection,
  requestsTo,
  trigger,
  watchers,
} from '../../support/node-red/remote-flow';

const DAY = 86_400_000;
const NODES = 50;
const ids = Array.from({ length: NODES }, (_, index) => `node-${index}`);

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

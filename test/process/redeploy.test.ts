/** What a redeploy leaves behind: nothing. */
import 'should';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { collector, NodeRed, tab, type FlowNode, type Handles } from '../support/node-red';
import { until } from '../support/wait';

const redeploys = 200;

function flows(round: number): FlowNode[] {
  const polled = ['p1', 's01', 'p1-gas', ''].map((alias, index) => ({
    id: `realtime-${index}`,
    type: 'cemm-realtime',
    z: 'flow',
    name: `round ${round}`,
    connection: 'connection',
    monitor: '',
    monitorType: 'str',
    alias,
    aliasType: 'str',
    role: 'auto',
    interval: 5,
    onlyChanges: false,
    wires: [['readings'], []],
  }));
  return [
    tab(),
    {
      id: 'connection',
      type: 'cemm-connection',
      name: `round ${round}`,
      mode: 'demo',
      timezone: 'Europe/Amsterdam',
      deadline: 25,
    },
    ...polled,
    ...collector('readings'),
  ];
}

describe(`${redeploys} redeploys of polling nodes on the demo monitor`, function () {
  this.timeout(300_000);
  let nodeRed: NodeRed;

  before(async () => {
    nodeRed = await NodeRed.start({ flows: flows(0) });
    await nodeRed.waitForMessages('readings', 4);
  });

  after(async () => {
    await nodeRed.stop();
  });

  it('leave no timer, socket, server, route or listener behind', async () => {
    await nodeRed.deploy([tab()]);
    const before = await settledHandles(nodeRed);
    for (let round = 1; round <= redeploys; round += 1) await nodeRed.deploy(flows(round));
    const polling = (await nodeRed.messages('readings')).length;
    await nodeRed.waitForMessages('readings', polling + 4);
    await nodeRed.deploy([tab()]);
    const after = await settledHandles(nodeRed);
    after.layers.should.eql(before.layers);
    after.listeners.should.eql(before.listeners);
    count(after.resources).should.eql(count(before.resources));
  });
});

/**
 * The handles once they stay the same for a while: the test's own requests leave keep-alive sockets, which Node-RED's
 * server closes after five seconds.
 */
async function settledHandles(nodeRed: NodeRed): Promise<Handles> {
  let last: Handles | undefined;
  let same = 0;
  return until('handles that stay the same', async () => {
    const now = await nodeRed.handles();
    same = isDeepStrictEqual(now, last) ? same + 1 : 0;
    last = now;
    await sleep(250);
    return same >= 28 && now;
  });
}

/** Handles by kind. File system requests come and go with the collector's file and say nothing of the package. */
function count(resources: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const kind of resources) {
    if (!kind.startsWith('FSReq')) counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

/** Redeploys leave nothing behind. */
import 'should';
import { collector, NodeRed, tab, type FlowNode } from '../../support/node-red/node-red';
import { handlesByKind, settledHandles } from '../../support/node-red/settled-handles';

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

describe(`${redeploys} redeploys of polling nodes on the demo monitor @node-red-5-daily`, function () {
  this.timeout(900_000);
  let nodeRed: NodeRed;

  before(async () => {
    nodeRed = await NodeRed.start({ flows: flows(0) });
    await nodeRed.waitForMessages('readings', 4);
  });

  after(async () => {
    await nodeRed.stop();
  });

  it('LC1: leave no timer, socket, server, route or listener open', async () => {
    await nodeRed.deploy([tab()]);
    const before = await settledHandles(nodeRed);
    for (let round = 1; round <= redeploys; round += 1) await nodeRed.deploy(flows(round));
    const polling = (await nodeRed.messages('readings')).length;
    await nodeRed.waitForMessages('readings', polling + 4);
    await nodeRed.deploy([tab()]);
    const after = await settledHandles(nodeRed);
    after.layers.should.eql(before.layers);
    after.listeners.should.eql(before.listeners);
    handlesByKind(after.resources).should.eql(handlesByKind(before.resources));
  });
});

/** A monitor on the machine of Node-RED: refused, unless its connection allows it. */
import should from 'should';
import { connectionDefaults, connectionRoutes } from '../../nodes/cemm-connection/config';
import { realtimeDefaults } from '../../nodes/cemm-realtime/config';
import type { Simulator } from '../../src/simulator/simulator';
import { startSimulator } from '../../src/simulator/start-simulator';
import { loopbackOnly, startDiscoverable } from '../support/network/discoverable';
import { longestTurnMs } from '../support/network/only-network';
import { collector, NodeRed, tab, type FlowNode } from '../support/node-red/node-red';

function realtime(id: string): FlowNode {
  const settings = { ...realtimeDefaults, alias: 'p1', interval: 60 };
  return {
    ...settings,
    id,
    type: 'cemm-realtime',
    z: 'flow',
    connection: `connection-${id}`,
    wires: [[`${id}-readings`], []],
  };
}

describe('a monitor on this machine', function () {
  // Searches of other test runs on this machine have to end first.
  this.timeout(115_000 + longestTurnMs);
  let simulator: Simulator;
  let nodeRed: NodeRed;
  let connection: FlowNode;

  before(async () => {
    simulator = await startSimulator({ localPort: 0 });
    connection = { ...connectionDefaults, id: 'connection-ticked', type: 'cemm-connection', host: simulator.local };
    nodeRed = await NodeRed.start({
      env: { CEMM_ALLOW_LOOPBACK: '' },
      nodeOptions: loopbackOnly,
      flows: [
        tab(),
        { ...connection, allowLoopback: true },
        { ...connection, id: 'connection-refused' },
        realtime('ticked'),
        realtime('refused'),
        ...collector('ticked-readings'),
        ...collector('refused-readings'),
        ...collector('caught'),
        { id: 'catch', type: 'catch', z: 'flow', scope: null, uncaught: false, wires: [['caught']] },
      ],
    });
  });

  after(async () => {
    await nodeRed.stop();
    await simulator.close();
  });

  async function ask(path: string, form: object): Promise<unknown> {
    const headers = { 'content-type': 'application/json', 'X-CEMM-Request': 'dialog' };
    const response = await nodeRed.admin(`/${path}`, { method: 'POST', headers, body: JSON.stringify(form) });
    should(response.status).equal(200);
    return response.json();
  }

  it('is read by the connection that allows it, and refused by the other with a sentence that names the tick', async () => {
    await nodeRed.waitForMessages('ticked-readings', 1);
    const [caught] = await nodeRed.waitForMessages('caught', 1);
    const { message, code, source } = (
      caught as unknown as { error: { message: string; code: string; source: { id: string } } }
    ).error;
    should(source.id).equal('refused');
    should(code).equal('CONFIG');
    message.should.containEql('tick “The monitor runs on this machine” in the connection');
    message.should.not.containEql('CEMM_ALLOW_LOOPBACK');
    (await nodeRed.messages('refused-readings')).should.be.empty();
  });

  it('is checked by the dialog with the tick of its form, deployed or not', async () => {
    const stepsOf = async (allowLoopback: string): Promise<string[]> => {
      const form = { ...connectionDefaults, id: 'unsaved', host: simulator.local, allowLoopback };
      const { steps } = (await ask(connectionRoutes.check, form)) as { steps: { state: string; word: string }[] };
      return steps.filter(({ state }) => state === 'failed').map(({ word }) => word);
    };
    (await stepsOf('true')).should.be.empty();
    (await stepsOf('false')).should.eql(['CONFIG_host_not_local']);
  });

  it('is offered by the dialog as a meter list with the tick alone', async () => {
    const metersOf = async (allowLoopback: string): Promise<unknown> => {
      const form = { ...connectionDefaults, id: 'unsaved', host: simulator.local, allowLoopback };
      return ask(connectionRoutes.meters, form);
    };
    const { meters } = (await metersOf('true')) as { meters: { alias: string }[] };
    meters.map(({ alias }) => alias).should.containEql('p1');
    should(await metersOf('false')).eql({ meters: [], error: 'CONFIG_host_not_local' });
  });

  it('is found by the search with the tick alone', async () => {
    const monitor = await startDiscoverable('127.0.0.57');
    try {
      const found = async (allowLoopback: string): Promise<string[]> => {
        const { monitors } = (await ask(connectionRoutes.find, { allowLoopback })) as { monitors: { host: string }[] };
        return monitors.map(({ host }) => host);
      };
      (await found('true')).should.eql([monitor.address]);
      (await found('false')).should.be.empty();
    } finally {
      await monitor.close();
    }
  });
});

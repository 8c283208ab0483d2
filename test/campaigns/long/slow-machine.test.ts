/** A machine with a tenth of a processor (fault OV8): the process is stopped for nine tenths of the time. */
import should from 'should';
import { realtimeDefaults } from '../../../nodes/cemm-realtime/config';
import { startSimulator } from '../../../src/simulator/start-simulator';
import { collector, NodeRed, type FlowNode } from '../../support/node-red/node-red';
import { throttle } from '../../support/throttle';
import { credentials, key, listReadingValues, webhookFlow } from '../../support/webhook/flows';
import { delivery, deliveryOfMany, head, post, raw, valueIn, type Sender } from '../../support/webhook/sending';

function polled(id: string, host: string, interval: number): FlowNode[] {
  return [
    { id: `${id}-connection`, type: 'cemm-connection', name: '', mode: 'local', host, timezone: 'Europe/Amsterdam' },
    {
      ...realtimeDefaults,
      id,
      type: 'cemm-realtime',
      z: 'flow',
      connection: `${id}-connection`,
      alias: 'p1',
      interval,
      wires: [[`${id}-readings`], []],
    },
    ...collector(`${id}-readings`),
  ];
}

describe('a machine with a tenth of a processor', function () {
  this.timeout(900_000);

  it('OV8: loses and repeats nothing, keeps its limits, and continues polling more slowly', async () => {
    const simulator = await startSimulator({ localPort: 0 });
    const nodeRed = await NodeRed.start({
      flows: webhookFlow({}, polled('meter', simulator.local ?? '', 10)),
      credentials,
    });
    const sender: Sender = { url: `${nodeRed.url}/cemm`, key };
    const tooLong = Buffer.alloc(16 * 1024 * 1024, 0x20);
    let release: (() => Promise<number>) | null = null;
    try {
      await nodeRed.waitForMessages('meter-readings', 1);
      release = throttle(nodeRed.pid, { runMs: 10, stopMs: 90 });
      const bodies = Array.from({ length: 100 }, () => deliveryOfMany());
      const waiting = [...bodies];
      const statuses: number[] = [];
      const work = async (): Promise<void> => {
        for (let body = waiting.pop(); body !== undefined; body = waiting.pop()) {
          statuses.push((await post(sender, body)).status);
        }
      };
      await Promise.all(Array.from({ length: 8 }, work));
      should(statuses.filter((status) => status !== 200)).be.empty();

      // Other refusals still work.
      should((await post({ ...sender, key: 'another key' }, delivery())).status).equal(401);
      should((await post(sender, Buffer.from('{"a":'))).status).equal(400);
      const announced = head(sender, 'ab'.repeat(64), [`Content-Length: ${tooLong.length}`]);
      should((await raw(sender.url, [announced])).status).equal(413);
      should((await raw(sender.url, [head(sender, 'ab'.repeat(64), ['Content-Length: 1000'])])).status).equal(408);

      const polls = (await nodeRed.messages('meter-readings')).length;
      await nodeRed.waitForMessages('meter-readings', polls + 1, 90_000);
      const turns = await release();
      release = null;
      // Proves that it was throttled: a fast machine needs few turns.
      should(turns).be.above(10);

      const last = delivery();
      should((await post(sender, last)).status).equal(200);
      const messages = await nodeRed.waitFor('deliveries', (all) => listReadingValues(all).includes(valueIn(last)));
      const arrived = listReadingValues(messages).sort((a, b) => a - b);
      should(arrived).eql([...bodies, last].map(valueIn).sort((a, b) => a - b));
      should(nodeRed.log).not.match(/MaxListeners|Unhandled|uncaught/i);
    } finally {
      await release?.();
      await nodeRed.stop();
      await simulator.close();
    }
  });
});

/**
 * Deliveries of 128 kB (fault OV5) and many of them (fault ME1). The cost of a delivery is compared with the cost of its bytes
 * on the same machine at the same time; delays and half hours are measured by `npm run campaign -- soak`.
 */
import { Agent } from 'node:http';
import should from 'should';
import { sign } from '../../../src/webhook/signature';
import { NodeRed, collector, tab, type FlowNode } from '../../support/node-red/node-red';
import { credentials, key, webhookNode } from '../../support/webhook/flows';
import { deliveryOfMany, post, type Sender } from '../../support/webhook/sending';

const megabyte = 1024 * 1024;

/** Reduces each delivery to the sum of its readings, which keeps the flow's own work small. */
function summingFlow(): FlowNode[] {
  return [
    tab(),
    webhookNode({ wires: [['sums'], []] }),
    {
      id: 'sums',
      type: 'function',
      z: 'flow',
      func: 'return { payload: [msg.payload.readings.length, msg.payload.readings[0].value] };',
      outputs: 1,
      wires: [['deliveries']],
    },
    ...collector('deliveries'),
  ];
}

/** Readings of this number of channels, the first one with this value. */
function withReadings(count: number, first: number): Buffer {
  const time = Math.floor(Date.now() / 1000);
  const channels: Record<string, unknown> = {};
  for (let index = 0; index < count; index++) {
    const value = index === 0 ? first : index;
    channels[`electric_power_of_machine_number_${index}`] = { reading: { time, value } };
  }
  return deliveryOfMany({ data: { zon: channels } });
}

/** Processor time in ms of the unavoidable work of a receiver. */
function costOfBytes(body: Buffer): number {
  const rounds = 100;
  const before = process.cpuUsage();
  for (let round = 0; round < rounds; round++) {
    const parsed: unknown = JSON.parse(body.toString('utf8'));
    sign(key, Buffer.from(JSON.stringify(parsed)));
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / rounds;
}

describe('a webhook node under sustained load', function () {
  this.timeout(900_000);
  let nodeRed: NodeRed;
  let sender: Sender;
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });

  before(async () => {
    nodeRed = await NodeRed.start({ flows: summingFlow(), credentials, nodeOptions: ['--max-old-space-size=128'] });
    sender = { url: `${nodeRed.url}/cemm`, key, agent };
  });

  after(async () => {
    agent.destroy();
    await nodeRed.stop();
  });

  /** Sends them, several at a time; every one must be answered with 200. */
  async function send(count: number, make: (index: number) => Buffer): Promise<void> {
    let next = 0;
    const work = async (): Promise<void> => {
      for (let index = next++; index < count; index = next++) {
        should((await post(sender, make(index))).status).equal(200);
      }
    };
    await Promise.all(Array.from({ length: 8 }, work));
  }

  it('OV5: handles 128 kB with a few times the CPU time of parsing, signing and serializing it once', async () => {
    const readings = 1550;
    should(withReadings(readings, 0).length).be.within(125_000, 150_000);
    await send(50, (index) => withReadings(readings, index));
    const before = await nodeRed.cpu();
    const count = 300;
    await send(count, (index) => withReadings(readings, 1000 + index));
    const messages = await nodeRed.waitForMessages('deliveries', 50 + count, 60_000);
    const each = ((await nodeRed.cpu()) - before) / count;
    const least = costOfBytes(withReadings(readings, 0));
    process.stdout.write(`      ${each.toFixed(1)} ms of the processor each, ${least.toFixed(1)} ms at least\n`);
    const arrived = messages.slice(50).map(({ payload }) => payload as [number, number]);
    should([...new Set(arrived.map(([length]) => length))]).eql([readings]);
    should(arrived.map(([, value]) => value).sort((a, b) => a - b)).eql(
      Array.from({ length: count }, (_, index) => 1000 + index),
    );
    should(each).be.below(12 * least);
  });

  it('ME1: uses no more memory after 15 000 deliveries than after the 10 000 of the replay cache', async () => {
    const already = (await nodeRed.messages('deliveries')).length;
    await send(10_000, () => deliveryOfMany());
    await nodeRed.waitForMessages('deliveries', already + 10_000, 60_000);
    const before = { memory: await nodeRed.ask('memory'), handles: (await nodeRed.handles()).layers };
    await send(5000, () => deliveryOfMany());
    const messages = await nodeRed.waitForMessages('deliveries', already + 15_000, 60_000);
    const after = { memory: await nodeRed.ask('memory'), handles: (await nodeRed.handles()).layers };
    should(messages).have.length(already + 15_000);
    should(after.memory.heapUsed - before.memory.heapUsed).be.below(5 * megabyte);
    should(after.memory.rss - before.memory.rss).be.below(50 * megabyte);
    should(after.handles).eql(before.handles);
  });
});

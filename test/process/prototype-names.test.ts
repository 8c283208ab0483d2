/**
 * A monitor whose meters and channels have the names of inherited object members, through every node and format of a whole
 * Node-RED: each delivery is converted, and so is the valid one after it.
 */
import should from 'should';
import { balanceDefaults } from '../../nodes/cemm-balance/config';
import { connectionDefaults } from '../../nodes/cemm-connection/config';
import { discoveryDefaults } from '../../nodes/cemm-discovery/config';
import { formatDefaults } from '../../nodes/cemm-format/config';
import { formats } from '../../src/checks/limits';
import { realtimeDefaults } from '../../nodes/cemm-realtime/config';
import { seriesDefaults } from '../../nodes/cemm-series/config';
import { totalsDefaults } from '../../nodes/cemm-totals/config';
import { collector, NodeRed, tab, type CollectedMessage, type FlowNode } from '../support/node-red/node-red';
import { prototypeNames } from '../support/prototype-names';
import { errorOf, trigger } from '../support/node-red/remote-flow';
import { until } from '../support/until';
import { key, webhookNode } from '../support/webhook/flows';
import { post } from '../support/webhook/sending';

/** `__proto__` is refused as a name before a delivery is read. */
const names = prototypeNames.filter((name) => name !== '__proto__');
const withoutDeliveries: readonly string[] = ['homeassistant-history', 'homewizard', 'prices', 'price-list'];
/** The formats that convert deliveries. */
const converting = formats.filter((format) => !withoutDeliveries.includes(format));

function body(meter: string, channel: string, value: number): Buffer {
  const time = Math.floor(Date.now() / 1000);
  const data = { [meter]: { [channel]: { realtime: { time, value }, reading: { time, value } } } };
  return Buffer.from(JSON.stringify({ format: 'basic-v1', cemm: 1, time, data }));
}

function formatNode(format: string): FlowNode {
  return { ...formatDefaults, id: format, type: 'cemm-format', z: 'flow', format, wires: [[`of-${format}`]] };
}

const asked = { z: 'flow', connection: 'house', interval: 0, wires: [['answers'], []] };
const named = { aliasType: 'msg', alias: 'name', monitorType: 'str', monitor: '' };
const asking: readonly FlowNode[] = [
  { ...realtimeDefaults, ...asked, ...named, id: 'realtime', type: 'cemm-realtime' },
  { ...totalsDefaults, ...asked, ...named, id: 'totals', type: 'cemm-totals' },
  { ...seriesDefaults, ...asked, ...named, id: 'series', type: 'cemm-series' },
  { ...realtimeDefaults, ...asked, id: 'monitor', type: 'cemm-realtime', monitorType: 'msg', monitor: 'name' },
  { ...discoveryDefaults, ...asked, id: 'meters', type: 'cemm-discovery', scope: 'meters' },
  { ...balanceDefaults, ...asked, id: 'grid', type: 'cemm-balance', grid: 'constructor', wires: [['answers']] },
  { ...balanceDefaults, ...asked, id: 'period', type: 'cemm-balance', periodType: 'msg', period: 'name' },
];
const messages: FlowNode = {
  ...balanceDefaults,
  id: 'messages',
  type: 'cemm-balance',
  z: 'flow',
  source: 'messages',
  interval: 0,
  wires: [['answers']],
  grid: names.join(', '),
  connection: 'house',
};

describe('names of Object.prototype in a whole Node-RED', function () {
  this.timeout(180_000);
  let nodeRed: NodeRed;
  const askingIds = asking.map(({ id }) => id);
  const ids = [...formats, 'messages', ...askingIds];

  before(async () => {
    nodeRed = await NodeRed.start({
      settings: "lang: 'en-US',",
      credentials: { hook: { hmacKey: key } },
      flows: [
        tab(),
        { ...connectionDefaults, id: 'house', type: 'cemm-connection', mode: 'demo', language: 'nl' },
        webhookNode({ connection: 'house', wires: [[...formats, 'messages'], []] }),
        ...formats.map(formatNode),
        ...formats.flatMap((format) => collector(`of-${format}`)),
        messages,
        ...asking,
        ...[...names, '__proto__'].map((name) =>
          trigger(`ask-${name}`, askingIds, { name: [name, 'str'], payload: [name, 'str'] }),
        ),
        ...['answers', 'caught', 'completed'].flatMap((name) => collector(name)),
        { id: 'catch', type: 'catch', z: 'flow', scope: ids, uncaught: false, wires: [['caught']] },
        { id: 'complete', type: 'complete', z: 'flow', scope: askingIds, wires: [['completed']] },
      ],
    });
  });
  after(() => nodeRed.stop());

  it('are names as any other in deliveries, and the delivery after them is converted, too', async () => {
    const sender = { url: `${nodeRed.url}/cemm`, key };
    for (const name of names) {
      for (const [meter, channel] of [
        [name, name],
        ['p1', name],
        [name, 'gas'],
      ] as const) {
        (await post(sender, body(meter, channel, 7))).status.should.equal(200, name);
      }
    }
    (await post(sender, body('p1', 'electric_power', 4242))).status.should.equal(200);
    for (const format of converting) {
      const all = await nodeRed.waitFor(`of-${format}`, (some) => JSON.stringify(some).includes('4242'), 30_000);
      const text = JSON.stringify(all);
      for (const name of names) should(text.includes(name)).be.true(`${format} ${name}`);
      text.should.not.match(/native code|returned an object|\[object/);
    }
    const failed = (await nodeRed.messages('caught')).filter((message) => !isOtherFormat(sourceOf(message)));
    failed.map((message) => `${sourceOf(message)}: ${errorOf(message).message}`).should.deepEqual([]);
  });

  it('are answered by every node that is asked for them, with a sentence', async () => {
    const ends = async (): Promise<number> => {
      const failed = (await nodeRed.messages('caught')).filter((message) => askingIds.includes(sourceOf(message)));
      return failed.length + (await nodeRed.messages('completed')).length;
    };
    for (const [index, name] of ['constructor', 'hasOwnProperty', '__proto__'].entries()) {
      await nodeRed.inject(`ask-${name}`);
      await until(`the end of ${name}`, async () => (await ends()) >= (index + 1) * asking.length, 30_000);
    }
    for (const message of await nodeRed.messages('caught')) {
      if (isOtherFormat(sourceOf(message))) continue;
      const { code, message: sentence } = errorOf(message);
      code.should.not.equal('UNSUPPORTED', `${sourceOf(message)}: ${sentence}`);
      sentence.should.not.match(/native code|is not a function|returned an object/);
    }
    nodeRed.log.should.not.match(/TypeError|is not a function/);
  });
});

function sourceOf(message: CollectedMessage): string {
  return (message as { error?: { source?: { id?: string } } }).error?.source?.id ?? '';
}

/** This format has no form for deliveries of these meters. */
function isOtherFormat(id: string): boolean {
  return withoutDeliveries.includes(id);
}

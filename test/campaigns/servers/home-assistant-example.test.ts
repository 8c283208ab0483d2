/** The example home-assistant-mqtt with a real broker: the button of the device, and the removal of the device. */
import should from 'should';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { HaButton, HaDiscovery } from '../../../src/formats/home-assistant/discovery';
import { MqttListener, startMosquitto, type Mosquitto } from '../../support/servers/mosquitto';
import { NodeRed, type FlowNode } from '../../support/node-red/node-red';
import { until } from '../../support/until';

/** Meters of the demo monitor. */
const meters = ['p1', 'p1-gas', 's01', 'mb5', 'pulse-2', 'mb2', 'mb3'];

/** The imported example, except for the address of the broker and the pause between two readings. */
function example(brokerPort: number): FlowNode[] {
  const file = path.resolve(__dirname, '../../../examples/home-assistant-mqtt.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as FlowNode[]).map((node) => {
    if (node.type === 'mqtt-broker') return { ...node, broker: '127.0.0.1', port: String(brokerPort) };
    return node.type === 'cemm-realtime' ? { ...node, interval: 3600 } : node;
  });
}

describe('the example home-assistant-mqtt and a real MQTT broker @node-red-5', function () {
  this.timeout(120_000);
  let broker: Mosquitto | undefined;
  let listener: MqttListener;
  let nodeRed: NodeRed | undefined;
  let button: HaButton;

  before(async () => {
    broker = await startMosquitto();
    listener = await MqttListener.connect(broker);
    nodeRed = await NodeRed.start({ flows: example(broker.port) });
    const find = (): HaButton | undefined => {
      const text = listener.heard.findLast(({ topic }) => /\/config$/.test(topic))?.text ?? '{}';
      const { components = {} } = JSON.parse(text) as Partial<HaDiscovery>;
      return Object.values(components).find((one): one is HaButton => one.platform === 'button');
    };
    button = await until('a button', find);
    await until('states of all meters', () => meters.every((alias) => heard(0, alias).length > 0));
  });

  after(async () => {
    if (broker === undefined) return;
    await nodeRed?.stop();
    await listener.close();
    await broker.stop();
  });

  const heard = (start: number, alias: string) =>
    listener.heard.slice(start).filter(({ topic }) => topic.endsWith(`/${alias}/state`));

  it('reads all meters each time the button in Home Assistant is pressed', async () => {
    const start = listener.heard.length;
    await listener.publish(button.command_topic, button.payload_press);
    await until('a state of each meter', () => meters.every((alias) => heard(start, alias).length > 0));
    await listener.publish(button.command_topic, button.payload_press);
    await until('another one', () => meters.every((alias) => heard(start, alias).length > 1));
  });

  it('LC19: leaves nothing of the demo device on the broker once it is removed, and brings it back with a reading', async () => {
    if (broker === undefined || nodeRed === undefined) throw new Error('not started');
    const id = /^cemm\/([^/]+)\/fetch$/.exec(button.command_topic)?.[1] ?? '';
    await nodeRed.inject('cemm-ha-remove');
    const emptied = new Set(listener.heard.map(({ topic }) => topic).filter((topic) => topic.includes(id)));
    emptied.delete(button.command_topic);
    should(emptied.size).be.above(10);
    await until('empty messages', () => [...emptied].every((topic) => listener.last(topic)?.text === ''));
    const kept = async (): Promise<string[]> => {
      const late = await MqttListener.connect(broker as Mosquitto);
      await late.publish('end', 'of what was kept');
      await until('the end', () => late.last('end'));
      await late.close();
      return late.heard.filter(({ retained }) => retained).map(({ topic }) => topic);
    };
    should(await kept()).deepEqual([]);
    const start = listener.heard.length;
    await listener.publish(button.command_topic, button.payload_press);
    await until('the device again', () =>
      listener.heard.slice(start).find(({ topic, text }) => /\/config$/.test(topic) && text !== ''),
    );
    await until('states again', () => meters.every((alias) => heard(start, alias).some(({ text }) => text !== '')));
  });
});

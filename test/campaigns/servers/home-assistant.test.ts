/** From a monitor to Home Assistant through a real broker, as read by another MQTT client. */
import should from 'should';
import type { HaDiscovery, HaSensor } from '../../../src/formats/home-assistant/discovery';
import type { BalancePayload } from '../../../src/model/payload';
import { startSimulator } from '../../../src/simulator/start-simulator';
import type { Simulator } from '../../../src/simulator/simulator';
import { discoveryFlaws, energyDashboard, valueSensors } from '../../support/home-assistant/discovery-rules';
import { houseDay, houseNow, MAC } from '../../support/formats/payloads';
import { MqttListener, startMosquitto, type Mosquitto } from '../../support/servers/mosquitto';
import { freePort, NodeRed, tab, type FlowNode } from '../../support/node-red/node-red';
import { until } from '../../support/until';

/** Meters of the simulated house. */
const meters = ['p1', 'p1-gas', 's01', 'mb5', 'pulse-2'];

function flow(monitorPort: number, brokerPort: number): FlowNode[] {
  return [
    tab(),
    { id: 'connection', type: 'cemm-connection', mode: 'local', host: `127.0.0.1:${monitorPort}`, deadline: 5 },
    {
      id: 'realtime',
      type: 'cemm-realtime',
      z: 'flow',
      connection: 'connection',
      alias: '',
      interval: 5,
      wires: [['format'], ['format']],
    },
    { id: 'house', type: 'inject', z: 'flow', props: [], repeat: '', once: false, wires: [['now', 'today']] },
    sends('now', houseNow),
    sends('today', houseDay),
    { id: 'format', type: 'cemm-format', z: 'flow', format: 'homeassistant', expireAfter: 60, wires: [['out']] },
    // The default node of the palette: topic, QoS and retain come from the message.
    { id: 'out', type: 'mqtt out', z: 'flow', broker: 'broker', topic: '', qos: '', retain: '', wires: [] },
    {
      id: 'birth',
      type: 'mqtt in',
      z: 'flow',
      broker: 'broker',
      topic: 'homeassistant/status',
      qos: '1',
      datatype: 'auto-detect',
      inputs: 0,
      wires: [['format']],
    },
    {
      id: 'broker',
      type: 'mqtt-broker',
      broker: '127.0.0.1',
      port: String(brokerPort),
      clientid: '',
      autoConnect: true,
      usetls: false,
      protocolVersion: '4',
      keepalive: '60',
      cleansession: true,
    },
  ];
}

/** Sends the payload like a balance node. */
function sends(id: string, payload: BalancePayload): FlowNode {
  const func = `msg.payload = ${JSON.stringify(payload)}; return msg;`;
  return { id, type: 'function', z: 'flow', func, outputs: 1, wires: [['format']] };
}

describe('cemm-format and a real MQTT broker @node-red-5', function () {
  this.timeout(240_000);
  let broker: Mosquitto | undefined;
  let listener: MqttListener;
  let nodeRed: NodeRed | undefined;
  let monitor: Simulator;
  let monitorPort: number;
  let discoveryTopic: string;

  const discovery = (): HaDiscovery | null => {
    const text = listener.last(discoveryTopic)?.text;
    return text === undefined ? null : (JSON.parse(text) as HaDiscovery);
  };
  const sensors = (): Readonly<Record<string, HaSensor>> => {
    const known = discovery();
    return known === null ? {} : valueSensors(known);
  };
  const heardSince = (start: number, topic: RegExp) => listener.heard.slice(start).filter((m) => topic.test(m.topic));

  before(async () => {
    const started = await startMosquitto();
    broker = started;
    monitorPort = await freePort();
    monitor = await startSimulator({ localPort: monitorPort });
    listener = await MqttListener.connect(started);
    nodeRed = await NodeRed.start({ flows: flow(monitorPort, started.port), settings: "lang: 'nl'," });
    const first = await until('a discovery message', () => listener.heard.find(({ topic }) => /\/config$/.test(topic)));
    discoveryTopic = first.topic;
    await until('states of all meters', () => {
      const states = new Set(heardSince(0, /\/state$/).map(({ topic }) => topic));
      return meters.every((alias) => [...states].some((topic) => topic.endsWith(`/${alias}/state`)));
    });
  });

  after(async () => {
    if (broker === undefined) return;
    await nodeRed?.stop();
    await monitor.close();
    await listener.close();
    await broker.stop();
  });

  it('announces one device that keeps to the rules of Home Assistant, and the broker keeps it', async () => {
    if (broker === undefined) throw new Error('no broker');
    const late = await MqttListener.connect(broker);
    const kept = await until('the kept discovery', () => late.last(discoveryTopic));
    await late.close();
    kept.retained.should.be.true();
    discoveryFlaws(kept.topic, JSON.parse(kept.text)).should.deepEqual([]);
    const topics = new Set(heardSince(0, /^homeassistant\//).map(({ topic }) => topic));
    topics.size.should.equal(1);
  });

  it('has what the Energy dashboard needs: import, export, production, gas and water', () => {
    const all = Object.entries(sensors());
    const offered = (name: RegExp, { device_class, units }: { device_class: string; units: readonly string[] }) =>
      all.some(
        ([key, sensor]) =>
          name.test(key) &&
          sensor.device_class === device_class &&
          sensor.state_class === 'total_increasing' &&
          units.includes(sensor.unit_of_measurement ?? ''),
      );
    const { electricity, gas, water } = energyDashboard;
    offered(/^p1_energy_import_kwh$/, electricity).should.be.true();
    offered(/^p1_energy_export_kwh$/, electricity).should.be.true();
    offered(/^s01_energy_production_kwh$/, electricity).should.be.true();
    offered(/_gas_m3$/, gas).should.be.true();
    offered(/_water_m3$/, water).should.be.true();
  });

  it('names the product, and shows what a person looks for, gas once', () => {
    should(discovery()?.device.model).equal('CEMM Basic');
    const shown = Object.entries(sensors()).filter(([, sensor]) => sensor.enabled_by_default !== false);
    shown.length.should.be.within(8, 14);
    shown.filter(([key]) => key.endsWith('_gas_m3')).should.have.length(1);
  });

  it('names the sensors in Dutch, with ids that are the same in every language', () => {
    const { components = {} } = discovery() ?? {};
    should(components['p1_energy_import_kwh']).containEql({
      name: 'p1 energie afname',
      unique_id: `cemm_${idOf(discoveryTopic)}_p1_energy_import_kwh`,
      default_entity_id: 'sensor.cemm_basic_p1_energy_import',
    });
    should(components['p1_power_w']?.name).equal('p1 vermogen');
    should(components['last_contact']).containEql({ name: 'Laatste contact', entity_category: 'diagnostic' });
  });

  it('LC18: gives every value a precision and an expiry, and says when the last one came', async () => {
    for (const sensor of Object.values(sensors())) {
      sensor.suggested_display_precision.should.be.within(0, 5);
      should(sensor.expire_after).equal(60, sensor.unique_id);
    }
    const contact = await until('the last contact', () => listener.last(`cemm/${idOf(discoveryTopic)}/contact`));
    const { last_contact: at, delay_ms: delay } = JSON.parse(contact.text) as Record<string, unknown>;
    new Date(String(at)).toISOString().should.equal(at);
    should(delay).be.a.Number().and.be.aboveOrEqual(0);
  });

  it('gives every announced sensor a number, and is available', async () => {
    const all = Object.values(sensors());
    all.length.should.be.above(10);
    for (const sensor of all) {
      const [, field = ''] = /^\{\{ value_json\['([\w-]+)'\] \| default\(''\) \}\}$/.exec(sensor.value_template) ?? [];
      field.should.not.equal('');
      await until(`a state of ${sensor.unique_id}`, () =>
        listener.heard.some(
          ({ topic, text }) =>
            topic === sensor.state_topic && typeof (JSON.parse(text) as Record<string, unknown>)[field] === 'number',
        ),
      );
      for (const { topic } of sensor.availability ?? []) should(listener.last(topic)?.text).equal('online');
    }
  });

  it('never sends null, and 0 only for what the monitor says is 0', () => {
    for (const { text } of heardSince(0, /\/state$/)) {
      Object.values(JSON.parse(text) as object)
        .every((value) => typeof value === 'number')
        .should.be.true();
    }
  });

  it('continues with states alone, once everything is announced', async () => {
    const start = listener.heard.length;
    await until('more states', () => heardSince(start, /\/p1\/state$/).length >= 2);
    heardSince(start, /\/config$/)
      .map(({ topic }) => topic)
      .should.deepEqual([]);
  });

  it('sends everything again when Home Assistant announces itself', async () => {
    const start = listener.heard.length;
    await listener.publish('homeassistant/status', 'online');
    await until('the discovery again', () => heardSince(start, /\/config$/)[0]);
    await until('the availability again', () => heardSince(start, /\/p1\/availability$/)[0]);
    heardSince(start, /\/config$/)
      .map(({ topic }) => topic)
      .should.deepEqual([discoveryTopic]);
  });

  it('keeps the house as a whole for a client that comes later: powers, and the sums of today since midnight', async () => {
    if (broker === undefined || nodeRed === undefined) throw new Error('not started');
    await nodeRed.inject('house');
    const topics = ['now', 'day'].map((part) => `cemm/${MAC}/balance/${part}/state`);
    await until('both states', () => topics.every((topic) => listener.last(topic) !== undefined));
    const late = await MqttListener.connect(broker);
    const [now, day, device] = await Promise.all(
      [...topics, `homeassistant/device/cemm_${MAC}/config`].map((topic) =>
        until(`the kept ${topic}`, () => late.last(topic)),
      ),
    );
    await late.close();
    should(JSON.parse(now?.text ?? '')).containEql({ power_house_w: 700, self_sufficiency: 71.4286 });
    should(JSON.parse(day?.text ?? '')).containEql({ gas_m3: null, last_reset: '2026-10-24T22:00:00.000Z' });
    discoveryFlaws(device?.topic ?? '', JSON.parse(device?.text ?? '')).should.deepEqual([]);
  });

  it('says that the meters are away, and back', async () => {
    const start = listener.heard.length;
    await monitor.close();
    const gone = await until('offline', () => heardSince(start, /availability$/).find(isOffline), 90_000);
    gone.topic.should.match(/^cemm\/[0-9a-f]{12}(\/[\w-]+)?\/availability$/);
    const later = listener.heard.length;
    monitor = await startSimulator({ localPort: monitorPort });
    await until('online', () => heardSince(later, /availability$/).find((m) => m.topic === gone.topic), 90_000);
    should(listener.last(gone.topic)?.text).equal('online');
  });
});

/** The monitor of a discovery topic. */
function idOf(topic: string): string {
  return /cemm_([0-9a-f]{12})/.exec(topic)?.[1] ?? '';
}

function isOffline({ text }: { text: string }): boolean {
  return text === 'offline';
}

/** A CEMM 3.0 through every node that can reach it, in a whole Node-RED. */
import should from 'should';
import { connectionDefaults } from '../../nodes/cemm-connection/config';
import { discoveryDefaults } from '../../nodes/cemm-discovery/config';
import { realtimeDefaults } from '../../nodes/cemm-realtime/config';
import { seriesDefaults } from '../../nodes/cemm-series/config';
import type { MeterPayload, MonitorPayload, SeriesPayload, WebhookPayload } from '../../src/model/payload';
import type { Simulator } from '../../src/simulator/simulator';
import { startSimulator } from '../../src/simulator/start-simulator';
import { buildDelivery } from '../../src/simulator/webhook-payload';
import { millis } from '../../src/time/units';
import { loopbackOnly } from '../support/network/discoverable';
import { collector, NodeRed, tab, type CollectedMessage, type FlowNode } from '../support/node-red/node-red';
import { until } from '../support/until';
import { credentials, key, webhookNode } from '../support/webhook/flows';
import { post } from '../support/webhook/sending';

function inject(to: string): FlowNode {
  const props = [{ p: 'mark', v: to, vt: 'str' }];
  return { id: `ask-${to}`, type: 'inject', z: 'flow', props, repeat: '', wires: [[to]] };
}

const placed = (id: string) => ({ id, z: 'flow', connection: 'today', wires: [['out']] });

function series(id: string, properties: object): FlowNode {
  return { ...seriesDefaults, ...placed(id), type: 'cemm-series', ...properties };
}

function discovery(id: string, properties: object): FlowNode {
  return { ...discoveryDefaults, ...placed(id), type: 'cemm-discovery', emit: 'list', wait: 3, ...properties };
}

describe('a CEMM 3.0 in Node-RED', function () {
  this.timeout(115_000);
  let simulator: Simulator;
  let nodeRed: NodeRed;

  before(async () => {
    simulator = await startSimulator({ localPort: 0, timezone: 'Europe/Lisbon', faults: ['no-open-api'] });
    const host = simulator.local;
    const connection = { ...connectionDefaults, type: 'cemm-connection', host };
    const asking = [
      series('week', { meter: 'zon', channel: 'electric_energy_export' }),
      series('number', { channel: '27', count: 1, role: 'consumption' }),
      series('hourly', { channel: '27', resolution: 'hour' }),
      series('blank', {}),
      series('lost', { connection: 'wrong', alias: 'p1' }),
      { ...realtimeDefaults, ...placed('now'), type: 'cemm-realtime', interval: 0, alias: 'p1', wires: [['out'], []] },
      discovery('meters', { scope: 'meters' }),
      discovery('monitors', { scope: 'monitors' }),
      discovery('network', { host, connection: '' }),
    ];
    // The list does not contain the number of the connection's monitor, which is added to it.
    const hook = webhookNode({ connection: 'today', monitors: String((simulator.monitors[0]?.cemm ?? 0) + 1) });
    nodeRed = await NodeRed.start({
      flows: [
        tab(),
        { ...connection, id: 'today', mode: 'public', timezone: '' },
        { ...connection, id: 'wrong', mode: 'local' },
        ...asking,
        ...asking.map(({ id }) => inject(id)),
        hook,
        { id: 'catch', type: 'catch', z: 'flow', scope: null, uncaught: false, wires: [['failed']] },
        ...['out', 'failed', 'deliveries', 'problems'].flatMap((name) => collector(name)),
      ],
      credentials,
      nodeOptions: loopbackOnly,
    });
  });

  after(async () => {
    await nodeRed.stop();
    await simulator.close();
  });

  async function answerOf(id: string): Promise<CollectedMessage> {
    await nodeRed.inject(`ask-${id}`);
    const isOurs = ({ mark }: CollectedMessage): boolean => mark === id;
    const message = (await nodeRed.waitFor('out', (messages) => messages.some(isOurs))).find(isOurs);
    if (message === undefined) throw new Error(`${id} did not answer`);
    return message;
  }

  async function failureOf(id: string): Promise<{ code: string; message: string }> {
    await nodeRed.inject(`ask-${id}`);
    const errors = (messages: readonly CollectedMessage[]) =>
      messages.map(({ error }) => error as { code: string; message: string; source: { id: string } });
    const isOurs = ({ source }: { source: { id: string } }): boolean => source.id === id;
    const messages = await nodeRed.waitFor('failed', (all) => errors(all).some(isOurs));
    const failure = errors(messages).find(isOurs);
    if (failure === undefined) throw new Error(`${id} did not fail`);
    return failure;
  }

  it('sends a week of days in the zone of the monitor, with unit and meaning from the monitor', async () => {
    const { topic, payload } = await answerOf('week');
    const { period, points, fields, meter, channel, source } = payload as SeriesPayload;
    should(topic).match(/^cemm\/[0-9a-f]{12}\/zon\/series$/);
    should(period).match({ unit: 'recent', timezone: 'Europe/Lisbon', step: 'P1D', resolution: 'day', count: 7 });
    points.length.should.equal(7);
    points.every((point) => typeof point['energy_export_kwh'] === 'number').should.be.true();
    fields.should.eql({
      energy_export_kwh: { unit: 'kWh', semantics: 'energy', unitSource: 'monitor', semanticsSource: 'assumed' },
    });
    should(meter).match({ key: 'zon', label: 'Zonnepanelen' });
    should(channel).match({ label: 'Energie teruglevering', aggregation: 'COUNTER' });
    should(source.transport).equal('public');
  });

  it('takes a channel by number and a role from the node', async () => {
    const { meter, fields, points } = (await answerOf('number')).payload as SeriesPayload;
    should([meter.key, meter.role, points.length]).eql(['water', 'consumption', 1]);
    should(Object.keys(fields)).eql(['volume_m3']);
  });

  it('says what to do when a request is not supported', async () => {
    const hourly = await failureOf('hourly');
    should([hourly.code, /“One value per”/.test(hourly.message)]).eql(['UNSUPPORTED', true]);
    const blank = await failureOf('blank');
    should([blank.code, /“Channel”/.test(blank.message)]).eql(['CONFIG', true]);
    const now = await failureOf('now');
    should([now.code, /webhook/.test(now.message)]).eql(['UNSUPPORTED', true]);
    const lost = await failureOf('lost');
    should(lost.code).equal('CONFIG');
    should(lost.message).match(/CEMM 3\.0 \(public API\)/);
  });

  it('is found by its address, and lists its meters with their channels', async () => {
    const [known] = simulator.monitors;
    const said = { cemm: known?.cemm, host: simulator.local, timezone: 'Europe/Lisbon', currency: 'EUR' };
    for (const id of ['monitors', 'network']) {
      const listed = (await answerOf(id)).payload as MonitorPayload[];
      // A search also finds monitors of other tests on this machine.
      const found = listed.filter(({ source }) => source.transport === 'public');
      should(found).match([{ kind: 'monitor', change: 'new', verified: true, monitor: said }]);
    }
    const meters = (await answerOf('meters')).payload as MeterPayload[];
    meters
      .map(({ meter }) => [meter.key, meter.channels?.length])
      .should.eql([
        ['smartmeter-dsmr', 18],
        ['zon', 4],
        ['garage', 4],
        ['water', 2],
      ]);
    should(meters[3]?.meter.channels?.[0]).match({ key: 'volume', id: 27, unit: 'm³' });
  });

  it('gives the deliveries of its webhook units, names and MAC, and is let in', async () => {
    const [known] = simulator.monitors;
    if (known === undefined) throw new Error('there is no monitor');
    const send = (cemm: number) => {
      const body = buildDelivery(known.household, cemm, millis(Date.now()), ['realtime', 'reading']);
      return post({ url: `${nodeRed.url}/cemm`, key }, Buffer.from(JSON.stringify(body)));
    };
    // Until the monitor has answered, its number is unknown.
    await until('the number of the monitor', async () => (await send(known.cemm)).status === 200);
    should((await send(known.cemm + 2)).status).equal(403);
    const [message] = await nodeRed.waitForMessages('deliveries', 1);
    const { monitor, readings } = message?.payload as WebhookPayload;
    should(monitor).match({ id: known.mac.replaceAll(':', '').toLowerCase(), cemm: known.cemm, name: 'Demo' });
    should(readings.find(({ meter, channel }) => meter === 'water' && channel === 'volume')).match({
      field: 'water_m3',
      unit: 'm³',
      unitSource: 'monitor',
      meterLabel: 'Water',
      channelLabel: 'Volume',
    });
    readings.every(({ unitSource }) => unitSource === 'monitor').should.be.true();
  });

  it('is offered in the dialogs: checked step by step, its channels to choose from', async () => {
    const form = {
      id: 'new',
      mode: 'public',
      host: simulator.local,
      mac: '',
      timezone: '',
      deadline: '25',
      baseUrl: '',
    };
    const ask = async (path: string, more: object = {}) => {
      const response = await nodeRed.admin(`/cemm-connection/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'X-CEMM-Request': 'test' },
        body: JSON.stringify({ ...form, ...more }),
      });
      return (await response.json()) as Record<string, Record<string, unknown>[]>;
    };
    const { steps } = await ask('check');
    should(steps?.find(({ step }) => step === 'monitor')).match({ state: 'ok', values: { generation: 3 } });
    should(steps?.every(({ state }) => state !== 'failed')).be.true();
    const other = (await ask('check', { mode: 'local', timezone: 'Europe/Lisbon' })).steps;
    should(other?.find(({ state }) => state === 'failed')).match({ step: 'monitor', word: 'CONFIG_mode_public' });
    const { meters } = await ask('meters');
    should(meters?.[3]).match({ alias: 'water', label: 'Water', role: 'water' });
    should(meters?.[3]?.['channels']).match([{ key: 'volume', label: 'Volume', unit: 'm³' }, { key: 'flow' }]);
  });
});

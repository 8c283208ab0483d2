import type { NodeMessage } from 'node-red';
import should from 'should';
import type { HaDiscovery } from '../../src/formats/home-assistant/discovery';
import type { RealtimePayload } from '../../src/model/payload';
import { everyKind, houseDay, MAC, offline, realtime, series, T, webhook } from '../support/formats/payloads';
import { until } from '../support/until';
import { Flow, unload, watched, type FlowNode } from '../support/flow/flow';
import { endSimulators, localConnection, simulate } from '../support/flow/simulated';

function format(name: string, properties: object = {}): FlowNode {
  return { id: 'format', type: 'cemm-format', name: '', format: name, ...properties };
}

const formats = ['values', 'rows', 'chart', 'influx', 'senml', 'homeassistant'];

function later(seconds: number): RealtimePayload {
  return { ...realtime, ts: T + seconds * 1000, values: { power_w: seconds }, times: {}, missing: {} };
}

describe('cemm-format', function () {
  this.timeout(60_000);
  afterEach(async () => {
    await unload();
    await endSimulators();
  });

  for (const name of formats) {
    it(`${name} keeps messages in order and their other properties, and completes each once`, async () => {
      const flow = await Flow.load(watched(format(name)));
      const count = 20;
      for (let second = 1; second <= count; second += 1) {
        const message: NodeMessage & { keep: number } = { payload: later(second), keep: second };
        flow.send('format', message);
      }
      await flow.next('completed', count);
      const kept = flow.at('out').map((message) => Number(message['keep']));
      kept.should.deepEqual([...kept].sort((a, b) => a - b));
      new Set(kept).size.should.equal(count);
      flow.at('completed').should.have.length(count);
      flow.at('errors').should.have.length(0);
    });

    it(`${name} reports what it cannot convert, once, and continues`, async () => {
      const flow = await Flow.load(watched(format(name)));
      flow.send('format', { payload: 'nonsense' });
      flow.send('format', { payload: everyKind.monitor });
      flow.send('format', { payload: realtime });
      const errors = await flow.next('errors', 2);
      errors.map(({ error }) => error?.code).should.deepEqual(['INPUT', 'UNSUPPORTED']);
      should(errors[0]?.error?.message).match(/not one of a CEMM node/);
      should(errors[1]?.error?.message).match(/has no values/);
      await flow.next('out');
      await flow.next('completed');
      flow.at('completed').should.have.length(1);
      flow.at('errors').should.have.length(2);
    });
  }

  it('price-list has the time zone of its connection, and refuses another one', async () => {
    const simulator = await simulate();
    const connection = localConnection(simulator, { timezone: 'Europe/Helsinki' });
    const flow = await Flow.load([connection, ...watched(format('price-list', { connection: connection.id }))]);
    const answer = (datum: string) => ({ data: [{ datum, prijs: '0.1' }] });
    flow.send('format', { payload: answer('2026-11-24 00:00') });
    const start = Date.parse('2026-11-24T00:00:00+02:00');
    should((await flow.next('out'))[0]?.payload).deepEqual([{ start, value: 0.1 }]);
    const amsterdam: NodeMessage & { timezone: string } = {
      payload: answer('2026-11-24 00:00'),
      timezone: 'Europe/Amsterdam',
    };
    flow.send('format', { payload: answer('2026-11-24T00:00:00+01:00') });
    flow.send('format', amsterdam);
    const errors = await flow.next('errors', 2);
    errors.map(({ error }) => error?.code).should.deepEqual(['INPUT', 'INPUT']);
    should(errors[0]?.error?.message).match(/datum/);
    should(errors[1]?.error?.message).match(/msg\.timezone/);
  });

  it('price-list without a connection has the time zone of the message', async () => {
    const flow = await Flow.load(watched(format('price-list')));
    const message: NodeMessage & { timezone: string } = {
      payload: { data: [{ datum: '2026-11-24 00:00', prijs: '0.1' }] },
      timezone: 'Europe/Helsinki',
    };
    flow.send('format', message);
    const start = Date.parse('2026-11-24T00:00:00+02:00');
    should((await flow.next('out'))[0]?.payload).deepEqual([{ start, value: 0.1 }]);
  });

  it('replaces variables in the list of fields', async () => {
    const env = [{ name: 'ALSO', type: 'str', value: 'energy_import_t1_kwh' }] as const;
    const flow = await Flow.load(watched(format('values', { fields: 'power_w, ${ALSO}' })), { env });
    flow.send('format', { payload: realtime });
    const [sent] = await flow.next('out');
    should(Object.keys(sent?.payload ?? {})).deepEqual(['power_w', 'energy_import_t1_kwh']);
  });

  it('names a variable in the list of fields that is not set', async () => {
    const flow = await Flow.load(watched(format('values', { fields: '${CEMM_NO_SUCH}' })));
    flow.send('format', { payload: realtime });
    const errors = await flow.next('errors', 2);
    errors.map(({ error }) => error?.code).should.deepEqual(['CONFIG', 'CONFIG']);
    should(errors[0]?.error?.message).match(/CEMM_NO_SUCH is not set/);
    flow.at('out').should.have.length(0);
  });

  it('converts to values where nothing is chosen', async () => {
    const flow = await Flow.load(watched({ id: 'format', type: 'cemm-format' }));
    flow.send('format', { payload: realtime });
    const [message] = await flow.next('out');
    should(message?.payload).deepEqual(realtime.values);
    should(message?.topic).equal(`cemm/${MAC}/p1/realtime`);
  });

  it('sends the messages for Home Assistant one by one: discovery, availability, state', async () => {
    const flow = await Flow.load(watched(format('homeassistant')));
    const message: NodeMessage & { retain: boolean } = { payload: realtime, topic: 'something/else', retain: false };
    flow.send('format', message);
    const messages = await flow.next('out', 5);
    messages
      .map(({ topic }) => topic)
      .should.deepEqual([
        `homeassistant/device/cemm_${MAC}/config`,
        `cemm/${MAC}/availability`,
        `cemm/${MAC}/p1/availability`,
        `cemm/${MAC}/contact`,
        `cemm/${MAC}/p1/state`,
      ]);
    for (const sent of messages) sent.should.containEql({ retain: true, qos: 1 });
    flow.send('format', { payload: offline });
    const gone = (await flow.next('out', 6)).at(-1);
    should(gone).containEql({ topic: `cemm/${MAC}/p1/availability`, payload: 'offline' });
  });

  it('sends Home Assistant everything again when it announces itself, and each node for itself', async () => {
    const other = { ...format('homeassistant'), id: 'other', wires: [['others']] };
    const flow = await Flow.load([...watched(format('homeassistant')), other, { id: 'others', type: 'helper' }]);
    flow.send('format', { payload: realtime });
    await flow.next('out', 5);
    for (const id of ['format', 'other']) flow.send(id, { topic: 'homeassistant/status', payload: 'online' });
    const messages = await flow.next('out', 10);
    should(messages[5]).containEql({ topic: `homeassistant/device/cemm_${MAC}/config`, retain: true });
    await flow.next('completed', 2);
    flow.at('others').should.have.length(0);
  });

  it('names the sensors in Home Assistant in the language of Node-RED, with expiry and button as set', async () => {
    const flow = await Flow.load(watched(format('homeassistant', { expireAfter: '90', fetchButton: true })), {
      language: 'nl',
    });
    flow.send('format', { payload: realtime });
    const [message] = await flow.next('out', 1);
    const { components } = message?.payload as HaDiscovery;
    should(components['p1_energy_import_t1_kwh']).containEql({
      name: 'p1 energie afname, tarief 1',
      unique_id: `cemm_${MAC}_p1_energy_import_t1_kwh`,
      expire_after: 90,
    });
    should(components['fetch']).containEql({ name: 'Nu uitlezen', command_topic: `cemm/${MAC}/fetch` });
    flow.at('errors').should.have.length(0);
  });

  it('names the variable of an expiry that is not set', async () => {
    const flow = await Flow.load(watched(format('homeassistant', { expireAfter: '${CEMM_NOT_SET}' })));
    flow.send('format', { payload: realtime });
    const [caught] = await flow.next('errors');
    should(caught?.error?.code).equal('CONFIG');
    should(caught?.error?.message).match(/CEMM_NOT_SET/);
  });

  for (const expireAfter of ['soon', 4, 604_801]) {
    it(`reports an expiry of ${expireAfter}`, async () => {
      const flow = await Flow.load(watched(format('homeassistant', { expireAfter })), { language: 'nl' });
      flow.send('format', { payload: realtime });
      const [caught] = await flow.next('errors');
      should(caught?.error?.code).equal('CONFIG');
      should(caught?.error?.message).match(/“Verloopt na” moet 5 tot 604800 seconden zijn/);
    });
  }

  it('removes a device from Home Assistant, and says in the language of Node-RED what a removal looks like', async () => {
    const flow = await Flow.load(watched(format('homeassistant')), { language: 'de' });
    flow.send('format', { payload: { remove: MAC, meters: ['p1'] }, topic: 'any' });
    const messages = await flow.next('out', 7);
    for (const message of messages) message.should.containEql({ payload: '', retain: true, qos: 1 });
    messages
      .map(({ topic }) => topic)
      .slice(0, 2)
      .should.deepEqual([`homeassistant/device/cemm_${MAC}/config`, `cemm/${MAC}/availability`]);
    flow.send('format', { payload: { remove: MAC, meters: 'p1' } });
    const [caught] = await flow.next('errors');
    should(caught?.error?.code).equal('INPUT');
    should(caught?.error?.message).match(/Um ein Gerät .* höchstens 100 Zählern \(falsch: meters\)/);
  });

  it('gives the receivers of one message objects of their own', async () => {
    const flow = await Flow.load(watched(format('chart')));
    flow.send('format', { payload: series });
    flow.send('format', { payload: { ...series, meter: { alias: 's01', role: null } } });
    const [first, second] = await flow.next('out', 2);
    const before = JSON.stringify(second?.payload);
    (first?.payload as { value: number }[]).forEach((point) => (point.value = 99));
    JSON.stringify(second?.payload).should.equal(before);
    flow.send('format', { payload: { ...series, meter: { alias: 's02', role: null } } });
    const third = (await flow.next('out', 3))[2];
    (third?.payload as { value: number }[]).some(({ value }) => value === 99).should.be.false();
  });

  it('sends the hours of a day for Home Assistant one statistic at a time, from the base of the message', async () => {
    const flow = await Flow.load(watched(format('homeassistant-history')), { language: 'nl' });
    const message: NodeMessage & { base: object } = { payload: houseDay, base: { energy_import_kwh: 10, cost: null } };
    flow.send('format', message);
    const [sent] = await flow.next('out', 1);
    should(sent).containEql({
      topic: `cemm:${MAC}_energy_import_kwh`,
      parts: { id: houseDay.id, index: 0, count: 1 },
      base: message.base,
    });
    const { data } = sent?.payload as { data: { metadata: { name: string }; stats: { sum: number }[] } };
    data.metadata.name.should.equal('Meter cupboard Afname');
    data.stats.map(({ sum }) => sum).should.deepEqual([0.25, 1.25]);
    flow.send('format', { payload: series });
    const [caught] = await flow.next('errors');
    should(caught?.error?.message).match(/node “balans”/);
  });

  it('uses the language of the editor', async () => {
    const flow = await Flow.load(watched(format('homeassistant')), { language: 'nl' });
    flow.send('format', { payload: series });
    const [caught] = await flow.next('errors');
    should(caught?.error?.message).match(/alleen actuele waarden/);
  });

  it('shows an error in its status until the next message that can be converted', async () => {
    const flow = await Flow.load(watched(format('values')));
    flow.send('format', { payload: 12 });
    await flow.next('statuses');
    should(flow.at('statuses').at(-1)?.status).containEql({ fill: 'red', text: 'check the message' });
    flow.send('format', { payload: webhook });
    await flow.next('out', 2);
    const statuses = await flow.next('statuses', 2);
    should(statuses.at(-1)?.status?.text ?? '').equal('');
  });

  it('converts what the other nodes send', async () => {
    const simulator = await simulate();
    const sources: FlowNode[] = [
      { id: 'realtime', type: 'cemm-realtime', connection: 'connection', alias: '', interval: 0, wires: [formats, []] },
      {
        id: 'series',
        type: 'cemm-series',
        connection: 'connection',
        alias: 'p1',
        period: 'day',
        dateType: 'previous',
        interval: 0,
        wires: [['rows', 'chart', 'influx', 'senml']],
      },
      { id: 'totals', type: 'cemm-totals', connection: 'connection', alias: 'p1', interval: 0, wires: [formats] },
      ...formats.map((name) => ({ ...format(name), id: name, wires: [[`${name}-out`]] })),
      ...formats.map((name) => ({ id: `${name}-out`, type: 'helper' })),
      {
        id: 'catch',
        type: 'catch',
        scope: [...formats, 'realtime', 'series', 'totals'],
        uncaught: false,
        wires: [['errors']],
      },
      { id: 'errors', type: 'helper' },
      { id: 'sources', type: 'complete', scope: ['realtime', 'series', 'totals'], wires: [['asked']] },
      { id: 'asked', type: 'helper' },
    ];
    const flow = await Flow.load([localConnection(simulator), ...sources]);
    for (const id of ['realtime', 'series', 'totals']) flow.send(id);
    await flow.next('asked', 3);
    for (const name of formats) await flow.next(`${name}-out`, 2);
    const rowsSoFar = () =>
      flow.at('rows-out').flatMap(({ payload }) => payload as { unit: string | null; field: string }[]);
    // A day has at least 1380 minutes.
    const rows = await until('the rows of a day', () => rowsSoFar().length > 1380 && rowsSoFar());
    await until('the chart of a day', () => flow.at('chart-out').some((message) => message['action'] === 'replace'));
    rows.filter(({ field, unit }) => /_(w|kwh|m3|lpm|v)$/.test(field) && unit === null).should.deepEqual([]);
    flow.at('errors').should.have.length(0);
    flow
      .at('chart-out')
      .map((message) => message['action'])
      .should.containEql('append');
  });
});

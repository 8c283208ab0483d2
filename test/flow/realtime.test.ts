import should from 'should';
import type { NodeStatus } from 'node-red';
import { createSimulatedClock } from '../../src/simulator/simulated-clock';
import type { AvailabilityPayload, RealtimePayload } from '../../src/model/payload';
import { until } from '../support/until';
import { Flow, unload, watched, type FlowNode } from '../support/flow/flow';
import {
  endSimulators,
  localConnection,
  remoteConnection,
  remoteCredentials,
  simulate,
} from '../support/flow/simulated';

const demo: FlowNode = { id: 'connection', type: 'cemm-connection', mode: 'demo', timezone: 'Europe/Amsterdam' };

function realtime(properties: object = {}): FlowNode {
  return { id: 'realtime', type: 'cemm-realtime', connection: 'connection', alias: 'p1', interval: 0, ...properties };
}

function reading(message: { payload: unknown } | undefined): RealtimePayload {
  return message?.payload as RealtimePayload;
}

describe('cemm-realtime', function () {
  this.timeout(120_000);
  afterEach(async () => {
    await unload();
    await endSimulators();
  });

  it('answers a message from the demo monitor, keeps its other properties, and is done once', async () => {
    const flow = await Flow.load([demo, ...watched(realtime())]);
    flow.send('realtime', { payload: 'go', keep: { me: 1 } });
    const [message] = await flow.next('out');
    await flow.next('completed');
    should(message?.['keep']).eql({ me: 1 });
    const payload = reading(message);
    payload.should.containEql({ schema: 'cemm/1', kind: 'realtime' });
    payload.source.transport.should.equal('demo');
    should(payload.values['power_w']).be.a.Number();
    should(message?.topic).equal(`cemm/${String(payload.monitor.id)}/p1/realtime`);
    should(message).not.have.property('parts');
    flow.at('completed').should.have.length(1);
    flow.at('errors').should.have.length(0);
  });

  it('shows what the meter says in its status, short and with the local time', async () => {
    const simulator = await simulate();
    const flow = await Flow.load([localConnection(simulator), ...watched(realtime())], { language: 'nl' });
    flow.send('realtime');
    const text = await until('a reading in the status', () =>
      flow.statuses('statuses').find((status) => /^(afname|teruglevering) /.test(status)),
    );
    text.should.match(/^(afname|teruglevering) \d+,\d\d kW · \d\d:\d\d$/);
    flow
      .statuses('statuses')
      .every((status) => status.length <= 32)
      .should.be.true();
  });

  it('sends one message for each meter where the alias is blank', async () => {
    const simulator = await simulate();
    const flow = await Flow.load([localConnection(simulator), ...watched(realtime({ alias: '' }))]);
    flow.send('realtime');
    await flow.next('completed');
    const messages = flow.at('out');
    messages.length.should.be.above(2);
    const aliases = messages.map((message) => reading(message).meter.alias);
    new Set(aliases).size.should.equal(messages.length);
    aliases.should.containEql('p1');
    messages.map(({ parts }) => (parts as { index: number }).index).should.eql([...messages.keys()]);
    messages.every(({ parts }) => (parts as { count: number }).count === messages.length).should.be.true();
  });

  it('reads through a remote connection', async () => {
    const simulator = await simulate();
    const flow = await Flow.load([remoteConnection(simulator), ...watched(realtime())], {
      credentials: remoteCredentials,
    });
    flow.send('realtime');
    const [message] = await flow.next('out');
    reading(message).source.transport.should.equal('remote');
  });

  it('lists the monitors where the key has several and none is chosen', async () => {
    const simulator = await simulate({ monitors: 2 });
    const flow = await Flow.load([remoteConnection(simulator), ...watched(realtime())], {
      credentials: remoteCredentials,
    });
    flow.send('realtime');
    const [{ error } = {}] = await flow.next('errors');
    should(error?.code).equal('INPUT');
    for (const { mac } of simulator.monitors) should(error?.message).containEql(mac);
    const [, second] = simulator.monitors;
    await flow.deploy([remoteConnection(simulator), ...watched(realtime({ monitor: second?.mac }))]);
  });

  it('sends only what changed', async () => {
    const simulator = await simulate({ clock: createSimulatedClock({ speed: 0 }) });
    const flow = await Flow.load([localConnection(simulator), ...watched(realtime({ onlyChanges: true }))]);
    flow.send('realtime');
    await flow.next('completed', 1);
    flow.send('realtime');
    await flow.next('completed', 2);
    flow.at('out').should.have.length(1);
  });

  it('takes the alias from message, flow, global, environment and JSONata', async () => {
    const simulator = await simulate();
    process.env['CEMM_TEST_ALIAS'] = 's01';
    const node = (id: string, properties: object): FlowNode[] => [
      { ...realtime(properties), id, wires: [[`out-${id}`], []] },
      { id: `out-${id}`, type: 'helper' },
    ];
    const flow = await Flow.load([
      localConnection(simulator),
      ...node('msg', { alias: 'wanted.alias', aliasType: 'msg' }),
      ...node('flow', { alias: 'wanted', aliasType: 'flow' }),
      ...node('global', { alias: 'wanted', aliasType: 'global' }),
      ...node('env', { alias: 'CEMM_TEST_ALIAS', aliasType: 'env' }),
      ...node('text', { alias: '${CEMM_TEST_ALIAS}' }),
      ...node('jsonata', { alias: '"p1" & "-gas"', aliasType: 'jsonata' }),
    ]);
    flow.context('flow', 'flow').set('wanted', 'p1-gas');
    flow.context('global', 'global').set('wanted', 's01');
    const expected = { msg: 'p1', flow: 'p1-gas', global: 's01', env: 's01', text: 's01', jsonata: 'p1-gas' };
    for (const id of Object.keys(expected)) flow.send(id, { wanted: { alias: 'p1' } });
    for (const [id, alias] of Object.entries(expected)) {
      const [message] = await flow.next(`out-${id}`);
      should(reading(message).meter.alias).equal(alias, id);
    }
    delete process.env['CEMM_TEST_ALIAS'];
  });

  it('polls from the start, and again after the interval', async () => {
    const simulator = await simulate();
    const flow = await Flow.load([localConnection(simulator), ...watched(realtime({ interval: 5 }))]);
    const [first, second] = await flow.next('out', 2);
    should(first).not.have.property('keep');
    reading(second).source.fetchedAt.should.be.above(reading(first).source.fetchedAt);
    flow.at('completed').should.have.length(0);
  });

  it('shows in red since when the monitor is offline, until it answers again', async () => {
    const simulator = await simulate();
    const flow = await Flow.load([localConnection(simulator), ...watched(realtime({ interval: 5 }))]);
    await flow.next('out');
    simulator.faults.add('reset');
    await until('the outage', () => flow.at('errors').length > 0, 90_000);
    flow.send('realtime');
    await until('the error of the message', () => flow.at('errors').length > 1, 90_000);
    const last = (): NodeStatus | undefined => flow.at('statuses').at(-1)?.status;
    const shown = await until('the red status', () => last()?.fill === 'red' && last());
    should(shown.text).match(/^offline since \d\d:\d\d$/);
    simulator.faults.delete('reset');
    await until('a reading in the status', () => last()?.fill === 'green', 90_000);
    flow.statuses('statuses').should.not.containEql('no answer');
  });

  it('reports an outage once, continues to try, and reports the recovery once', async () => {
    const simulator = await simulate();
    const flow = await Flow.load([localConnection(simulator), ...watched(realtime({ interval: 5 }))]);
    await flow.next('out');
    simulator.faults.add('reset');
    const [offline] = await until('the outage', () => flow.at('availability').length > 0 && flow.at('availability'));
    (offline?.payload as AvailabilityPayload).should.containEql({ kind: 'availability', state: 'offline' });
    const [caught] = await flow.next('errors');
    should(caught?.error?.code).equal((offline?.payload as AvailabilityPayload).reason);
    simulator.faults.delete('reset');
    const before = flow.at('out').length;
    const states = (): string[] => flow.at('availability').map(({ payload }) => (payload as AvailabilityPayload).state);
    await until(
      'a reading after the outage',
      () => flow.at('out').length > before && states().includes('online'),
      90_000,
    );
    states().should.eql(['offline', 'online']);
    flow.at('errors').should.have.length(1);
  });

  it('has the fields of a battery for a meter that is set to be one, and refuses an S0 output', async () => {
    const simulator = await simulate({ house: 'battery-measured' });
    const named = (alias: string): FlowNode[] => [
      localConnection(simulator),
      ...watched(realtime({ alias, role: 'battery' })),
    ];
    const flow = await Flow.load(named('mb6'));
    flow.send('realtime');
    const [message] = await flow.next('out');
    const { meter, values } = reading(message);
    should(meter.role).equal('battery');
    should(values['power_battery_w']).equal(0 - (values['power_w'] ?? NaN));
    for (const way of ['charged', 'discharged']) {
      const [t1, t2] = ['t1', 't2'].map((tariff) => values[`energy_battery_${way}_${tariff}_kwh`] ?? NaN);
      should(values[`energy_battery_${way}_kwh`]).be.approximately((t1 ?? NaN) + (t2 ?? NaN), 1e-9);
    }
    values.should.not.have.any.keys('energy_import_kwh', 'power_import_w');
    flow
      .statuses('statuses')
      .some((text) => /^battery -?\d/.test(text))
      .should.be.true();
    await flow.deploy(named('s01'));
    flow.send('realtime');
    const [caught] = await flow.next('errors');
    should(caught?.error?.code).equal('INPUT');
    should(caught?.error?.message).match(/S0 output, which has no direction/);
  });

  it('shows only the meter that it follows now', async () => {
    const simulator = await simulate();
    const node = realtime({ alias: 'meter', aliasType: 'flow', interval: 5 });
    const flow = await Flow.load([localConnection(simulator), ...watched(node)]);
    const follow = async (alias: string, status: RegExp): Promise<void> => {
      flow.context('flow', 'realtime').set('meter', alias);
      await until(`the status of ${alias}`, () => status.test(flow.statuses('statuses').at(-1) ?? ''));
    };
    await follow('p1', /^(import|export) /);
    await follow('s01', /^solar /);
  });
});

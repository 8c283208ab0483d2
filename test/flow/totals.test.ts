import should from 'should';
import type { TotalsPayload } from '../../src/model/payload';
import { Flow, unload, watched, type FlowNode } from '../support/flow/flow';
import {
  endSimulators,
  localConnection,
  remoteConnection,
  remoteCredentials,
  simulate,
} from '../support/flow/simulated';

function totals(properties: object = {}): FlowNode {
  return { id: 'totals', type: 'cemm-totals', connection: 'connection', alias: 'p1', interval: 0, ...properties };
}

function payloadOf(message: { payload: unknown } | undefined): TotalsPayload {
  return message?.payload as TotalsPayload;
}

describe('cemm-totals', function () {
  this.timeout(60_000);
  afterEach(async () => {
    await unload();
    await endSimulators();
  });

  it('sends the meter readings of the running day through a local connection', async () => {
    const simulator = await simulate();
    const flow = await Flow.load([localConnection(simulator), ...watched(totals())]);
    flow.send('totals', { keep: 1 });
    const [message] = await flow.next('out');
    await flow.next('completed');
    const payload = payloadOf(message);
    payload.should.containEql({ kind: 'totals' });
    payload.period.final.should.be.false();
    should(payload.values['energy_import_t1_kwh']).be.a.Number();
    should(message?.topic).match(/\/p1\/totals$/);
    should(message?.['keep']).equal(1);
    flow.at('completed').should.have.length(1);
  });

  it('says why another day cannot be read locally', async () => {
    const simulator = await simulate();
    const flow = await Flow.load([localConnection(simulator), ...watched(totals({ dateType: 'previous' }))]);
    flow.send('totals');
    const [caught] = await flow.next('errors');
    should(caught?.error?.code).equal('UNSUPPORTED');
    should(caught?.error?.message).match(/current day only. Use a remote connection/);
    flow.at('completed').should.have.length(0);
  });

  it('reads any day through a remote connection', async () => {
    const simulator = await simulate();
    const flow = await Flow.load([remoteConnection(simulator), ...watched(totals({ dateType: 'previous' }))], {
      credentials: remoteCredentials,
    });
    flow.send('totals');
    const [message] = await flow.next('out');
    payloadOf(message).period.final.should.be.true();
    payloadOf(message).source.transport.should.equal('remote');
  });

  it('polls, and reports an outage once', async () => {
    const simulator = await simulate();
    const flow = await Flow.load([localConnection(simulator), ...watched(totals({ interval: 5 }))]);
    await flow.next('out');
    simulator.faults.add('reset');
    await flow.next('errors');
    simulator.faults.delete('reset');
    const before = flow.at('out').length;
    await flow.next('out', before + 1);
    flow.at('errors').should.have.length(1);
    flow.at('completed').should.have.length(0);
  });
});

/** Probing an address that a user entered. */
import should from 'should';
import { CemmError } from '../../../src/errors';
import { probeHost } from '../../../src/discovery/probe-host';
import type { FaultName } from '../../../src/simulator/faults';
import type { Simulator } from '../../../src/simulator/simulator';
import { startSimulator } from '../../../src/simulator/start-simulator';

describe('a manual address', () => {
  let simulator: Simulator;
  before(async () => {
    simulator = await startSimulator({ localPort: 0 });
  });
  after(() => simulator.close());

  const ask = async (...faults: FaultName[]) => {
    simulator.faults.clear();
    for (const fault of faults) simulator.faults.add(fault);
    const signal = new AbortController().signal;
    return probeHost(simulator.local ?? '', { allowLoopback: true, signal });
  };
  const errorOf = async (question: Promise<unknown>): Promise<string> => {
    const error = await question.catch((thrown: unknown) => thrown);
    return error instanceof CemmError ? `${error.code} ${error.reason ?? ''}` : 'no error';
  };

  it('finds a CEMM 3.0 with all its details, or an older monitor', async () => {
    const mac = simulator.monitors[0]?.mac.replaceAll(':', '').toLowerCase();
    const ofToday = await ask('no-open-api');
    should(ofToday?.monitor).match({
      id: mac,
      cemm: simulator.monitors[0]?.cemm,
      host: simulator.local,
      currency: 'EUR',
    });
    should(ofToday?.source.transport).equal('public');
    const ofBefore = await ask('no-public-api');
    should(ofBefore?.monitor).match({ id: mac, name: 'CEMM Basic', host: simulator.local });
    should(ofBefore?.source.transport).equal('local');
  });

  it('returns null when no host answers', async () => {
    should(await ask('html')).be.null();
    should(await ask('no-open-api', 'no-public-api')).be.null();
    should(await ask('truncated')).be.null();
  });

  it('rejects when the monitor refuses, or when the address is not allowed', async () => {
    should(await errorOf(ask('no-access'))).equal('AUTH local_role');
    const signal = new AbortController().signal;
    should(await errorOf(probeHost('8.8.8.8', { allowLoopback: true, signal }))).equal('CONFIG host_not_local');
    should(await errorOf(probeHost(simulator.local ?? '', { allowLoopback: true, signal: AbortSignal.abort() }))).equal(
      'CANCELLED stopped',
    );
  });
});

/** When the first polls of a process begin (nodes/lib/run/polling.ts). */
import { mock } from 'node:test';
import type { NodeAPI } from 'node-red';
import should from 'should';
import type { ConnectionMode } from '../../../nodes/cemm-connection/config';
import { keepPolling } from '../../../nodes/lib/run/polling';
import type { Runner } from '../../../nodes/lib/run/runner';

/** Milliseconds from the start to the first poll of each connection. */
function startAll(count: number, mode: ConnectionMode): number[] {
  const ids = Array.from({ length: count }, (_, index) => `connection-${index}`);
  const RED = {
    nodes: {
      getNode: (id: string) => ({
        id,
        type: 'cemm-connection',
        mode,
        problem: null,
        connect: () => undefined,
        register: () => undefined,
      }),
      eachNode: (visit: (node: object) => void) => {
        for (const id of [...ids, 'tab']) visit({ id, type: id === 'tab' ? 'tab' : 'cemm-connection' });
      },
    },
  } as unknown as NodeAPI;
  const runner = {
    problem: () => null,
    messageProperty: () => null,
    status: () => undefined,
    translate: () => null,
    onClose: () => undefined,
  } as unknown as Runner;
  mock.timers.enable({ apis: ['setTimeout'] });
  let passed = 0;
  const begun: number[] = [];
  for (const connection of ids) {
    keepPolling(RED, runner, { connection, interval: 60 }, () => {
      begun.push(passed);
      return () => undefined;
    });
  }
  for (; passed < 20_000; passed += 100) mock.timers.tick(passed === 0 ? 1 : 100);
  mock.timers.reset();
  return begun;
}

describe('the first polls', () => {
  it('of hundreds of keys are spread, because they ask the same service', () => {
    const begun = startAll(300, 'remote');
    begun.length.should.equal(300);
    for (let second = 0; second < 10; second += 1) {
      const inSecond = begun.filter((ms) => Math.floor(ms / 1000) === second).length;
      inSecond.should.be.belowOrEqual(60, `second ${second}`);
    }
  });

  it('of one key, and of monitors in the own network, begin at once', () => {
    startAll(1, 'remote').should.deepEqual([0]);
    should(Math.max(...startAll(300, 'local'))).equal(0);
  });
});

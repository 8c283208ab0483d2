/** Faults at the end of a node (test/faults.json) that no other test covers. */
import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Node, NodeAPI } from 'node-red';
import should from 'should';
import { createRunner, type Job, type Runner, type RunnerOptions } from '../../../nodes/lib/run/runner';
import { until } from '../../support/until';

interface Harness {
  readonly runner: Runner;
  readonly told: Error[];
  readonly sent: unknown[];
  /** Per message: the arguments of each `done`. */
  readonly done: (Error | undefined)[][];
  readonly message: () => void;
  readonly close: () => Promise<void>;
}

/** A node as used by the runner. */
function harness(options: RunnerOptions): Harness {
  const events = new EventEmitter();
  const told: Error[] = [];
  const sent: unknown[] = [];
  const done: (Error | undefined)[][] = [];
  const node = {
    on: events.on.bind(events),
    status: () => undefined,
    debug: () => undefined,
    error: (error: Error) => void told.push(error),
    send: (message: unknown) => void sent.push(message),
  };
  const runner = createRunner({ _: (key: string) => key } as unknown as NodeAPI, node as unknown as Node, options);
  return {
    runner,
    told,
    sent,
    done,
    message: () => {
      const calls: (Error | undefined)[] = [];
      done.push(calls);
      events.emit(
        'input',
        { _msgid: String(done.length) },
        (message: unknown) => void sent.push(message),
        (error?: Error) => void calls.push(error),
      );
    },
    close: () =>
      new Promise((resolve) => {
        events.emit('close', false, resolve);
      }),
  };
}

describe('faults while a node closes', () => {
  it('LC5: reports an error that is thrown while closing, and closes the rest', async () => {
    const { runner, told, close } = harness({ parallel: 1, work: () => Promise.resolve() });
    const released: string[] = [];
    runner.onClose(() => {
      released.push('first');
    });
    runner.onClose(() => {
      throw new Error('cannot be closed');
    });
    runner.onClose(() => {
      released.push('last');
    });
    await close();
    should(released).eql(['first', 'last']);
    should(told.length).equal(1);
  });

  it('LC4: closes within a second while work is in progress', async () => {
    const { message, close, done } = harness({ parallel: 1, work: () => new Promise(() => undefined) });
    for (let index = 0; index < 50; index++) message();
    await close();
    should(done.map((calls) => calls.length)).eql(done.map(() => 1));
    should(done.map(([error]) => Reflect.get(error ?? {}, 'code') as unknown)).eql(done.map(() => 'CANCELLED'));
  }).timeout(10_000);

  it('PD23: waits longer for data to be saved, after the work in progress', async () => {
    const order: string[] = [];
    const { runner, message, close } = harness({
      parallel: 1,
      work: () => new Promise((resolve) => setImmediate(resolve)).then(() => void order.push('worked')),
    });
    let saved: () => void = () => undefined;
    runner.onSave(() => {
      order.push('saves');
      return new Promise((resolve) => (saved = resolve));
    });
    message();
    const closing = close().then(() => order.push('closed'));
    await sleep(1_500);
    order.push('saved');
    saved();
    await closing;
    should(order).eql(['worked', 'saves', 'saved', 'closed']);
  });

  it('LC8, LC9: sends nothing after closing, and completes each message once', async () => {
    const jobs: Job[] = [];
    const finish: ((failed: boolean) => void)[] = [];
    const { runner, message, close, done, sent } = harness({
      parallel: 2,
      work: (job) =>
        new Promise((resolve, reject) => {
          jobs.push(job);
          finish.push((failed) => {
            if (failed) reject(new Error('late'));
            else resolve();
          });
        }),
    });
    for (let index = 0; index < 5; index++) message();
    await until('two at work', () => jobs.length === 2);
    jobs[0]?.send({ payload: 'in time' });
    const closing = close();
    for (const job of jobs) job.send({ payload: 'too late' });
    runner.send({ payload: 'too late' });
    finish[0]?.(false);
    finish[1]?.(true);
    await closing;
    message();
    should(sent).eql([{ payload: 'in time' }]);
    should(done.map((calls) => calls.length)).eql([1, 1, 1, 1, 1, 1]);
    should(jobs.map(({ signal }) => signal.aborted)).eql([true, true]);
  });
});

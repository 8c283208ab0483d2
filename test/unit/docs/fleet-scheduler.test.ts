/** The jobs of the example scheduler and their times: its function, run over a day. */
import should from 'should';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';

interface Job {
  readonly topic: string;
  readonly payload: { kind: string; monitor: string; alias: string; period?: string; from?: string; to?: string };
  readonly messageExpiryInterval: number;
}

const file = path.resolve(__dirname, '../../../examples/fleet/fleet-scheduler.json');
const nodes = JSON.parse(readFileSync(file, 'utf8')) as { id: string; func?: string }[];
const due = nodes.find(({ id }) => id === 'cemm-fleet-jobs-due')?.func ?? '';
const midnight = Date.UTC(2026, 5, 18);

function scheduler(monitors: readonly string[], settings: Readonly<Record<string, unknown>> = {}) {
  const env: Readonly<Record<string, unknown>> = { JOB_SECONDS: 60, METERS: 'p1', ...settings };
  const memory = new Map<string, unknown>();
  let now = midnight;
  class FakeDate extends Date {
    static override now(): number {
      return now;
    }
  }
  const look = vm.runInNewContext(`(function () {${due}})`, {
    Date: FakeDate,
    env: { get: (name: string) => env[name] },
    flow: { get: () => monitors },
    context: {
      get: (name: string) => memory.get(name),
      set: (name: string, value: unknown) => memory.set(name, value),
    },
  }) as () => [Job[]];
  return {
    /** Runs it this number of times, a second apart. */
    run: (seconds: number): Job[][] =>
      Array.from({ length: seconds }, () => {
        now += 1000;
        return look()[0];
      }),
    sleep: (ms: number): void => {
      now += ms;
    },
  };
}

const macs = Array.from({ length: 1000 }, (_, index) => (0x001ec0850000 + index * 7).toString(16).padStart(12, '0'));

describe('the example fleet-scheduler', () => {
  it('asks every monitor once per interval, and about as many in every second', () => {
    const seconds = scheduler(macs).run(60);
    const jobs = seconds.flat();
    jobs.should.have.length(1000);
    new Set(jobs.map(({ payload }) => payload.monitor)).size.should.equal(1000);
    for (const second of seconds) second.length.should.be.within(10, 25);
    for (const { topic, payload, messageExpiryInterval } of jobs) {
      topic.should.equal(`cemm/jobs/${payload.monitor}`);
      payload.kind.should.equal('realtime');
      messageExpiryInterval.should.equal(60);
    }
  });

  it('asks in the same second of every interval', () => {
    const { run } = scheduler(macs.slice(0, 20));
    const secondsOf = (seconds: Job[][]) =>
      new Map(seconds.flatMap((jobs, second) => jobs.map(({ payload }) => [payload.monitor, second] as const)));
    [...secondsOf(run(60))].should.eql([...secondsOf(run(60))]);
  });

  it('skips no monitor after a delay of seconds, and skips slots missed while suspended', () => {
    const { run, sleep } = scheduler(macs);
    run(20);
    sleep(5_000);
    const [late] = run(1);
    should(late?.length).be.within(60, 150);
    sleep(3_600_000);
    should(run(1)[0]?.length).be.below(700);
  });

  it('asks every meter once a night for the series of yesterday, spread over two hours', () => {
    const { run, sleep } = scheduler(macs.slice(0, 50), { METERS: 'p1, s01', JOB_SECONDS: 86_400 });
    sleep(7_100_000);
    const day = run(7_500);
    const nights = day.flatMap((jobs, second) => jobs.map((job) => ({ ...job, second })));
    const series = nights.filter(({ payload }) => payload.kind === 'series');
    series.should.have.length(100);
    for (const { payload, second } of series) {
      should(payload).containEql({ period: 'day', from: '2026-06-17', to: '2026-06-17' });
      should(second).be.within(99, 7_300);
    }
    new Set(series.map(({ second }) => second)).size.should.be.above(45);
  });
});

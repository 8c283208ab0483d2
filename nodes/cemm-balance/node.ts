/** The house as a whole: this moment, or a day, month or year of it. */
import type { Node, NodeAPI } from 'node-red';
import { CemmError } from '../../src/errors';
import type { Period } from '../../src/calendar/periods';
import type { Balances } from '../../src/connection/balances';
import type { ReadBalanceOptions } from '../../src/connection/balance-reader';
import type { BalancePayload } from '../../src/model/payload';
import { choosePeriod, choosePeriods, wallClock } from '../lib/choice';
import { type ConnectionNode, findConnection, isPolledByAnotherShard } from '../lib/connection-node';
import { messageFor, type Sequence } from '../lib/message';
import { asCemmError } from '../lib/node-error';
import { createOutage, keepPolling, startPolls } from '../lib/polling';
import { createRunner, type Job } from '../lib/runner';
import { finishedStatus, progressStatus, stateStatus } from '../lib/status';
import type { Evaluation } from '../lib/typed-input';
import { chooseBalancePeriod, chooseHouse, choosePrices, stepOf } from './choose';
import { type BalanceConfig, balanceDefaults, balanceSpans, proposedIntervals } from './config';
import { balanceStatus } from './status';

export function startNode(RED: NodeAPI, node: Node, stored: Partial<BalanceConfig>): void {
  // A flow of an older release has not all fields.
  const config = { ...balanceDefaults, ...stored };
  const span = balanceSpans.find((known) => known === config.span) ?? 'one';
  const runner = createRunner(RED, node, {
    connection: config.connection,
    parallel: 1,
    work: read,
    isStop: (msg) => msg['stop'] === true,
  });
  const date = { field: 'date', value: config.date, type: config.dateType };
  const from = { field: 'from', value: config.from, type: config.fromType };
  const to = { field: 'to', value: config.to, type: config.toType };
  const evaluate = (msg: Job['msg']): Evaluation => ({ RED, node, msg });

  async function read(job: Job): Promise<void> {
    const evaluation = evaluate(job.msg);
    const connection = await findConnection(RED, config.connection).connect();
    const { timezone } = connection;
    const balances = balancesOf(connection);
    const target = await chooseHouse(config, evaluation);
    if (await isPolledByAnotherShard(job, connection, target.monitor, runner)) return;
    const unit = await chooseBalancePeriod(config, evaluation);
    const failures: CemmError[] = [];
    const ask: ReadBalanceOptions = {
      signal: job.signal,
      patience: job.msg === null ? 'poll' : 'user',
      onMeterError: (error) => failures.push(error),
    };
    const send = (payload: BalancePayload, sequence?: Sequence): void => {
      job.send(messageFor(RED, job.msg, payload, sequence));
      runner.status(balanceStatus(payload, timezone, runner.translate));
    };
    runner.status(stateStatus('asking', runner.translate));
    if (unit === 'now') {
      send(await balances.readNow({ ...target, intervalMs: momentMs(connection.transport) }, ask));
    } else {
      const frame = { unit, timezone, now: wallClock() };
      const prices = await choosePrices(config, timezone, evaluation);
      const step = stepOf(unit, config);
      const readPeriod = (period: Period, more: Partial<ReadBalanceOptions> = {}): Promise<BalancePayload> =>
        balances.read({ ...target, period, step, prices, wantsPeak: config.peak, counters: null }, { ...ask, ...more });
      const onProgress = (done: number, all: number): void => {
        if (done < all) runner.status(progressStatus(done, all));
      };
      if (span === 'range') {
        const periods = await choosePeriods(from, to, frame, evaluation);
        const id = RED.util.generateId();
        for (const [index, period] of periods.entries()) {
          runner.status(progressStatus(index, periods.length));
          send(await readPeriod(period), { id, index, count: periods.length });
        }
        runner.status(finishedStatus(periods.length, wallClock(), timezone));
      } else {
        send(await readPeriod(await choosePeriod(date, frame, evaluation), { onProgress }));
      }
    }
    // What is known has been sent; the message fails all the same, for a meter of the house is missing.
    const [failure] = failures;
    if (failure !== undefined) throw failure;
  }

  /** Readings of one moment are not further apart than the interval; for a message, than the interval that is usual. */
  function momentMs(transport: keyof typeof proposedIntervals.now): number {
    const seconds = Number(config.interval);
    return (seconds > 0 ? seconds : proposedIntervals.now[transport]) * 1000;
  }

  function watch(connectionNode: ConnectionNode, intervalMs: number): () => void {
    const outage = createOutage(runner);
    let stop: (() => void) | null = null;
    let stopped = false;
    const begin = async (): Promise<void> => {
      const connection = await connectionNode.connect();
      const target = await chooseHouse(config, evaluate(null));
      if (stopped) return;
      stop = balancesOf(connection).watch(
        { ...target, intervalMs },
        {
          onBalance(payload) {
            outage.over();
            runner.send(messageFor(RED, null, payload));
            runner.status(balanceStatus(payload, connection.timezone, runner.translate));
          },
          onAvailability: () => undefined,
          onError: (error) => {
            outage.failed(error);
          },
          onOtherShard(shard) {
            runner.status(stateStatus('elsewhere', runner.translate, { shard }));
          },
        },
      );
    };
    begin().catch((thrown: unknown) => {
      if (!stopped) runner.report(asCemmError(thrown));
    });
    return () => {
      stopped = true;
      stop?.();
    };
  }

  const dates = {
    one: [{ field: 'date', type: config.dateType }],
    range: [
      { field: 'from', type: config.fromType },
      { field: 'to', type: config.toType },
    ],
  };
  const isWatched = config.periodType === 'str' && config.period === 'now';
  keepPolling(
    RED,
    runner,
    {
      connection: config.connection,
      interval: config.interval,
      fields: [
        { field: 'monitor', type: config.monitorType },
        { field: 'period', type: config.periodType },
        ...(isWatched ? [] : [...dates[span], { field: 'prices', type: config.pricesType }]),
      ],
    },
    isWatched ? watch : (_connection, intervalMs) => startPolls(runner, intervalMs),
  );
}

/** @throws CemmError UNSUPPORTED `balance` */
function balancesOf({ balances }: { readonly balances: Balances | null }): Balances {
  if (balances !== null) return balances;
  throw new CemmError('UNSUPPORTED', { reason: 'balance' });
}

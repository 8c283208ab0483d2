/** `source: ask`: balances from requests over the connection. */
import type { Node } from 'node-red';
import { CemmError } from '../../src/errors';
import { systemClock } from '../../src/time/clock';
import { atMidnights } from '../../src/balance/requests/midnights';
import type { ReadBalanceOptions } from '../../src/balance/house-reader';
import type { CounterStore } from '../../src/balance/requests/period-reader';
import type { HouseBalances } from '../../src/balance/balances';
import { leastPeakAt } from '../../src/balance/prices/prices';
import type { DayRange } from '../../src/calendar/periods';
import type { BalancePayload } from '../../src/model/payload';
import { wallClock } from '../lib/stored/choice';
import {
  type ConnectionNode,
  findConnection,
  followConnection,
  isPolledByAnotherShard,
} from '../lib/run/connection-node';
import { withContext } from '../cemm-connection/kept-days';
import { namedStore } from '../lib/run/context-store';
import { messageFor } from '../lib/run/message';
import { asCemmError } from '../lib/run/node-error';
import { createOutageReporter, keepPolling, startPolls } from '../lib/run/polling';
import type { Job } from '../lib/run/runner';
import { stateStatus } from '../lib/run/status';
import type { Evaluation } from '../lib/stored/typed-input';
import { chooseBalancePeriod, chooseContracts, chooseHouse, choosePrices, pricesOfPeriods, stepOf } from './choose';
import { type BalanceConfig, proposedIntervals } from './config';
import {
  answering,
  billAsked,
  hasDates,
  hoursAsked,
  periodAsked,
  type PricesOfNode,
  progressAsked,
  questionIn,
  stepAsked,
  wantsPast,
  withDates,
} from './question';
import {
  type BalanceNode,
  type PeriodSource,
  type ReadListener,
  sendBalance,
  sendPeriod,
  sendSpan,
  withLanguage,
} from './spans';
import { answerPrices } from './price-answer';
import { balanceStatus } from './status';

/** Answers a message that asks for a balance, and handles any other message or a poll as the node is set. */
export async function readBalance(parts: BalanceNode, job: Job): Promise<void> {
  const { RED, node, config, runner } = parts;
  const evaluation: Evaluation = { RED, node, msg: job.msg };
  const connectionNode = findConnection(RED, config.connection);
  const connection = await connectionNode.connect();
  const { transport } = connection;
  // A CEMM 3.0 knows the zone in which its days begin.
  if (transport === 'public') await connection.monitors({ signal: job.signal }).catch(() => undefined);
  const { timezone } = connection;
  const question = questionIn(job.msg);
  if (question?.balance === 'prices') return answerPrices(parts, job, question, { timezone, transport });
  const balances = await balancesOf(connectionNode);
  const chosen = await chooseHouse(config, evaluation);
  const target = { ...chosen, monitor: question?.house ?? chosen.monitor };
  if (await isPolledByAnotherShard(job, connection, target.monitor, runner)) return;
  const unit = question?.balance ?? (await chooseBalancePeriod(config, evaluation));
  const failures: CemmError[] = [];
  const ask: ReadBalanceOptions = {
    signal: job.signal,
    patience: job.msg === null ? 'poll' : 'user',
    isBulk: question === null && config.span !== 'one',
    onMeterError: (error) => failures.push(error),
  };
  runner.status(stateStatus('asking', runner.translate));
  if (wantsPast(question, unit)) balances.readBack(target);
  if (unit === 'now') {
    const payload = await balances.readNow(
      {
        ...target,
        intervalMs: momentMs(config, transport),
        leastPeak: await leastPeakOf(config, timezone, evaluation),
      },
      ask,
    );
    sendBalance(parts, job, answering(question, payload), timezone);
  } else {
    const frame = { timezone, now: wallClock() };
    const wantsParts = progressAsked(question, config, unit);
    const reading = (listener: ReadListener | undefined): ReadBalanceOptions => {
      if (listener === undefined) return ask;
      const { onProgress, onPart } = listener;
      const onAnswer = (part: BalancePayload): void => {
        onPart(answering(question, part));
      };
      return { ...ask, onProgress, ...(wantsParts && { onPart: onAnswer }) };
    };
    const counters = balances.hasReadingsOfThePast ? null : counterStore(node, connectionNode);
    if (question !== null && unit === 'bill') {
      const ofNode: PricesOfNode = {
        contracts: (period) => chooseContracts(config, timezone, period, evaluation),
        prices: (period) => choosePrices(config, timezone, period, evaluation),
      };
      const usual = await billAsked(question, frame, ofNode);
      const known = hasDates(question) ? null : ((await balances.knownDays?.(target, usual.period, ask)) ?? null);
      const bill = known === null ? usual : await billAsked(withDates(question, known), frame, ofNode);
      const read: BillSource['read'] = async (period, listener) =>
        answering(question, await balances.bill({ ...target, ...bill, period, counters }, reading(listener)));
      await sendPeriod(parts, job, { timezone, read }, bill.period, question);
    } else if (unit !== 'bill') {
      const step = stepOf(unit, stepAsked(question, config));
      const wants = { wantsPeak: config.peak, wantsHours: hoursAsked(question) };
      const all = { ...target, ...wants, step, counters };
      const pricesOf = await pricesOfPeriods(config, timezone, evaluation);
      const source: PeriodSource = {
        unit,
        timezone,
        subject: async () => `${(await connection.monitor(target.monitor, { signal: job.signal })).id}/${step}`,
        read: async (period, listener) =>
          answering(
            question,
            await balances.read({ ...all, period, prices: await pricesOf(period) }, reading(listener)),
          ),
      };
      if (question === null) await sendSpan(parts, job, source);
      else await sendPeriod(parts, job, source, periodAsked(question, unit, frame), question);
    }
  }
  // The available data were sent, but the message fails, because a meter is missing.
  const [failure] = failures;
  if (failure !== undefined) throw failure;
}

type BillSource = PeriodSource<DayRange>;

/** Polls at the interval, and reads the counters of a local monitor at midnight. */
export function pollBalance(parts: BalanceNode): void {
  const { RED, config, runner } = parts;
  const isNow = config.periodType === 'str' && config.period === 'now';
  keepPolling(RED, runner, config, (connection, intervalMs) =>
    isNow ? watchMoments(parts, connection, intervalMs) : startPolls(runner, intervalMs),
  );
  if (!isNow) runner.onClose(keepCounters(parts));
}

function watchMoments(parts: BalanceNode, connectionNode: ConnectionNode, intervalMs: number) {
  const { RED, node, config, runner } = parts;
  const reporter = createOutageReporter(runner);
  let stop = (): void => undefined;
  let stopped = false;
  const begin = async (): Promise<void> => {
    const connection = await connectionNode.connect();
    const evaluation: Evaluation = { RED, node, msg: null };
    const target = await chooseHouse(config, evaluation);
    const leastPeak = await leastPeakOf(config, connection.timezone, evaluation);
    const balances = await balancesOf(connectionNode);
    if (stopped) return;
    stop = balances.watch(
      { ...target, intervalMs, leastPeak },
      {
        onBalance(payload) {
          reporter.over();
          runner.send(messageFor(RED, null, withLanguage(parts, payload)));
          runner.status(balanceStatus(payload, connection.timezone, runner.translate));
        },
        onError: (error) => {
          reporter.failed(error);
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
    stop();
  };
}

/** A monitor in the local network has current readings only, so they are also read at every midnight with interval 0. */
function keepCounters({ RED, node, config }: BalanceNode): () => void {
  return followConnection(RED, config.connection, {
    begin(connectionNode) {
      if (connectionNode.problem !== null || !['local', 'demo'].includes(connectionNode.mode)) return null;
      const abort = new AbortController();
      const { signal } = abort;
      let stop = (): void => undefined;
      const begin = async (): Promise<void> => {
        const connection = await connectionNode.connect();
        if (signal.aborted) return;
        stop = atMidnights(systemClock, connection.timezone, async () => {
          try {
            const target = await chooseHouse(config, { RED, node, msg: null });
            const balances = await balancesOf(connectionNode);
            await balances.keepCounters(target, counterStore(node, connectionNode), { signal, patience: 'poll' });
          } catch (thrown) {
            // The balance of that day has fewer counters and shows it.
            if (!signal.aborted) node.debug(asCemmError(thrown).message);
          }
        });
      };
      // Polls and messages report a connection that cannot be used.
      begin().catch(() => undefined);
      return () => {
        abort.abort();
        stop();
      };
    },
    failed: () => undefined,
  });
}

/** Stores counters by monitor with the past days of the connection, otherwise in the context of the node. */
function counterStore(node: Node, { readings }: ConnectionNode): CounterStore {
  const store = namedStore(node, 'counters');
  return withContext(readings?.() ?? null, {
    load: (monitor) => store.read(monitor),
    save: (monitor, state) => store.write(monitor, state),
  });
}

/** The least peak of the prices, W; null if neither the node nor its prices ask for peaks. Prices that cannot be read have none here. */
async function leastPeakOf(config: BalanceConfig, timezone: string, evaluation: Evaluation): Promise<number | null> {
  const prices = await choosePrices(config, timezone, null, evaluation).catch(() => null);
  const least = prices === null ? null : leastPeakAt(prices, wallClock());
  return least ?? (config.peak ? 0 : null);
}

/** Largest distance between simultaneous readings: the interval, or for a message the default one. */
function momentMs({ interval }: BalanceConfig, transport: keyof typeof proposedIntervals.now): number {
  return (interval || proposedIntervals.now[transport]) * 1000;
}

/** @throws {CemmError} UNSUPPORTED `balance`, and as connect() */
async function balancesOf(connection: ConnectionNode): Promise<HouseBalances> {
  const balances = await connection.balances();
  if (balances !== null) return balances;
  throw new CemmError('UNSUPPORTED', { reason: 'balance' });
}

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
import { choosePeriodWord, choosePatience, wallClock } from '../lib/stored/choice';
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
import { createOutageReporter, keepPolling, startNodeTimer, startPolls } from '../lib/run/polling';
import type { Job } from '../lib/run/runner';
import { stateStatus } from '../lib/run/status';
import type { Evaluation } from '../lib/stored/typed-input';
import { chooseHouse, HousePrices } from './choose';
import { type BalanceConfig, balancePeriods, proposedIntervals } from './config';
import { createQuestion, findPeriod, parseBill, parseQuestion } from './question';
import {
  type BalanceNode,
  type PeriodSource,
  sendBalance,
  sendPeriod,
  sendSpan,
  type SpanSource,
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
  if (transport === 'public') await connection.listMonitors({ signal: job.signal }).catch(() => undefined);
  const { timezone } = connection;
  const ofMessage = parseQuestion(config, job.msg);
  if (ofMessage?.balance === 'prices') return answerPrices(parts, job, ofMessage, { timezone, transport });
  const balances = await balancesOf(connectionNode);
  const chosen = await chooseHouse(config, evaluation);
  const target = { ...chosen, monitor: ofMessage?.house ?? chosen.monitor };
  if (await isPolledByAnotherShard(job, connection, target.monitor, runner)) return;
  const question = ofMessage ?? createQuestion(config, await choosePeriodWord(config, balancePeriods, evaluation));
  const failures: CemmError[] = [];
  const options: ReadBalanceOptions = {
    signal: job.signal,
    patience: choosePatience(job.msg),
    isBulk: ofMessage === null && config.span !== 'one',
    onMeterError: (error) => failures.push(error),
  };
  runner.status(stateStatus('asking', runner.translate));
  if (question.wantsPast) balances.readBack(target);
  const frame = { timezone, now: wallClock() };
  const housePrices = new HousePrices(config, timezone, evaluation);
  const counters = balances.hasReadingsOfThePast ? null : counterStore(node, connectionNode);
  switch (question.balance) {
    case 'now': {
      const leastPeak = await leastPeakOf(config, timezone, evaluation);
      const payload = await balances.readNow(
        { ...target, intervalMs: momentMs(config, transport), leastPeak },
        options,
      );
      sendBalance(parts, job, question, payload, timezone);
      break;
    }
    case 'bill': {
      const { hasDates, batteriesKwh, ...bill } = await parseBill(question, frame);
      const known = hasDates ? null : ((await balances.knownDays?.(target, bill.period, options)) ?? null);
      const days = known ?? bill.period;
      const prices = bill.prices ?? (await housePrices.ofBill(days));
      const billed = { ...target, ...prices, batteriesKwh, hasDates: hasDates || known !== null, counters };
      const read: SpanSource<DayRange>['read'] = (period, listener) =>
        balances.bill({ ...billed, period }, { ...options, ...listener });
      await sendPeriod(parts, job, { question, timezone, read }, days);
      break;
    }
    case 'day':
    case 'week':
    case 'month':
    case 'year': {
      const { step, wantsHours } = question;
      const all = { ...target, wantsPeak: config.peak, wantsHours, step, counters };
      const pricesOf = await housePrices.ofPeriods();
      const source: PeriodSource = {
        question,
        timezone,
        subject: async () => `${(await connection.monitor(target.monitor, { signal: job.signal })).id}/${step}`,
        read: async (period, listener) =>
          balances.read({ ...all, period, prices: await pricesOf(period) }, { ...options, ...listener }),
      };
      if (ofMessage === null) await sendSpan(parts, job, source);
      else await sendPeriod(parts, job, source, findPeriod(question, frame));
    }
  }
  // The available data were sent, but the message fails, because a meter is missing.
  const [failure] = failures;
  if (failure !== undefined) throw failure;
}

/** Polls at the interval, and reads the counters of a local monitor at midnight. */
export function pollBalance(parts: BalanceNode): void {
  const { RED, config, runner } = parts;
  const isNow = config.periodType === 'str' && config.period === 'now';
  keepPolling(RED, runner, config, (connection, intervalMs) =>
    isNow ? watchMoments(parts, connection, intervalMs) : startPolls(runner, intervalMs),
  );
  if (!isNow) runner.onClose(startKeepingCounters(parts));
}

/** Types of properties whose value cannot change before the next deploy. */
const fixedTypes: readonly string[] = ['str', 'env', 'none', 'json'];

/** A house and prices of another source, such as context or an expression, are read again at the interval, and followed. */
function watchMoments(parts: BalanceNode, connectionNode: ConnectionNode, intervalMs: number) {
  const { RED, node, config, runner } = parts;
  const reporter = createOutageReporter(runner);
  // Balances of the watched house end an outage of its meters, but not that of a choice that fails meanwhile.
  const choiceReporter = createOutageReporter(runner);
  const isFixed = [config.monitorType, config.pricesType].every((type) => fixedTypes.includes(type));
  let watched: string | null = null;
  let stop = (): void => undefined;
  let stopped = false;
  const begin = async (): Promise<void> => {
    const connection = await connectionNode.connect();
    const evaluation: Evaluation = { RED, node, msg: null };
    const house = await chooseHouse(config, evaluation);
    const leastPeak = await leastPeakOf(config, connection.timezone, evaluation);
    const balances = await balancesOf(connectionNode);
    if (stopped) return;
    choiceReporter.over();
    const target = { ...house, intervalMs, leastPeak };
    const key = JSON.stringify(target);
    if (key === watched) return;
    stop();
    watched = key;
    stop = balances.watch(target, {
      onBalance(payload) {
        reporter.over();
        runner.send(messageFor(RED, null, withLanguage(parts, payload)));
        runner.status(balanceStatus(payload, connection.timezone, runner.translate));
      },
      onError: (error) => {
        reporter.failed(error);
      },
      onOtherShard(shard) {
        runner.status(stateStatus('other_shard', runner.translate, { shard }));
      },
    });
    if (isFixed) stopTimer();
  };
  const stopTimer = startNodeTimer(runner, intervalMs, () =>
    begin().catch((thrown: unknown) => {
      if (!stopped) choiceReporter.failed(asCemmError(thrown));
    }),
  );
  return () => {
    stopped = true;
    stopTimer();
    stop();
  };
}

/** A monitor in the local network has current readings only, so they are also read at every midnight with interval 0. */
function startKeepingCounters({ RED, node, config }: BalanceNode): () => void {
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
  const prices = await new HousePrices(config, timezone, evaluation).at(null).catch(() => null);
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

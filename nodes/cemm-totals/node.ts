/** Meter readings of a day. */
import type { Node, NodeAPI } from 'node-red';
import { findConnection, isPolledByAnotherShard } from '../lib/run/connection-node';
import { messageFor } from '../lib/run/message';
import { alias, mac } from '../lib/editor/checks';
import { parseProperties } from '../lib/stored/stored-properties';
import { chooseMeter, choosePeriod, choosePatience, wallClock } from '../lib/stored/choice';
import { runPolls } from '../lib/run/polling';
import { createRunner, type Job } from '../lib/run/runner';
import { periodStatus, stateStatus } from '../lib/run/status';
import { type Evaluation, expandEnv } from '../lib/stored/typed-input';
import { type TotalsConfig, totalsFields } from './config';
import { storedDay } from './day-check';

export function startNode(RED: NodeAPI, node: Node, stored: Partial<TotalsConfig>): void {
  const properties = parseProperties(
    { rules: totalsFields, checks: { mac, alias, day: storedDay }, expand: (text) => expandEnv(RED, node, text) },
    stored,
  );
  const { config } = properties;
  const runner = createRunner(RED, node, { connection: config.connection, properties, parallel: 1, work: read });
  const date = { field: 'date', value: config.date, type: config.dateType };

  const evaluate = (msg: Job['msg']): Evaluation => ({ RED, node, msg });

  async function read(job: Job): Promise<void> {
    const { msg, signal, send } = job;
    const evaluation = evaluate(msg);
    const connection = await findConnection(RED, config.connection).connect();
    const { timezone } = connection;
    const target = await chooseMeter(config, evaluation);
    if (await isPolledByAnotherShard(job, connection, target.monitor, runner)) return;
    const day = await choosePeriod(date, { unit: 'day', timezone, now: wallClock() }, evaluation);
    runner.status(stateStatus('asking', runner.translate));
    const totals = await connection.readTotals(target, day, { signal, patience: choosePatience(msg) });
    send(messageFor(RED, msg, totals));
    runner.status(periodStatus(day.label, runner.translate));
  }

  runPolls(RED, runner, config);
}

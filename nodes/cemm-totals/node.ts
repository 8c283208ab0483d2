/** Meter readings of a day. */
import type { Node, NodeAPI } from 'node-red';
import { findConnection, isPolledByAnotherShard } from '../lib/connection-node';
import { messageFor } from '../lib/message';
import { migrated } from '../lib/migrate';
import { chooseMeter, choosePeriod, wallClock } from '../lib/choice';
import { runPolls } from '../lib/polling';
import { createRunner, type Job } from '../lib/runner';
import { periodStatus, stateStatus } from '../lib/status';
import type { Evaluation } from '../lib/typed-input';
import { type TotalsConfig, totalsDefaults } from './config';

export function startNode(RED: NodeAPI, node: Node, stored: Partial<TotalsConfig>): void {
  const config = migrated(totalsDefaults, stored);
  const runner = createRunner(RED, node, { connection: config.connection, parallel: 1, work: read });
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
    const patience = msg === null ? 'poll' : 'user';
    const totals = await connection.readTotals(target, day, { signal, patience });
    send(messageFor(RED, msg, totals));
    runner.status(periodStatus(day.label, runner.translate));
  }

  runPolls(RED, runner, {
    connection: config.connection,
    interval: config.interval,
    fields: [
      { field: 'monitor', type: config.monitorType },
      { field: 'alias', type: config.aliasType },
      { field: 'date', type: config.dateType },
    ],
  });
}

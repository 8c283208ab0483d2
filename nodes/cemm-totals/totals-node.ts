/** Meter readings of a day. */
import type { Node, NodeAPI } from 'node-red';
import { findConnection } from '../shared/connection-node';
import { isElsewhere } from '../shared/elsewhere';
import { messageFor } from '../shared/message';
import { chooseMeter } from '../shared/meter-choice';
import { choosePeriod, wallClock } from '../shared/period-choice';
import { pollInRounds } from '../shared/poll-rounds';
import { createRunner, type Job } from '../shared/runner';
import { periodStatus, stateStatus } from '../shared/status-table';
import type { Evaluation } from '../shared/typed-input';
import { totalsDefaults, type TotalsConfig } from './config';

export function startTotals(RED: NodeAPI, node: Node, stored: Partial<TotalsConfig>): void {
  // A flow of an older release has not all fields.
  const config = { ...totalsDefaults, ...stored };
  const runner = createRunner(RED, node, { parallel: 1, work: read });
  const date = { field: 'date', value: config.date, type: config.dateType };

  const evaluate = (msg: Job['msg']): Evaluation => ({ RED, node, msg });

  async function read(job: Job): Promise<void> {
    const { msg, signal, send } = job;
    const evaluation = evaluate(msg);
    const installation = await findConnection(RED, config.connection).installation();
    const { timezone } = installation;
    const target = await chooseMeter(config, evaluation);
    if (await isElsewhere(job, installation, target.monitor, runner)) return;
    const day = await choosePeriod(date, { unit: 'day', timezone, now: wallClock() }, evaluation);
    runner.status(stateStatus('asking', runner.say));
    const patience = msg === null ? 'poll' : 'user';
    const totals = await installation.readTotals(target, day, { signal, patience });
    send(messageFor(RED, msg, totals));
    runner.status(periodStatus(day.label, runner.say));
  }

  pollInRounds(RED, runner, {
    connection: config.connection,
    interval: config.interval,
    fields: [
      { field: 'monitor', type: config.monitorType },
      { field: 'alias', type: config.aliasType },
      { field: 'date', type: config.dateType },
    ],
  });
}

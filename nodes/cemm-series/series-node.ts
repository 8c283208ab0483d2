/** Day, month or year series: of one period, of a range of periods, or only the samples that are new. */
import type { Node, NodeAPI } from 'node-red';
import type { Installation, MeterTarget } from '../../src/installation/installation';
import type { Period } from '../../src/calendar/period';
import type { PeriodSeriesPayload } from '../../src/model/payload';
import { findConnection } from '../shared/connection-node';
import { isElsewhere } from '../shared/elsewhere';
import { inOrder } from '../shared/in-order';
import { messageFor } from '../shared/message';
import { chooseMeter } from '../shared/meter-choice';
import { choosePeriod, choosePeriods, wallClock } from '../shared/period-choice';
import { pollInRounds } from '../shared/poll-rounds';
import { createRunner, type Job } from '../shared/runner';
import { periodStatus, progressStatus, stateStatus } from '../shared/status-table';
import type { Evaluation } from '../shared/typed-input';
import { seriesDefaults, seriesSpans, type SeriesConfig } from './config';
import { chooseChannel } from './channel-choice';
import { choosePeriodUnit } from './unit-choice';
import { sendNewSamples } from './new-span';

/** Requests of one node at a time. */
const IN_THE_AIR = 2;

export function startSeries(RED: NodeAPI, node: Node, stored: Partial<SeriesConfig>): void {
  // A flow of an older release has not all fields.
  const config = { ...seriesDefaults, ...stored };
  const span = seriesSpans.find((known) => known === config.span) ?? 'one';
  const runner = createRunner(RED, node, { parallel: 1, work: read, isStop: (msg) => msg['stop'] === true });
  const date = { field: 'date', value: config.date, type: config.dateType };
  const from = { field: 'from', value: config.from, type: config.fromType };
  const to = { field: 'to', value: config.to, type: config.toType };

  const evaluate = (msg: Job['msg']): Evaluation => ({ RED, node, msg });

  async function read(job: Job): Promise<void> {
    const evaluation = evaluate(job.msg);
    const installation = await findConnection(RED, config.connection).installation();
    if (installation.transport === 'public') return sendRecent(job, installation, evaluation);
    const target = await chooseMeter(config, evaluation);
    if (await isElsewhere(job, installation, target.monitor, runner)) return;
    const unit = await choosePeriodUnit(config, evaluation);
    const frame = { unit, timezone: installation.timezone, now: wallClock() };
    const ask = asking(installation, target, job);
    runner.status(stateStatus('asking', runner.say));
    switch (span) {
      case 'one':
        return sendOne(job, ask, await choosePeriod(date, frame, evaluation));
      case 'range':
        return sendRange(job, ask, await choosePeriods(from, to, frame, evaluation));
      case 'new': {
        const monitor = await installation.monitor(target.monitor, { signal: job.signal });
        const meter = `${monitor.id}/${target.alias}`;
        return sendNewSamples({ RED, node: evaluation.node, runner, job, frame, ask, meter });
      }
    }
  }

  async function sendRecent(job: Job, installation: Installation, evaluation: Evaluation): Promise<void> {
    const target = await chooseChannel(config, evaluation);
    if (await isElsewhere(job, installation, target.monitor, runner)) return;
    runner.status(stateStatus('asking', runner.say));
    const payload = await installation.readTimeseries(target, { signal: job.signal, patience: patienceOf(job) });
    job.send(messageFor(RED, job.msg, payload));
    runner.status(periodStatus(payload.period.label, runner.say));
  }

  async function sendOne(job: Job, ask: Ask, period: Period): Promise<void> {
    job.send(messageFor(RED, job.msg, await ask(period)));
    runner.status(periodStatus(period.label, runner.say));
  }

  async function sendRange(job: Job, ask: Ask, periods: Period[]): Promise<void> {
    const id = RED.util.generateId();
    const count = periods.length;
    runner.status(progressStatus(0, count));
    await inOrder(periods, IN_THE_AIR, ask, (payload, index) => {
      job.send(messageFor(RED, job.msg, payload, { id, index, count }));
      runner.status(progressStatus(index + 1, count));
    });
  }

  const dates = {
    one: [{ field: 'date', type: config.dateType }],
    range: [
      { field: 'from', type: config.fromType },
      { field: 'to', type: config.toType },
    ],
    new: [],
  };
  pollInRounds(RED, runner, {
    connection: config.connection,
    interval: config.interval,
    fields: (mode) => [
      { field: 'monitor', type: config.monitorType },
      ...(mode === 'public'
        ? [
            { field: 'meter', type: config.meterType },
            { field: 'channel', type: config.channelType },
          ]
        : [{ field: 'alias', type: config.aliasType }, { field: 'period', type: config.periodType }, ...dates[span]]),
    ],
  });
}

type Ask = (period: Period) => Promise<PeriodSeriesPayload>;

function asking(installation: Installation, target: MeterTarget, job: Job): Ask {
  const { signal } = job;
  return (period) => installation.readSeries(target, period, { signal, patience: patienceOf(job) });
}

function patienceOf({ msg }: Job): 'poll' | 'user' {
  return msg === null ? 'poll' : 'user';
}

/** Day, month or year series of one period, of a range of periods, or only of the new samples. */
import type { Node, NodeAPI } from 'node-red';
import { CemmError } from '../../src/errors';
import {
  chooseMeter,
  choosePeriod,
  choosePeriods,
  choosePeriodWord,
  choosePatience,
  wallClock,
} from '../lib/stored/choice';
import { type Evaluation, expandEnv, resolveText } from '../lib/stored/typed-input';
import { type SeriesConfig, seriesFields, seriesPeriods } from './config';
import type { ChannelTarget, MonitorConnection } from '../../src/connection/connection';
import type { PeriodOf, SeriesUnit } from '../../src/calendar/periods';
import type { PeriodSeriesPayload } from '../../src/model/payload';
import { findConnection, isPolledByAnotherShard } from '../lib/run/connection-node';
import { sendNewSamples } from '../lib/run/incremental';
import { dateIn, sendRange } from '../lib/run/span';
import { unsentSeries } from '../../src/model/incremental-series';
import { messageFor } from '../lib/run/message';
import { runPolls } from '../lib/run/polling';
import { alias, dateChecks, mac } from '../lib/editor/checks';
import { parseProperties } from '../lib/stored/stored-properties';
import { channelChecks } from './channel-checks';
import { createRunner, type Job } from '../lib/run/runner';
import { periodStatus, stateStatus } from '../lib/run/status';

/** Requests of one node at a time. */
const mostInFlight = 2;

export function startNode(RED: NodeAPI, node: Node, stored: Partial<SeriesConfig>): void {
  const properties = parseProperties(
    {
      rules: seriesFields,
      checks: { mac, alias, ...dateChecks, ...channelChecks },
      expand: (text) => expandEnv(RED, node, text),
    },
    stored,
  );
  const { config } = properties;
  const runner = createRunner(RED, node, {
    connection: config.connection,
    properties,
    parallel: 1,
    work: read,
    isStop: (msg) => msg['stop'] === true,
  });
  const evaluate = (msg: Job['msg']): Evaluation => ({ RED, node, msg });

  async function read(job: Job): Promise<void> {
    const evaluation = evaluate(job.msg);
    const connection = await findConnection(RED, config.connection).connect();
    if (connection.transport === 'public') return sendRecent(job, connection, evaluation);
    const target = await chooseMeter(config, evaluation);
    if (await isPolledByAnotherShard(job, connection, target.monitor, runner)) return;
    const unit = await choosePeriodWord(config, seriesPeriods, evaluation);
    const frame = { unit, timezone: connection.timezone, now: wallClock() };
    const isBulk = config.span !== 'one';
    const readPeriod: ReadPeriod = (period) =>
      connection.readSeries(target, period, { signal: job.signal, patience: choosePatience(job.msg), isBulk });
    runner.status(stateStatus('asking', runner.translate));
    switch (config.span) {
      case 'one':
        return sendOne(job, readPeriod, await choosePeriod(dateIn(config, 'date'), frame, evaluation));
      case 'range':
        return sendRange({
          RED,
          runner,
          job,
          readPeriod,
          timezone: frame.timezone,
          parallel: mostInFlight,
          periods: await choosePeriods(dateIn(config, 'from'), dateIn(config, 'to'), frame, evaluation),
        });
      case 'new': {
        const monitor = await connection.monitor(target.monitor, { signal: job.signal });
        const subject = `${monitor.id}/${target.alias}`;
        return sendNewSamples({
          RED,
          node: evaluation.node,
          runner,
          job,
          frame,
          readPeriod,
          subject,
          unsent: unsentSeries,
        });
      }
    }
  }

  async function sendRecent(job: Job, connection: MonitorConnection, evaluation: Evaluation): Promise<void> {
    const target = await chooseChannel(config, evaluation);
    if (await isPolledByAnotherShard(job, connection, target.monitor, runner)) return;
    runner.status(stateStatus('asking', runner.translate));
    const payload = await connection.readTimeseries(target, { signal: job.signal, patience: choosePatience(job.msg) });
    job.send(messageFor(RED, job.msg, payload));
    runner.status(periodStatus(payload.period.label, runner.translate));
  }

  async function sendOne(job: Job, readPeriod: ReadPeriod, period: PeriodOf<SeriesUnit>): Promise<void> {
    job.send(messageFor(RED, job.msg, await readPeriod(period)));
    runner.status(periodStatus(period.label, runner.translate));
  }

  runPolls(RED, runner, config);
}

type ReadPeriod = (period: PeriodOf<SeriesUnit>) => Promise<PeriodSeriesPayload>;

/**
 * The channel of a CEMM 3.0, with resolution, count and include.
 * @throws {CemmError} as resolveText, and INPUT `no_channel`
 */
async function chooseChannel(config: SeriesConfig, evaluation: Evaluation): Promise<ChannelTarget> {
  const monitor = await resolveText('monitor', config.monitor, config.monitorType, evaluation);
  const meter = await resolveText('meter', config.meter, config.meterType, evaluation);
  const channel = await resolveText('channel', config.channel, config.channelType, evaluation);
  if (channel === null) {
    throw new CemmError('INPUT', { reason: 'no_channel' });
  }
  const expanded = (text: string): string => expandEnv(evaluation.RED, evaluation.node, text).trim();
  return {
    monitor,
    meter,
    channel,
    role: config.role,
    resolution: expanded(config.resolution),
    count: config.count,
    include: expanded(config.include),
  };
}

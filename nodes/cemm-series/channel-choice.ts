/** Which channel of a CEMM 3.0 a message (or a round of polling) is about, and how much of it. */
import { CemmError } from '../../src/clients/errors';
import type { ChannelTarget } from '../../src/installation/installation';
import { expandEnv } from '../shared/env-text';
import { roleChoices } from '../shared/meter-config';
import { typeOf } from '../shared/meter-choice';
import { resolveText, type Evaluation } from '../shared/typed-input';
import type { SeriesConfig } from './config';

/** @throws CemmError as resolveText, and INPUT `no_channel` */
export async function chooseChannel(config: SeriesConfig, evaluation: Evaluation): Promise<ChannelTarget> {
  const monitor = await resolveText('monitor', config.monitor, typeOf(config.monitorType), evaluation);
  const meter = await resolveText('meter', config.meter, typeOf(config.meterType), evaluation);
  const channel = await resolveText('channel', config.channel, typeOf(config.channelType), evaluation);
  if (channel === null) {
    throw new CemmError('INPUT', 'No channel is chosen: choose one of those that the monitor lists.', {
      reason: 'no_channel',
    });
  }
  const expanded = (text: unknown): string => expandEnv(evaluation.RED, evaluation.node, String(text)).trim();
  return {
    monitor,
    meter,
    channel,
    role: roleChoices.find((choice) => choice === config.role) ?? 'auto',
    resolution: expanded(config.resolution),
    // A number, or a numeric text from an environment variable; what is none, the client refuses.
    count: Number(expanded(config.count) || NaN),
    include: expanded(config.include),
  };
}

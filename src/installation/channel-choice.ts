/** The channel that is meant, among those that a monitor lists. */
import { CemmError } from '../clients/errors';
import { isChannelName } from '../limits';
import type { PublicChannel, PublicMeter } from '../wire/public-answers';
import type { ChannelTarget } from './installation';

export interface ChosenChannel {
  readonly meter: PublicMeter;
  readonly channel: PublicChannel;
  /** As the monitor is asked for it. */
  readonly name: string;
}

/** @throws CemmError `ALIAS` with reason `no_channel`, or `INPUT` with reason `several_channels` */
export function chooseChannel(
  meters: readonly PublicMeter[],
  wanted: Pick<ChannelTarget, 'meter' | 'channel'>,
): ChosenChannel {
  const [meterKey, channelKey] = splitName(wanted);
  const all = meters
    .filter(({ key }) => meterKey === null || key === meterKey)
    .flatMap((meter) => meter.channels.map((channel) => ({ meter, channel })));
  const byKey = all.filter(({ channel }) => channel.key === channelKey);
  // A number is one only where no channel has it for a key.
  const found = byKey.length > 0 ? byKey : all.filter(({ channel }) => String(channel.id) === channelKey);
  const [first, second] = found;
  if (first === undefined) {
    throw new CemmError(
      'ALIAS',
      'The monitor does not list this meter and channel. Choose one of those that it lists.',
      { endpoint: 'timeseries', reason: 'no_channel' },
    );
  }
  if (second !== undefined) {
    throw new CemmError('INPUT', 'Several meters have this channel: choose the meter, too.', {
      endpoint: 'timeseries',
      reason: 'several_channels',
    });
  }
  return { ...first, name: nameOf(first) };
}

/** A channel may come with its meter in one text, as the monitor itself writes them. */
function splitName({ meter, channel }: Pick<ChannelTarget, 'meter' | 'channel'>): readonly [string | null, string] {
  const colon = channel.indexOf(':');
  return meter === null && colon > 0 ? [channel.slice(0, colon), channel.slice(colon + 1)] : [meter, channel];
}

/** By its keys; by its number where somebody has put a separator into a key. */
function nameOf({ meter, channel }: Omit<ChosenChannel, 'name'>): string {
  const name = `${meter.key}:${channel.key}`;
  return isChannelName(name) || channel.id === null ? name : String(channel.id);
}

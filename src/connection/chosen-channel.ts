/** The channel of a public API that a request names, by its key or number. */
import { isChannelName } from '../checks/limits';
import { CemmError } from '../errors';
import type { PublicChannel, PublicMeter } from '../protocol/responses';
import type { ChannelTarget } from './connection';

export interface ChosenChannel {
  readonly meter: PublicMeter;
  readonly channel: PublicChannel;
  /** Name of the channel in the request. */
  readonly name: string;
}

/**
 * Selects the requested channel.
 * @throws {CemmError} ALIAS `no_channel`; INPUT `several_channels`
 */
export function chooseChannel(
  meters: readonly PublicMeter[],
  wanted: Pick<ChannelTarget, 'meter' | 'channel'>,
): ChosenChannel {
  const [meterKey, channelKey] = splitName(wanted);
  const all = meters
    .filter(({ key }) => meterKey === null || key === meterKey)
    .flatMap((meter) => meter.channels.map((channel) => ({ meter, channel })));
  const byKey = all.filter(({ channel }) => channel.key === channelKey);
  // A text counts as a channel number only if it is not a key.
  const found = byKey.length > 0 ? byKey : all.filter(({ channel }) => String(channel.id) === channelKey);
  const [first, second] = found;
  if (first === undefined) {
    throw new CemmError('ALIAS', { endpoint: 'timeseries', reason: 'no_channel' });
  }
  if (second !== undefined) {
    throw new CemmError('INPUT', { endpoint: 'timeseries', reason: 'several_channels' });
  }
  return { ...first, name: nameChannel(first) };
}

/** Splits a channel that contains its meter: `<meter>:<channel>`. */
function splitName({ meter, channel }: Pick<ChannelTarget, 'meter' | 'channel'>): readonly [string | null, string] {
  const colon = channel.indexOf(':');
  return meter === null && colon > 0 ? [channel.slice(0, colon), channel.slice(colon + 1)] : [meter, channel];
}

/** `<meter>:<channel>`; the number when a key contains a separator. */
function nameChannel({ meter, channel }: Omit<ChosenChannel, 'name'>): string {
  const name = `${meter.key}:${channel.key}`;
  return isChannelName(name) || channel.id === null ? name : String(channel.id);
}

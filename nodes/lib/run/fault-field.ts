/** Finds the dialog field that an error is about, with its name in the dialog. */
import type { CemmError } from '../../../src/errors';
import type { Translate } from './translate';

const meter = 'form.alias';
const monitor = 'form.monitor';

/** Reason of the error → key of the field's name. */
const fields: Readonly<Record<string, string>> = {
  mode: 'cemm-connection:field.mode',
  mac: 'cemm-connection:field.mac',
  no_key: 'cemm-connection:field.apiKey',
  timezone: 'cemm-connection:field.timezone',
  deadline: 'cemm-connection:field.deadline',
  shard: 'cemm-connection:field.shard',
  shard_range: 'cemm-connection:field.shard',
  mode_public: 'cemm-connection:field.mode',
  mode_local: 'cemm-connection:field.mode',
  interval: 'form.interval',
  alias: meter,
  no_alias: meter,
  monitor,
  not_a_mac: monitor,
  several_monitors: monitor,
  unknown_monitor: monitor,
  other_monitor: monitor,
  channel: 'field.channel',
  no_channel: 'field.channel',
  several_channels: 'field.meter',
  resolution: 'field.resolution',
  count: 'field.count',
  include: 'field.include',
  not_a_day: 'field.date',
  broadcast: 'field.broadcast',
  also_try: 'field.host',
  wait: 'field.wait',
};

/** Null if the error is about no field, or about one without a name. */
export function faultField(error: CemmError, translate: Translate): string | null {
  const { field } = error.params;
  if (field !== undefined) return translate(`field.${field}`) ?? translate(`form.${field}`) ?? String(field);
  if (error.code !== 'CONFIG' && error.code !== 'INPUT') return null;
  const key = findLabelKey(error.reason ?? '');
  return key === undefined ? null : translate(key);
}

function findLabelKey(reason: string): string | undefined {
  if (reason.startsWith('host_')) return 'cemm-connection:field.host';
  if (reason.startsWith('base_')) return 'cemm-connection:field.baseUrl';
  return Object.hasOwn(fields, reason) ? fields[reason] : undefined;
}

/** Converts any payload of this package to the format of a destination. */
import type { Node, NodeAPI, NodeMessage } from 'node-red';
import { CemmError } from '../../src/errors';
import { formats, readNumber } from '../../src/limits';
import type { Formatted } from '../../src/formats/formatted';
import { createFormatter } from '../../src/formats/formatter';
import { lineName } from '../lib/line-name';
import { migrated } from '../lib/migrate';
import { createRunner, type Job } from '../lib/runner';
import { stateStatus } from '../lib/status';
import { type FormatConfig, expireSeconds, formatDefaults } from './config';

export function startNode(RED: NodeAPI, node: Node, stored: Partial<FormatConfig>): void {
  const config = migrated(formatDefaults, stored);
  const runner = createRunner(RED, node, { parallel: 1, work: convert });
  const name = formats.find((known) => known === config.format) ?? formatDefaults.format;
  const expireAfter = name === 'homeassistant' ? secondsFrom(config.expireAfter) : null;
  const format = createFormatter(name, {
    fields: config.fields,
    names: (field) => (/^\w+$/.test(field) ? nameOf(field) : null),
    language: runner.translate('status.numbers') ?? undefined,
    expireAfter,
    fetchButton: config.fetchButton,
  });

  /** Some fields have a longer name as a sensor, which stands alone, than as a line of a chart. */
  function nameOf(field: string): string | null {
    const sensor = name === 'homeassistant' ? runner.translate(`device.${field}`) : null;
    return sensor ?? lineName(field, runner.translate);
  }

  function convert({ msg, send }: Job): Promise<void> {
    if (Number.isNaN(expireAfter)) throw new CemmError('CONFIG', { reason: 'expire_after', params: expireSeconds });
    for (const formatted of msg === null ? [] : format({ ...msg, payload: msg.payload }))
      send(messageOf(msg, formatted));
    runner.status(stateStatus('idle', runner.translate));
    return Promise.resolve();
  }

  /** A copy for each, without the replaced payload, which may contain a year of points. */
  function messageOf(msg: Job['msg'], formatted: Formatted): NodeMessage {
    const kept: NodeMessage = RED.util.cloneMessage({ ...msg, payload: undefined });
    return Object.assign(kept, formatted);
  }
}

/** Null if it is blank, NaN if it is invalid. */
function secondsFrom(stored: unknown): number | null {
  if (String(stored).trim() === '') return null;
  const seconds = readNumber(stored) ?? NaN;
  return seconds >= expireSeconds.min && seconds <= expireSeconds.max ? Math.round(seconds) : NaN;
}

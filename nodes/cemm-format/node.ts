/** Converts any payload of this package to the format of a destination. */
import type { Node, NodeAPI, NodeMessage } from 'node-red';
import { CemmError } from '../../src/errors';
import type { Formatted } from '../../src/formats/formatted';
import { createFormatter } from '../../src/formats/formatter';
import { findConnection } from '../lib/run/connection-node';
import { lineName } from '../lib/run/line-name';
import { createRunner, type Job } from '../lib/run/runner';
import { stateStatus } from '../lib/run/status';
import { parseProperties } from '../lib/stored/stored-properties';
import { expandEnv } from '../lib/stored/typed-input';
import { type FormatConfig, formatFields } from './config';

export function startNode(RED: NodeAPI, node: Node, stored: Partial<FormatConfig>): void {
  const properties = parseProperties(
    { rules: formatFields, checks: {}, expand: (text) => expandEnv(RED, node, text) },
    stored,
  );
  const { config } = properties;
  const runner = createRunner(RED, node, { properties, parallel: 1, work: convert });
  const { format: name, expireAfter } = config;
  const format = createFormatter(name, {
    fields: config.fields,
    names: (field) => (/^\w+$/.test(field) ? findFieldTitle(field) : null),
    language: runner.translate('status.numbers') ?? undefined,
    expireAfter: name !== 'homeassistant' || typeof expireAfter === 'string' ? null : Math.round(expireAfter),
    fetchButton: config.fetchButton,
  });

  /** Some fields have a longer name as a sensor, which stands alone, than as a line of a chart. */
  function findFieldTitle(field: string): string | null {
    const sensor = name === 'homeassistant' ? runner.translate(`device.${field}`) : null;
    return sensor ?? lineName(field, runner.translate);
  }

  async function convert({ msg, send }: Job): Promise<void> {
    if (msg !== null) {
      const { timezone } = await readHouseTimezone(msg);
      for (const formatted of format({ ...msg, payload: msg.payload, timezone })) send(messageOf(msg, formatted));
    }
    runner.status(stateStatus('idle', runner.translate));
  }

  /**
   * The time zone of a price list.
   * @throws {CemmError} INPUT `price_list` for a message with another zone than the connection's
   */
  async function readHouseTimezone(
    msg: NodeMessage & { readonly timezone?: unknown },
  ): Promise<{ readonly timezone: unknown }> {
    if (name !== 'price-list' || config.connection === '') return { timezone: msg.timezone };
    const house = findConnection(RED, config.connection);
    const timezone = house.timezone ?? (await house.connect()).timezone;
    if ((msg.timezone ?? timezone) === timezone) return { timezone };
    throw new CemmError('INPUT', { reason: 'price_list', params: { path: 'msg.timezone' } });
  }

  /** A copy for each, without the replaced payload, which may contain a year of points. */
  function messageOf(msg: Job['msg'], formatted: Formatted): NodeMessage {
    const kept: NodeMessage = RED.util.cloneMessage({ ...msg, payload: undefined });
    return Object.assign(kept, formatted);
  }
}

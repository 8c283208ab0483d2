/** Lists the monitors of the network, the monitors of a connection, or the meters of a monitor. */
import type { Node, NodeAPI, NodeMessage } from 'node-red';
import type { ReadOptions, MonitorConnection } from '../../src/connection/connection';
import { SeenMonitors } from '../../src/discovery/seen-monitors';
import { meterPayload, monitorPayload } from '../../src/model/monitor-payloads';
import type { MeterPayload, MonitorPayload } from '../../src/model/payload';
import { topicOf } from '../../src/model/identity';
import { findConnection, isPolledByAnotherShard, loopbackAllowed } from '../lib/run/connection-node';
import { choosePatience } from '../lib/stored/choice';
import { expandEnv, resolveText } from '../lib/stored/typed-input';
import { messageFor } from '../lib/run/message';
import { broadcast, host, mac } from '../lib/editor/checks';
import { runOwnPolls, runPolls } from '../lib/run/polling';
import { parseProperties } from '../lib/stored/stored-properties';
import { createRunner, type Job } from '../lib/run/runner';
import { type DiscoveryConfig, discoveryFields } from './config';
import { findInNetwork, readNetworkSettings } from './network';

type Found = MonitorPayload | MeterPayload;

export function startNode(RED: NodeAPI, node: Node, stored: Partial<DiscoveryConfig>): void {
  const expand = (text: string): string => expandEnv(RED, node, text);
  const properties = parseProperties({ rules: discoveryFields, checks: { mac, broadcast, host }, expand }, stored);
  const { config } = properties;
  const { scope } = config;
  const runner = createRunner(RED, node, { connection: config.connection, properties, parallel: 1, work: search });
  const seen = new SeenMonitors();

  async function search(job: Job): Promise<void> {
    const text = runner.translate(scope === 'network' ? 'status.searching' : 'status.asking') ?? '…';
    runner.status({ fill: 'blue', shape: 'ring', text });
    const found = await find(job);
    if (found === null) return;
    send(job, found);
    show(found);
  }

  /** Null if another shard polls the monitor. */
  const find = async (job: Job): Promise<Found[] | null> => {
    const { msg, signal } = job;
    if (scope === 'network') {
      const settings = readNetworkSettings(config, { expand, allowLoopback: loopbackAllowed() });
      return findInNetwork(settings, seen, signal);
    }
    const connection = await findConnection(RED, config.connection).connect();
    const ask = { signal, patience: choosePatience(msg) };
    if (scope === 'monitors') return findMonitors(connection, seen, ask);
    const evaluation = { RED, node, msg };
    const monitor = await resolveText('monitor', config.monitor, config.monitorType, evaluation);
    if (await isPolledByAnotherShard(job, connection, monitor, runner)) return null;
    return findMeters(connection, monitor, ask);
  };

  function send({ msg, send: sendNow }: Job, found: readonly Found[]): void {
    if (config.emit === 'list') {
      const message: NodeMessage = msg === null ? {} : RED.util.cloneMessage(msg);
      message.payload = found;
      message.topic = listTopic(found);
      sendNow(message);
      return;
    }
    const id = RED.util.generateId();
    found.forEach((payload, index) => {
      sendNow(messageFor(RED, msg, payload, { id, index, count: found.length }));
    });
  }

  function listTopic([first]: readonly Found[]): string {
    if (scope !== 'meters') return 'cemm/monitor';
    return topicOf({ kind: 'meter', monitor: first?.monitor ?? { id: null } });
  }

  function show(found: readonly Found[]): void {
    const count = found.filter((payload) => payload.kind === 'meter' || payload.change !== 'gone').length;
    const key = scope === 'meters' ? 'meters' : 'monitors';
    const text = runner.translate(count === 0 ? 'status.none' : `status.${key}`, { count }) ?? String(count);
    runner.status(count === 0 ? { fill: 'grey', shape: 'ring', text } : { fill: 'green', shape: 'dot', text });
  }

  if (scope === 'network') runOwnPolls(runner, config.interval);
  else runPolls(RED, runner, config);
}

/** @throws {CemmError} as MonitorConnection.listMonitors */
async function findMonitors(
  connection: MonitorConnection,
  seen: SeenMonitors,
  ask: ReadOptions,
): Promise<MonitorPayload[]> {
  const { monitors, source } = await connection.listMonitors(ask);
  // The remote service lists the monitors of a key; any other monitor has answered itself.
  const verified = connection.transport !== 'remote';
  return seen
    .update(monitors.map((monitor) => ({ monitor, verified })))
    .map((change) => monitorPayload({ ...change, source }));
}

/** @throws {CemmError} as MonitorConnection.listMeters */
async function findMeters(
  connection: MonitorConnection,
  wanted: string | null,
  ask: ReadOptions,
): Promise<MeterPayload[]> {
  const { monitor, meters, source } = await connection.listMeters(wanted, ask);
  return meters.map((meter) => meterPayload({ monitor, meter, source }));
}

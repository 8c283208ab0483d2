/** What there is: the monitors of the network, those of a connection, or the meters of a monitor. */
import type { Node, NodeAPI, NodeMessage } from 'node-red';
import { Sightings } from '../../src/discovery/sightings';
import { topicOf } from '../../src/model/identity';
import type { MeterPayload, MonitorPayload } from '../../src/model/payload';
import { findConnection } from '../shared/connection-node';
import { isElsewhere } from '../shared/elsewhere';
import { expandEnv } from '../shared/env-text';
import { loopbackAllowed } from '../shared/loopback';
import { messageFor } from '../shared/message';
import { typeOf } from '../shared/meter-choice';
import { pollInRounds } from '../shared/poll-rounds';
import { createRunner, type Job } from '../shared/runner';
import { resolveText } from '../shared/typed-input';
import { discoveryDefaults, scopes, type DiscoveryConfig, type Scope } from './config';
import { findInNetwork } from './find-in-network';
import { findMeters, findMonitors } from './look';
import { searchInRounds } from './network-rounds';
import { readNetworkSettings } from './network-settings';

type Found = MonitorPayload | MeterPayload;

export function startDiscovery(RED: NodeAPI, node: Node, stored: Partial<DiscoveryConfig>): void {
  // A flow of an older release has not all fields.
  const config = { ...discoveryDefaults, ...stored };
  const scope: Scope = scopes.find((known) => known === config.scope) ?? discoveryDefaults.scope;
  const runner = createRunner(RED, node, { parallel: 1, work: look });
  const sightings = new Sightings();

  async function look(job: Job): Promise<void> {
    const text = runner.say(scope === 'network' ? 'status.searching' : 'status.asking') ?? '…';
    runner.status({ fill: 'blue', shape: 'ring', text });
    const found = await find(job);
    if (found === null) return;
    send(job, found);
    show(found);
  }

  /** Null where another shard polls the monitor. */
  const find = async (job: Job): Promise<Found[] | null> => {
    const { msg, signal } = job;
    if (scope === 'network') {
      const expand = (text: string): string => expandEnv(RED, node, text);
      const settings = readNetworkSettings(config, { expand, allowLoopback: loopbackAllowed() });
      return findInNetwork(settings, sightings, signal);
    }
    const installation = await findConnection(RED, config.connection).installation();
    const ask = { signal, patience: msg === null ? 'poll' : 'user' } as const;
    if (scope === 'monitors') return findMonitors(installation, sightings, ask);
    const evaluation = { RED, node, msg };
    const monitor = await resolveText('monitor', config.monitor, typeOf(config.monitorType), evaluation);
    if (await isElsewhere(job, installation, monitor, runner)) return null;
    return findMeters(installation, monitor, ask);
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
    const text = runner.say(count === 0 ? 'status.none' : `status.${key}`, { count }) ?? String(count);
    runner.status(count === 0 ? { fill: 'grey', shape: 'ring', text } : { fill: 'green', shape: 'dot', text });
  }

  if (scope === 'network') searchInRounds(runner, config.interval);
  else {
    const fields = scope === 'meters' ? [{ field: 'monitor', type: config.monitorType }] : [];
    pollInRounds(RED, runner, { connection: config.connection, interval: config.interval, fields });
  }
}

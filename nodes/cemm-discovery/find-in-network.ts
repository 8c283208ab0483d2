/** One look at the network, told as what has changed since the last one. */
import { askHost } from '../../src/discovery/ask-host';
import { confirmRoot } from '../../src/discovery/confirm-root';
import type { FoundMonitor } from '../../src/discovery/candidates';
import type { Sighting, Sightings } from '../../src/discovery/sightings';
import { monitorPayload } from '../../src/model/inventory';
import type { MonitorInfo, MonitorPayload, SourceInfo } from '../../src/model/payload';
import { loopbackAllowed } from '../shared/loopback';
import { searchNetwork } from '../shared/network-search';
import type { NetworkSettings } from './network-settings';

/** @throws CemmError as search() and askHost() */
export async function findInNetwork(
  { broadcast, host, waitMs }: NetworkSettings,
  sightings: Sightings,
  signal: AbortSignal,
): Promise<MonitorPayload[]> {
  const [result, answering] = await Promise.all([
    searchNetwork({ broadcast, waitMs, signal }),
    host === null ? null : askHost(host, { allowLoopback: loopbackAllowed(), signal }),
  ]);
  const heard = result.monitors.map((monitor) => ({ monitor: describe(monitor), verified: monitor.verified }));
  const asked = answering === null ? [] : [{ monitor: answering.monitor, verified: true }];
  // One that has heard the search as well is told once.
  const found = [...heard.filter(({ monitor }) => monitor.id !== answering?.monitor.id), ...asked];
  const silent = await stillThere(sightings.missing(found), signal);
  const { fetchedAt, latencyMs, requests } = result;
  const broadcastSource: SourceInfo = { transport: 'broadcast', fetchedAt, latencyMs, requests, promises: 0 };
  return sightings.update([...found, ...silent]).map((change) => {
    const isAsked = answering !== null && change.monitor === answering.monitor;
    return monitorPayload({ ...change, source: isAsked ? answering.source : broadcastSource });
  });
}

/** Datagrams get lost: a monitor that only did not hear the question answers when it is asked by name. */
async function stillThere(missing: readonly Sighting[], signal: AbortSignal): Promise<Sighting[]> {
  const confirm = confirmRoot({ allowLoopback: loopbackAllowed() });
  const answers = await Promise.all(
    missing.map(async (sighting) => {
      const { host, id } = sighting.monitor;
      const root = host === undefined ? null : await confirm(host, signal);
      return root?.id === id ? [{ ...sighting, verified: true }] : [];
    }),
  );
  return answers.flat();
}

function describe({ id, host, name, type, version, core }: FoundMonitor): MonitorInfo {
  return {
    id,
    host,
    ...(name !== null && { name }),
    ...(type !== null && { type }),
    ...(version !== null && { version }),
    ...(core !== null && { core }),
  };
}

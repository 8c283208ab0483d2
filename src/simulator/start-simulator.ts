/** Starts the simulator: the interfaces whose ports are given, and the webhook. */
import type { Millis } from '../time/units';
import { createSimulatedClock } from './simulated-clock';
import { startDiscoveryResponder } from './discovery-responder';
import type { FaultName } from './faults';
import { type HttpInterface, type Route, startHttpInterface } from './http-server';
import { coreVersion, createMonitors, respondingMac } from './identity';
import { chooseHouse } from './houses';
import { localApi } from './local-api';
import { monitorNow } from './metered-household';
import { createPendingPromises, remoteApi } from './remote-api';
import { publicApi } from './public-api';
import { checkSimulatorOptions, optionError } from './options';
import type { MonitorState } from './series';
import type { SimulatedMonitor, Simulator, SimulatorOptions } from './simulator';
import { statusPage } from './status-page';
import { startWebhookSender } from './webhook-sender';
import { checkWebhook } from './webhook-call';

/** A started part of the simulator. */
interface Part {
  close(): Promise<void>;
}

/**
 * Starts a simulator. Closes all parts again if one cannot start.
 * @throws {CemmError} CONFIG: an option cannot be used
 * @throws {Error} of `listen` or `bind`, if a port is in use
 */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  checkSimulatorOptions(options);
  try {
    return await launchSimulator(options);
  } catch (error) {
    throw optionError(error);
  }
}

async function launchSimulator(options: SimulatorOptions): Promise<Simulator> {
  const house = chooseHouse(options.house);
  const { address = '127.0.0.1', clock = createSimulatedClock(), dsmr = house.dsmr ?? 5, modbus = 5 } = options;
  const { seed = 1, monitors: count = 1, since, timezone, log = () => undefined } = options;
  const faults = new Set<FaultName>([...(house.faults ?? []), ...(options.faults ?? [])]);
  const requests = new Map<string, number>();
  const believedTime = (): Millis => monitorNow(clock, faults, house);
  const monitors = createMonitors({
    seed,
    count,
    house,
    now: believedTime(),
    faults: { names: faults, now: believedTime },
    ...(timezone !== undefined && { timezone }),
    ...(since !== undefined && { since }),
  });
  const first = monitors[0];
  if (first === undefined) throw new RangeError('a simulator needs at least one monitor');

  const state = ({ household }: SimulatedMonitor): MonitorState => ({
    household,
    now: believedTime(),
    dsmr,
    modbus,
    faults,
  });
  const parts: Part[] = [];
  const started = <P extends Part>(part: P): P => {
    parts.push(part);
    return part;
  };
  const close = async (): Promise<void> => {
    await Promise.all(parts.splice(0).map((part) => part.close()));
  };
  const http = async (
    name: 'local' | 'remote',
    port: number | undefined,
    routes: readonly Route[],
    pages: readonly Route[] = [],
  ): Promise<HttpInterface | null> =>
    port === undefined
      ? null
      : started(await startHttpInterface({ name, port, address, pages, routes, faults, requests, log }));

  try {
    const webhook =
      options.webhook === undefined
        ? null
        : started(
            startWebhookSender({
              settings: checkWebhook(options.webhook, house),
              household: first.household,
              cemm: first.cemm,
              clock,
              faults,
              log,
            }),
          );
    const deliveries = webhook?.deliveries ?? [];
    const status = statusPage({ deliveries, faults, requests, webhook });
    const localRoutes = [localApi(first, () => state(first)), publicApi(first, () => state(first), address)];
    const local = await http('local', options.localPort, localRoutes, [status]);
    const remote = await http('remote', options.remotePort, [remoteRoute(options, monitors, faults, state)]);
    const udp =
      options.udpPort === undefined
        ? null
        : started(
            await startDiscoveryResponder({
              port: options.udpPort,
              address,
              monitor: () => ({ mac: respondingMac(first, faults), core: coreVersion }),
              log,
            }),
          );
    return {
      local: local?.origin ?? null,
      remote: remote === null ? null : `${remote.origin}/v1/`,
      udp: udp?.port ?? null,
      monitors,
      truth: first.household.truth,
      faults,
      deliveries,
      webhook,
      requests,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function remoteRoute(
  { apiKey = 'demo', promiseMs = 0, promiseRenews = false, promiseBody = 'string', monotonic }: SimulatorOptions,
  monitors: readonly SimulatedMonitor[],
  faults: ReadonlySet<FaultName>,
  state: (monitor: SimulatedMonitor) => MonitorState,
): Route {
  const promises = createPendingPromises({
    readyMs: () => (faults.has('promise-forever') ? Infinity : promiseMs),
    renews: promiseRenews,
    now: monotonic ?? (() => performance.now()),
  });
  return remoteApi({ monitors, apiKey, promises, promiseBody, state, faults });
}

/** Reports of simulated households, made without sockets. */
import type { CheckedConnection } from '../../../src/diagnostics/check-target';
import { millis } from '../../../src/time/units';
import { makeReport } from '../../../src/report/report';
import type { Report } from '../../../src/report/report-file';
import { ReplayClock } from '../../../src/report/replay-clock';
import type { FaultName } from '../../../src/simulator/faults';
import type { Route } from '../../../src/simulator/http-server';
import { type HouseName, houses } from '../../../src/simulator/houses';
import { createMonitors } from '../../../src/simulator/identity';
import { localApi } from '../../../src/simulator/local-api';
import { monitorNow } from '../../../src/simulator/metered-household';
import { publicApi } from '../../../src/simulator/public-api';
import { createPendingPromises, remoteApi } from '../../../src/simulator/remote-api';
import type { MonitorState } from '../../../src/simulator/series';
import { seededRandom } from '../../../src/simulator/seeded-random';
import type { SimulatedMonitor } from '../../../src/simulator/simulator';
import { routedHttp } from './routed-http';

export type Mode = CheckedConnection['mode'];

export const reportedAt = Date.parse('2026-06-15T19:00:20+02:00');
const since = millis(Date.parse('2026-05-20T12:00:00+02:00'));

const targets: Readonly<Record<Mode, CheckedConnection>> = {
  remote: { mode: 'remote', baseUrl: 'https://service.invalid/v1/', apiKey: 'demo' },
  local: { mode: 'local', host: 'monitor.invalid', mac: null, allowLoopback: true },
  public: { mode: 'public', host: 'monitor.invalid', mac: null, allowLoopback: true },
};

export function routesOf(name: HouseName): { readonly monitor: SimulatedMonitor; readonly routes: readonly Route[] } {
  const house = houses[name];
  const faults = new Set<FaultName>(house.faults ?? []);
  const now = () => monitorNow({ now: () => millis(reportedAt), speed: 0 }, faults, house);
  const monitors = createMonitors({ seed: 1, count: 1, house, now: now(), since, faults: { names: faults, now } });
  const [monitor] = monitors;
  if (monitor === undefined) throw new Error('no monitor');
  const { household } = monitor;
  const state = (): MonitorState => ({ household, now: now(), dsmr: house.dsmr ?? 5, modbus: 5, faults });
  const promises = createPendingPromises({ readyMs: () => 0, renews: false, now: () => 0 });
  const remote = remoteApi({ monitors, apiKey: 'demo', promises, promiseBody: 'string', state, faults });
  return { monitor, routes: [localApi(monitor, state), publicApi(monitor, state, '192.168.1.20'), remote] };
}

interface ReportInput {
  readonly mode: Mode;
  readonly routes: readonly Route[];
  /** Unix ms; default `reportedAt`. */
  readonly at?: number;
  readonly withDays?: boolean;
  readonly seed?: number;
  readonly timezone?: string;
  readonly body?: (text: string) => string;
}

export function reportFrom({ mode, routes, body, seed = 1, ...given }: ReportInput): Promise<Report> {
  const { at = reportedAt, withDays = true, timezone = 'Europe/Amsterdam' } = given;
  let drawn = 0;
  return makeReport(targets[mode], {
    timezone,
    withDays,
    version: '0.0.0',
    clock: new ReplayClock(millis(at)),
    http: routedHttp(routes, mode === 'remote' ? '/v1/' : '/', body),
    signal: new AbortController().signal,
    random: () => seededRandom(seed, 1, drawn++),
  });
}

/** Reports of simulated households, made without sockets. */
import type { CheckedConnection } from '../../../src/diagnostics/check-target';
import { millis } from '../../../src/time/units';
import { makeReport } from '../../../src/report/report';
import type { Report } from '../../../src/report/report-file';
import { ReplayClock } from '../../../src/report/replay-clock';
import type { Route } from '../../../src/simulator/http-server';
import type { HouseName } from '../../../src/simulator/houses';
import { seededRandom } from '../../../src/simulator/seeded-random';
import type { SimulatedMonitor } from '../../../src/simulator/simulator';
import { SimulatedHouse } from '../houses/simulated-house';
import { routedHttp } from './routed-http';

export type Mode = CheckedConnection['mode'];

export const reportedAt = Date.parse('2026-06-15T19:00:20+02:00');
const since = Date.parse('2026-05-20T12:00:00+02:00');

const targets: Readonly<Record<Mode, CheckedConnection>> = {
  remote: { mode: 'remote', baseUrl: 'https://service.invalid/v1/', apiKey: 'demo' },
  local: { mode: 'local', host: 'monitor.invalid', mac: null, allowLoopback: true },
  public: { mode: 'public', host: 'monitor.invalid', mac: null, allowLoopback: true },
};

export function routesOf(name: HouseName): { readonly monitor: SimulatedMonitor; readonly routes: readonly Route[] } {
  const { monitor, routes } = new SimulatedHouse(name, reportedAt, since, { moment: reportedAt });
  return { monitor, routes: [routes.local, routes.public, routes.remote] };
}

interface ReportInput {
  readonly mode: Mode;
  readonly routes: readonly Route[];
  readonly withDays?: boolean;
  readonly body?: (text: string) => string;
}

export function reportFrom({ mode, routes, withDays = true, body }: ReportInput): Promise<Report> {
  let drawn = 0;
  return makeReport(targets[mode], {
    timezone: 'Europe/Amsterdam',
    withDays,
    version: '0.0.0',
    clock: new ReplayClock(millis(reportedAt)),
    http: routedHttp(routes, mode === 'remote' ? '/v1/' : '/', body),
    signal: new AbortController().signal,
    random: () => seededRandom(1, 1, drawn++),
  });
}

/** The public API of a simulated CEMM 3.0: `/api/v1/public/` with `cemm`, `meters` and `timeseries` (vendor-facts 3). */
import { millisToSeconds } from '../wire/time';
import { failure, json, onlyGet, type Answer, type Route } from './http-answer';
import { macAtAddress } from './identity';
import { asCounted } from './metered-house';
import { listedMeters } from './public-meters';
import { answerTimeseries } from './public-timeseries';
import type { Scene } from './series';
import type { SimulatedMonitor } from './simulator';

/**
 * @param scene the house and the time as the monitor believes them to be
 * @param address the monitor's own, as it tells it
 */
export function publicApi(monitor: SimulatedMonitor, scene: () => Scene, address: string): Route {
  return ({ method, path, query }) => {
    const [api, version, open, name, ...rest] = path.split('/').slice(1, -1);
    if (api !== 'api' || version !== 'v1' || open !== 'public') return null;
    const now = scene();
    const { faults, house } = now;
    if (faults.has('no-public-api')) return failure(404, 'not found');
    // Which status a monitor really gives then is not documented.
    if (faults.has('no-access')) return failure(403, 'no access');
    if (method !== 'GET') return onlyGet;
    if (rest.length > 0) return failure(404, 'not found');
    if (name === 'cemm') return identity(monitor, now, address);
    if (name === 'meters') return json(200, { meters: listedMeters() });
    if (name === 'timeseries') return answerTimeseries(asCounted(house, faults, now.now), now.now, query);
    return failure(404, 'not found');
  };
}

function identity(monitor: SimulatedMonitor, { now, house, faults }: Scene, address: string): Answer {
  return json(200, {
    id: monitor.cemm,
    name: 'Demo',
    icon: 'building',
    icon_color: '#CF2D27',
    mac: macAtAddress(monitor, faults),
    local_ip: address,
    version: '1.10.0',
    timezone: house.timezone,
    time: millisToSeconds(now),
    modules: ['webhooks', 'smartmeter', 'pulse'],
    currency: 'EUR',
  });
}

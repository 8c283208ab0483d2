/** Keys and endpoints of requests. */
import should from 'should';
import {
  getRequestAlias,
  nameEndpoint,
  getRequestMonitor,
  requestKey,
  sendRequest,
} from '../../../src/connection/requests';
import type { MonitorRequest } from '../../../src/clients/client';
import { toMonitorId, type MonitorId } from '../../../src/protocol/mac';
import type { Seconds } from '../../../src/time/units';
import { json, startFaultServer } from '../../support/network/fault-server';
import { askOptions, errorOf, localAt, monitor, noon, publicAt, remoteAt } from '../../support/clients/harness';

const other = toMonitorId('D8:80:39:46:22:B5') as MonitorId;
const later = (noon + 1) as Seconds;
const week = { channel: 'zon:flow', resolution: 'day', count: 7, include: 'cemm' } as const;

/** Every request with its endpoint name; all requests are different. */
const requests: readonly (readonly [MonitorRequest, string])[] = [
  [{ kind: 'monitors' }, 'monitors'],
  [{ kind: 'identity' }, 'cemm'],
  ...[monitor, other].flatMap((asked): [MonitorRequest, string][] => [
    [{ kind: 'meters', monitor: asked }, 'io'],
    [{ kind: 'catalogue', monitor: asked }, 'meters'],
    [{ kind: 'timeseries', monitor: asked, ...week }, 'timeseries'],
    [{ kind: 'timeseries', monitor: asked, ...week, count: 8 }, 'timeseries'],
    [{ kind: 'timeseries', monitor: asked, ...week, channel: 'zon:volume' }, 'timeseries'],
    ...['p1', 'gas'].flatMap((alias): [MonitorRequest, string][] => [
      [{ kind: 'meter', monitor: asked, alias }, 'meter'],
      [{ kind: 'realtime', monitor: asked, alias }, 'realtime'],
      ...[noon, later].flatMap((time): [MonitorRequest, string][] => [
        [{ kind: 'totals', monitor: asked, alias, time }, 'totals'],
        [{ kind: 'series', monitor: asked, alias, unit: 'day', time }, 'day'],
        [{ kind: 'series', monitor: asked, alias, unit: 'month', time }, 'month'],
        [{ kind: 'series', monitor: asked, alias, unit: 'year', time }, 'year'],
      ]),
    ]),
  ]),
];

describe('connection: requests', () => {
  it('have keys that differ exactly when their content differs', () => {
    const keys = requests.map(([request]) => requestKey(request));
    should(new Set(keys).size).equal(requests.length);
    should(requests.map(([request]) => requestKey(structuredClone(request)))).eql(keys);
  });

  it('name their endpoint, and their monitor and meter, if any', () => {
    for (const [request, endpoint] of requests) {
      should(nameEndpoint(request)).equal(endpoint);
      should(getRequestMonitor(request)).equal('monitor' in request ? request.monitor : null);
      should(getRequestAlias(request)).equal('alias' in request ? request.alias : null);
    }
  });

  it('are refused without being sent when only the other generation supports them', async () => {
    const server = await startFaultServer(() => json({}));
    const [remote, local, publicly] = [remoteAt(server), localAt(server), publicAt(server)];
    const options = askOptions(5000);
    for (const [request, endpoint] of requests) {
      const isPublic = ['identity', 'catalogue', 'timeseries'].includes(request.kind);
      for (const client of isPublic ? [remote, local] : [publicly]) {
        const error = await errorOf(sendRequest(client, request, options));
        should([error.code, error.reason, error.endpoint]).eql([
          'UNSUPPORTED',
          isPublic ? 'not_public' : 'only_series',
          endpoint,
        ]);
      }
    }
    should(server.requests).be.empty();
    for (const client of [remote, local, publicly]) client.close();
    await server.close();
  });
});

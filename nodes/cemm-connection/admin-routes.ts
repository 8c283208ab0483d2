/** The admin routes of the dialogs. Their handlers are loaded with the first request. */
import type { NodeAPI } from 'node-red';
import type { AdminRoute, BodyReader } from '../lib/admin-routes';
import { lazy } from '../../src/loading/lazy';
import { connectionRoutes } from './config';
import type * as Handlers from './admin-handlers';
import type { DeployedSettings } from './form-input';

const adminHandlers = lazy(() => require('./admin-handlers') as typeof Handlers);

type HandlerName = keyof Handlers.AdminHandlers;

/** All routes; a test walks this list. They reach other machines, so each requires the permission to write. */
export function connectionAdminRoutes(RED: NodeAPI, settingsOf: DeployedSettings): readonly AdminRoute[] {
  const act =
    (name: HandlerName): AdminRoute['handle'] =>
    (body: BodyReader, signal: AbortSignal, mayDeploy: boolean) =>
      adminHandlers().createAdminHandlers(RED, settingsOf, mayDeploy)[name](body, signal);
  const common = { permission: 'cemm-connection.write' } as const;
  return [
    { ...common, path: connectionRoutes.find, perMinute: 12, atLeastMs: 0, handle: act('find') },
    { ...common, path: connectionRoutes.check, perMinute: 30, atLeastMs: 500, handle: act('check') },
    { ...common, path: connectionRoutes.monitors, perMinute: 60, atLeastMs: 0, handle: act('monitors') },
    { ...common, path: connectionRoutes.kept, perMinute: 60, atLeastMs: 0, handle: act('kept') },
    { ...common, path: connectionRoutes.newMonitor, perMinute: 12, atLeastMs: 500, handle: act('newMonitor') },
    { ...common, path: connectionRoutes.readBack, perMinute: 60, atLeastMs: 0, handle: act('readBack') },
    { ...common, path: connectionRoutes.priceList, perMinute: 60, atLeastMs: 0, handle: act('priceList') },
    { ...common, path: connectionRoutes.report, perMinute: 6, atLeastMs: 500, handle: act('report') },
    { ...common, path: connectionRoutes.houseMeters, perMinute: 30, atLeastMs: 0, handle: act('houseMeters') },
    { ...common, path: connectionRoutes.meters, perMinute: 60, atLeastMs: 0, handle: act('meters') },
  ];
}

/** The context of a receiver without a connection. */
import type { DeliveryContext } from '../../../src/model/delivery';

export const plainContext: DeliveryContext = {
  timezone: 'Europe/Amsterdam',
  path: '/cemm',
  catalogue: new Map(),
  monitor: null,
  subject: { meter: '', channel: '' },
  interval: null,
};

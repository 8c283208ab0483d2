/** What a receiver knows of an installation that nobody has told it about. */
import type { DeliveryContext } from '../../../src/model/delivery';

export const plainMeaning: DeliveryContext = {
  timezone: 'Europe/Amsterdam',
  path: '/cemm',
  catalogue: new Map(),
  monitor: null,
  subject: { meter: '', channel: '' },
  interval: null,
};

import { type Migrations, withAdded } from '../lib/migrate';

export const migrations: Migrations = {
  // A choice of fields, and more for Home Assistant.
  2: withAdded({ fields: '', expireAfter: '', fetchButton: false }),
};

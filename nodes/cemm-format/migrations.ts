import { type Migrations, withAdded } from '../lib/migrate';

export const migrations: Migrations = {
  // Added: a choice of fields, and options for Home Assistant.
  2: withAdded({ fields: '', expireAfter: '', fetchButton: false }),
};

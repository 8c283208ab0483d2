import { type Migrations, withAdded } from '../lib/migrate';

export const migrations: Migrations = {
  // Added: the period may come from a message.
  2: withAdded({ periodType: 'str' }),
};

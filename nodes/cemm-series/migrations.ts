import { type Migrations, withAdded } from '../lib/migrate';

export const migrations: Migrations = {
  // The period may come from a message.
  2: withAdded({ periodType: 'str' }),
};

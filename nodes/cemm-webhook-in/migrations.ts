import { type Migrations, withAdded } from '../lib/migrate';

export const migrations: Migrations = {
  // Added: a separate port for deliveries, and keys of many installations.
  2: withAdded({
    listen: 'shared',
    port: '1881',
    bind: '0.0.0.0',
    tls: '',
    hmacKeyFrom: '',
    hmacKeyFromType: 'credential',
  }),
};

import { type Migrations, withAdded } from '../lib/migrate';

export const migrations: Migrations = {
  // Added: shards, monitors on this machine, and the language of the nodes.
  2: withAdded({ shard: '', allowLoopback: false, language: '' }),
};

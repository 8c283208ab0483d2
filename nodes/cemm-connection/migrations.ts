import { type Migrations, withAdded } from '../lib/migrate';

export const migrations: Migrations = {
  // Shards, monitors on this machine, and a language for the nodes.
  2: withAdded({ shard: '', allowLoopback: false, language: '' }),
};

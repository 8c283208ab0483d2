/** The logins of a run: one for each role of docs/fleet/mosquitto.acl and influxdb.iql. */
import { randomBytes } from 'node:crypto';
import type { Login } from '../../support/servers/influxdb';

export const brokerRoles = ['receiver', 'writer', 'worker', 'scheduler', 'reader'] as const;
export type BrokerRole = (typeof brokerRoles)[number];
export type StoreRole = 'admin' | 'writer' | 'reader';

export interface Logins {
  readonly broker: Readonly<Record<BrokerRole, Login>>;
  readonly store: Readonly<Record<StoreRole, Login>>;
}

export function createLogins(): Logins {
  const of = (user: string): Login => ({ user, password: randomBytes(12).toString('hex') });
  return {
    broker: {
      receiver: of('receiver'),
      writer: of('writer'),
      worker: of('worker'),
      scheduler: of('scheduler'),
      reader: of('reader'),
    },
    store: { admin: of('admin'), writer: of('writer'), reader: of('reader') },
  };
}

/** For CEMM_EDITOR_PASSWORD: a password of the tests, and its hash from `node-red admin hash-pw`. */
export const editor = {
  password: 'a password of the fleet',
  hash: '$2b$08$p.x1dWfwDdyygmrtCE8etuYhSILbzz/bXbrD6L8Z9rlHJNWECdf1u',
} as const;

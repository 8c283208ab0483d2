/** Where this Node-RED serves its editor and its flows' addresses. */
import type { NodeAPI } from 'node-red';

export interface ServerRoots {
  /** False: switched off. */
  readonly node: string | false;
  readonly admin: string | false;
}

export function serverRoots({ settings }: Pick<NodeAPI, 'settings'>): ServerRoots {
  return { node: rootOf(settings, 'httpNodeRoot'), admin: rootOf(settings, 'httpAdminRoot') };
}

/** True where Node-RED asks every caller of a flow's address for a name and a password, which a monitor does not have. */
export function hasNodeAuth({ settings }: Pick<NodeAPI, 'settings'>): boolean {
  return Boolean(Reflect.get(settings, 'httpNodeAuth'));
}

function rootOf(settings: object, name: string): string | false {
  const root: unknown = Reflect.get(settings, name);
  if (root === false) return false;
  return typeof root === 'string' ? root : '/';
}

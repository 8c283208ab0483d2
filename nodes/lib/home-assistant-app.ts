/** Recognizes the Node-RED app of Home Assistant (https://github.com/hassio-addons/app-node-red). */
import type { NodeAPI } from 'node-red';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Every app has the token; the other two are fixed in rootfs/etc/node-red/config.js. */
export function isHomeAssistantApp(environment: Environment, nodeRoot: unknown, bind: string): boolean {
  return (
    (environment['SUPERVISOR_TOKEN'] ?? '') !== '' &&
    typeof nodeRoot === 'string' &&
    nodeRoot.replace(/\/+$/, '') === '/endpoint' &&
    bind === '127.0.0.1'
  );
}

export function runsInHomeAssistantApp(
  { server, settings }: Pick<NodeAPI, 'server' | 'settings'>,
  environment: Environment = process.env,
): boolean {
  const own = server.address();
  const bind = own === null || typeof own === 'string' ? '' : own.address;
  return isHomeAssistantApp(environment, Reflect.get(settings, 'httpNodeRoot'), bind);
}

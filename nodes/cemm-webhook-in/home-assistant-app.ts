/**
 * Asks the Supervisor of Home Assistant at which port the web server of the Node-RED app
 * (https://github.com/hassio-addons/app-node-red, rootfs/etc/nginx/templates/direct.gtpl) passes requests on to Node-RED.
 */
import type { NodeAPI } from 'node-red';
import { type Environment, runsInHomeAssistantApp } from '../lib/home-assistant-app';
import { type AppServer, usualAppServer } from './config';

const timeoutMs = 2000;

/** Null outside of the app. Never rejects. */
export async function findAppServer(
  RED: Pick<NodeAPI, 'server' | 'settings'>,
  environment: Environment = process.env,
): Promise<AppServer | null> {
  if (!runsInHomeAssistantApp(RED, environment)) return null;
  try {
    // The same variables as in the library of the app's own scripts (hassio-addons/bashio, lib/bashio.sh).
    const supervisor = environment['SUPERVISOR_API'] ?? 'http://supervisor';
    const response = await fetch(`${supervisor}/addons/self/info`, {
      headers: { Authorization: `Bearer ${environment['SUPERVISOR_TOKEN'] ?? ''}` },
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return readAppInfo(await response.json());
  } catch {
    return usualAppServer;
  }
}

/** The answer also contains passwords: nothing else of it is kept. */
export function readAppInfo(answer: unknown): AppServer {
  const data = memberOf(answer, 'data');
  const network = memberOf(data, 'network');
  const ssl = memberOf(memberOf(data, 'options'), 'ssl');
  // In config.yaml: the port 80 of the container, under the number that the owner has chosen.
  const port = memberOf(network, '80/tcp');
  const isPort = typeof port === 'number' && Number.isInteger(port) && port > 0 && port <= 65_535;
  if (typeof ssl !== 'boolean' || (port !== null && !isPort)) return usualAppServer;
  return { isSecure: ssl, port, isKnown: true };
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/**
 * Asks the Supervisor of Home Assistant for the port at which the web server of the Node-RED app
 * (https://github.com/hassio-addons/app-node-red, rootfs/etc/nginx/templates/direct.gtpl) forwards requests to Node-RED.
 */
import type { NodeAPI } from 'node-red';
import { readMember } from '../../src/checks/record';
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

/** The response contains passwords, so only these two values are kept. */
export function readAppInfo(answer: unknown): AppServer {
  const data = readMember(answer, 'data');
  const network = readMember(data, 'network');
  const ssl = readMember(readMember(data, 'options'), 'ssl');
  // config.yaml names the container's port 80; the value is the port that the owner has chosen.
  const port = readMember(network, '80/tcp');
  const isPort = typeof port === 'number' && Number.isInteger(port) && port > 0 && port <= 65_535;
  if (typeof ssl !== 'boolean' || (port !== null && !isPort)) return usualAppServer;
  return { isSecure: ssl, port, isKnown: true };
}

/** From settings to something that answers: the client of the mode, behind one installation. */
import type { MonitorClient } from '../../src/clients/client';
import { createLocalClient } from '../../src/clients/local-client';
import { createRemoteClient } from '../../src/clients/remote-client';
import { createInstallation } from '../../src/installation/create-installation';
import type { Built } from './connection';
import { startDemo } from './demo';
import type { ConnectionSettings } from './settings';

interface Way {
  readonly client: MonitorClient;
  /** Address of a local monitor, for the payloads. */
  readonly host?: string;
  /** Ends what was started for this connection besides the client. */
  readonly close?: () => Promise<void>;
}

/** @throws CemmError CONFIG, or NETWORK `demo_start` */
export async function buildInstallation(settings: ConnectionSettings): Promise<Built> {
  const { mode, timezone, deadlineMs } = settings;
  const { client, host, close } = await openWay(settings);
  const installation = createInstallation({
    client,
    transport: mode,
    timezone,
    deadlineMs,
    ...(host === undefined ? {} : { host }),
  });
  return {
    installation,
    async close() {
      await installation.close();
      client.close();
      await close?.();
    },
  };
}

async function openWay(settings: ConnectionSettings): Promise<Way> {
  switch (settings.mode) {
    case 'remote':
      return { client: createRemoteClient(settings) };
    case 'local': {
      const { host, monitor } = settings;
      return { client: createLocalClient({ host, mac: monitor, allowLoopback: loopbackAllowed() }), host };
    }
    case 'demo': {
      const demo = await startDemo(settings.timezone);
      const client = createLocalClient({ host: demo.address, allowLoopback: true });
      return { client, host: demo.address, close: () => demo.close() };
    }
  }
}

/** A monitor simulated on this machine is reached only where the user says so: elsewhere loopback is Node-RED itself. */
function loopbackAllowed(): boolean {
  return process.env['CEMM_ALLOW_LOOPBACK'] === 'true';
}

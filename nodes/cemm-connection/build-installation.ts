/** From settings to something that answers: the client of the mode, behind one installation. */
import type { MonitorClient } from '../../src/clients/client';
import { createLocalClient, type LocalClient } from '../../src/clients/local-client';
import { createPublicClient } from '../../src/clients/public-client';
import { createRemoteClient } from '../../src/clients/remote-client';
import { createInstallation, type InstallationOptions } from '../../src/installation/create-installation';
import { createPublicInstallation } from '../../src/installation/public-installation';
import type { MonitorId } from '../../src/wire/mac';
import { loopbackAllowed } from '../shared/loopback';
import { searchNetwork } from '../shared/network-search';
import type { Built } from './connection';
import { startDemo } from './demo';
import { findAgain } from './find-again';
import type { ConnectionSettings, OpenSettings, PublicSettings } from './settings';

interface Way {
  readonly client: MonitorClient;
  /** Address of a local monitor, for the payloads. */
  readonly host?: string;
  readonly following?: InstallationOptions['following'];
  /** Ends what was started for this connection besides the client. */
  readonly close?: () => Promise<void>;
}

/** Told when a local connection has followed its monitor to another address. */
export type OnMoved = (monitor: MonitorId, host: string) => void;

/**
 * @param onMoved without it a local connection stays with its address
 * @throws CemmError CONFIG, or NETWORK `demo_start`
 */
export async function buildInstallation(settings: ConnectionSettings, onMoved?: OnMoved): Promise<Built> {
  return settings.mode === 'public' ? buildPublic(settings) : buildOpen(settings, onMoved);
}

/** A CEMM 3.0 answers no search, so nobody could follow it to another address. */
function buildPublic({ host, monitor, timezone, deadlineMs, shard }: PublicSettings): Built {
  const client = createPublicClient({ host, mac: monitor, allowLoopback: loopbackAllowed() });
  const installation = createPublicInstallation({ client, timezone, deadlineMs, shard, host });
  return {
    installation,
    async close() {
      await installation.close();
      client.close();
    },
  };
}

async function buildOpen(settings: OpenSettings, onMoved: OnMoved | undefined): Promise<Built> {
  const { mode, timezone, deadlineMs, shard } = settings;
  const { client, host, following, close } = await openWay(settings, onMoved);
  const installation = createInstallation({
    client,
    transport: mode,
    timezone,
    deadlineMs,
    shard,
    ...(host !== undefined && { host }),
    ...(following !== undefined && { following }),
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

async function openWay(settings: OpenSettings, onMoved: OnMoved | undefined): Promise<Way> {
  switch (settings.mode) {
    case 'remote':
      return { client: createRemoteClient(settings) };
    case 'local': {
      const { host, monitor } = settings;
      const client = createLocalClient({ host, mac: monitor, allowLoopback: loopbackAllowed() });
      return onMoved === undefined ? { client, host } : { client, host, following: follow(client, host, onMoved) };
    }
    case 'demo': {
      const demo = await startDemo(settings.timezone);
      const client = createLocalClient({ host: demo.address, allowLoopback: true });
      return { client, host: demo.address, close: () => demo.close() };
    }
  }
}

function follow(client: LocalClient, configured: string, onMoved: OnMoved): InstallationOptions['following'] {
  return {
    identity: () => client.identity,
    find: (id, signal) => findAgain(configured, id, searchNetwork, signal, loopbackAllowed()),
    moveTo(host) {
      client.setHost(host);
      if (client.identity !== null) onMoved(client.identity, host);
    },
  };
}

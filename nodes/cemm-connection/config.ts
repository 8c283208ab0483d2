/** The stored properties of a connection, with their defaults. */
import type { FieldRules } from '../lib/field-rules';

/** `local` and `public` are the two generations of monitors in the local network: Local Open API, and public API (CEMM 3.0). */
export const connectionModes = ['remote', 'local', 'public', 'demo'] as const;

export type ConnectionMode = (typeof connectionModes)[number];

/** Blank: Node-RED's language. */
export const connectionLanguages = ['', 'en-US', 'nl', 'de', 'fr'] as const;

export type ConnectionLanguage = (typeof connectionLanguages)[number];

export interface ConnectionConfig {
  name: string;
  mode: ConnectionMode;
  /** Remote: ends in a version segment; the slash is added. */
  baseUrl: string;
  /** Local and public: `host`, `host:port` or `http://host:port`. */
  host: string;
  /** Local and public, optional: the MAC address that must answer there. */
  mac: string;
  /** IANA zone of the installation. Public: blank = the monitor's own. */
  timezone: string;
  /** Timeout of one request with its retries in seconds, 5 to 60. */
  deadline: number;
  /** `i/N`: poll only the monitors of shard i of N (src/connection/shard.ts); blank: all. Messages are always handled. */
  shard: string;
  /** Local and public: the monitor may run on this machine. */
  allowLoopback: boolean;
  /** Language of statuses and errors of the nodes that use the connection. */
  language: ConnectionLanguage;
  /** Version of the stored properties. */
  version: number;
}

export interface ConnectionCredentials {
  apiKey?: string;
}

export const connectionDefaults: ConnectionConfig = {
  name: '',
  mode: 'local',
  baseUrl: 'https://open-api.cemm.nl/v1/',
  host: '',
  mac: '',
  timezone: 'Europe/Amsterdam',
  deadline: 25,
  shard: '',
  allowLoopback: false,
  language: '',
  version: 2,
};

export const deadlineRange = { min: 5, max: 60 } as const;

export const credentialNames = ['apiKey'] as const;

/** A function, to keep it out of dialogs that do not need it. */
export function connectionFields(): FieldRules<ConnectionConfig> {
  const atAddress = { when: { mode: ['local', 'public'] } } as const;
  return {
    name: { is: 'text' },
    mode: { is: 'text', values: connectionModes },
    baseUrl: { is: 'text', check: 'baseUrl', when: { mode: ['remote'] } },
    host: { is: 'text', check: 'host', ...atAddress },
    mac: { is: 'text', check: 'mac', blank: true, ...atAddress },
    timezone: { is: 'text', check: 'timezone', blank: { mode: ['public'] } },
    deadline: { is: 'number', range: deadlineRange },
    shard: { is: 'text', check: 'shard', blank: true },
    allowLoopback: { is: 'boolean' },
    language: { is: 'text', values: connectionLanguages },
    version: { is: 'number' },
  };
}

/** Admin routes; relative, as the editor calls them. */
export const connectionRoutes = {
  find: 'cemm-connection/find',
  check: 'cemm-connection/check',
  monitors: 'cemm-connection/monitors',
  meters: 'cemm-connection/meters',
} as const;

/** The stored properties of a connection, with their defaults. */
import { type ConfigOf, defaultsOf, nameField, pricesField } from '../lib/stored/config';

/** `local` and `public` are the two generations of monitors in the local network: Local Open API, and public API (CEMM 3.0). */
export const connectionModes = ['remote', 'local', 'public', 'demo'] as const;

export type ConnectionMode = (typeof connectionModes)[number];

/** Blank: Node-RED's language. */
export const connectionLanguages = ['', 'en-US', 'nl', 'de', 'fr'] as const;

export type ConnectionLanguage = (typeof connectionLanguages)[number];

/** A connection has no message and no flow. */
export const housePricesTypes = ['none', 'json', 'global'] as const;

export interface ConnectionCredentials {
  apiKey?: string;
}

export const deadlineRange = { min: 5, max: 60 } as const;

export const credentialNames = ['apiKey'] as const;

const atAddress = { when: { mode: ['local', 'public'] } } as const;

export const connectionFields = {
  name: nameField,
  mode: { is: 'text', values: connectionModes, reason: 'mode', default: 'local' },
  /** Ends in a version segment; the slash is added. */
  baseUrl: {
    is: 'text',
    check: 'baseUrl',
    parsedByNode: true,
    default: 'https://open-api.cemm.nl/v1/',
    when: { mode: ['remote'] },
  },
  /** `host`, `host:port` or `http://host:port`. */
  host: { is: 'text', check: 'host', parsedByNode: true, default: '', ...atAddress },
  /** Optional: the MAC address that must answer there. */
  mac: { is: 'text', check: 'mac', parsedByNode: true, blank: true, default: '', ...atAddress },
  /** IANA zone of the installation. Public: blank = the monitor's own. */
  timezone: {
    is: 'text',
    check: 'timezone',
    parsedByNode: true,
    blank: { mode: ['public'] },
    default: 'Europe/Amsterdam',
  },
  /** Timeout of one request with its retries in seconds. */
  deadline: { is: 'number', range: deadlineRange, reason: 'deadline', default: 25 },
  /** `i/N`: poll only the monitors of shard i of N (src/connection/shard.ts); blank: all. Messages are always handled. */
  shard: { is: 'text', check: 'shard', parsedByNode: true, blank: true, default: '' },
  /** Local and public: the monitor may run on this machine. */
  allowLoopback: { is: 'boolean', default: false },
  /** Language of statuses and errors of the nodes that use the connection. */
  language: { is: 'text', values: connectionLanguages, default: '' },
  /** Prices of the house, for the balance nodes that take them from the connection. */
  prices: pricesField,
  pricesType: { is: 'text', values: housePricesTypes, default: 'none' },
  /** Contracts of the house and offers, rows of src/balance/prices/contract-rows.ts. */
  contracts: { is: 'list', check: 'contracts', parsedByNode: true, default: [] },
  /** The meters of the house, rows of src/model/meter-rows.ts, for all nodes of the connection. */
  meters: { is: 'list', check: 'houseMeters', parsedByNode: true, default: [] },
  /** Days that are over are kept in the user folder (`cemm/`), so that they are read once. */
  keepDays: { is: 'boolean', default: true },
  /** The past is read in the background, once a year, a bill or a page was asked for. */
  readBack: { is: 'boolean', default: true, when: { mode: ['local'], keepDays: ['true'] } },
  version: { is: 'number', default: 2 },
} as const;

export type ConnectionConfig = ConfigOf<typeof connectionFields>;
export const connectionDefaults = defaultsOf(connectionFields);

/**
 * Followed by the id of a connection, the end of an address of the editor that opens its dialog. Behind it a slash and a meter
 * (URI component) open the dialog at the row of that meter in the meters of the house.
 */
export const dialogHash = '#cemm-connection/';

/** Admin routes; relative, as the editor calls them. */
export const connectionRoutes = {
  find: 'cemm-connection/find',
  check: 'cemm-connection/check',
  monitors: 'cemm-connection/monitors',
  meters: 'cemm-connection/meters',
  houseMeters: 'cemm-connection/house-meters',
  kept: 'cemm-connection/kept',
  newMonitor: 'cemm-connection/new-monitor',
  readBack: 'cemm-connection/read-back',
  priceList: 'cemm-connection/price-list',
  report: 'cemm-connection/report',
} as const;

/**
 * The life cycle of a connection node: nothing starts before the first request, all nodes share one connection, and close ends
 * everything.
 */
import type { NodeAPI } from 'node-red';
import { PriceKeeper } from '../../src/balance/prices/price-keeper';
import { CemmError } from '../../src/errors';
import { demoRows } from '../../src/library/demo-meters';
import type * as Open from '../../src/library/open-connection';
import type { ConnectionSettings, OpenedConnection } from '../../src/library/open-connection';
import { wallClock } from '../lib/stored/choice';
import { type ConnectionNode, connectionType, type ConnectionUser } from '../lib/run/connection-node';
import { mostCloseMs, mostSaveMs, within } from '../lib/run/close-limits';
import { asCemmError, toNodeError } from '../lib/run/node-error';
import { createTranslate } from '../lib/run/translate';
import { MeterTable } from '../../src/model/meter-table';
import { type MonitorId, toMacText } from '../../src/protocol/mac';
import { expandEnv } from '../lib/stored/typed-input';
import { lazy } from '../../src/loading/lazy';
import type * as NetworkSearch from '../lib/network-search';
import type { PastDays } from '../../src/store/past-days';
import type * as KeptDays from './kept-days';
import { readContracts, readPrices } from '../lib/stored/prices-property';
import type { ReadBackAnswer } from './admin-answers';
import { DeliveredMeters } from './delivered-meters';
import { parseConnection, readSettings } from './settings';
import type { ConnectionConfig, ConnectionCredentials } from './config';

const opener = lazy(() => require('../../src/library/open-connection') as typeof Open);
const days = lazy(() => require('./kept-days') as typeof KeptDays);
const network = lazy(() => require('../lib/network-search') as typeof NetworkSearch);

/** Returns the settings of the connection; null if it cannot work (the node's `problem` is the reason). */
export function startConnection(
  RED: NodeAPI,
  node: ConnectionNode,
  stored: Partial<ConnectionConfig>,
): ConnectionSettings | null {
  const expand = (text: string): string => expandEnv(RED, node, text);
  const { config } = parseConnection(stored, expand);
  const { language } = config;
  const translate = createTranslate(RED, { type: connectionType, language: () => language });
  /** Null before its first use, and where nothing is kept. */
  let kept: PastDays | null = null;
  const past = (): PastDays | null => (kept ??= config.keepDays ? days().keptDays(RED, translate) : null);
  /** The days of the demo monitor are never kept, only what others deliver to a node with its connection. */
  const pastOfMonitor = (): PastDays | null => (config.mode === 'demo' ? null : past());
  const connection = createConnection(
    () =>
      readSettings({
        config: stored,
        expand,
        apiKey: (node.credentials as ConnectionCredentials | undefined)?.apiKey,
        demoNames: { heatPump: translate('demo.heatPump') ?? 'Heat pump', car: translate('demo.car') ?? 'Car' },
      }),
    (settings) =>
      opener().openConnection(
        settings,
        {
          search: (options) => network().searchNetwork(options),
          onMoved(monitor, host) {
            const words = { monitor: toMacText(monitor), host };
            node.log(translate('log.moved', words) ?? `The monitor ${words.monitor} now answers at ${host}.`);
          },
        },
        pastOfMonitor(),
      ),
  );
  Object.assign(node, {
    mode: config.mode,
    language,
    timezone: connection.settings?.timezone ?? null,
    allowLoopback: config.allowLoopback,
    problem: connection.problem,
    connect: connection.connect,
    past,
    readings: () => {
      const store = pastOfMonitor();
      return store === null ? null : days().keptReadings(store);
    },
    pricesType: config.pricesType,
    priceKeeper: new PriceKeeper(past, node.id, wallClock),
    prices: () => readPrices(config, { RED, node, msg: null }),
    contracts: () => readContracts(connection.settings?.contracts ?? [], { RED, node, msg: null }),
    houseMeters: new MeterTable(connection.settings?.meters),
    simulatedMeters: simulatedMeters(connection.settings),
    delivered: new DeliveredMeters(),
    balances: connection.balances,
    days: connection.days,
    readBack: connection.readBack,
    register: connection.register,
    deregister: connection.deregister,
    acceptMonitor: connection.acceptMonitor,
  } satisfies Partial<ConnectionNode>);

  node.on('close', (_removed: boolean, done: () => void) => {
    // Node-RED discards exceptions of a close handler, so they are reported here.
    const closed = connection.close().catch((thrown: unknown) => {
      node.error(toNodeError(asCemmError(thrown), translate));
    });
    // The close has begun to write; what is not written after its time is waited for here.
    void within(mostCloseMs, [closed])
      .then(() => within(mostSaveMs, kept === null ? [] : [kept.flush()]))
      .then(done);
  });
  return connection.settings;
}

function simulatedMeters(settings: ConnectionSettings | null): MeterTable | undefined {
  return settings?.mode === 'demo' ? new MeterTable(demoRows(settings.meters ?? [], settings.demoNames)) : undefined;
}

interface Connection extends Required<
  Pick<ConnectionNode, 'problem' | 'connect' | 'balances' | 'register' | 'deregister' | 'acceptMonitor'>
> {
  readonly days: NonNullable<ConnectionNode['days']>;
  readonly readBack: () => Promise<ReadBackAnswer>;
  /** Settings in use; null if `problem` is set. */
  readonly settings: ConnectionSettings | null;
  readonly close: () => Promise<void>;
}

function createConnection(
  read: () => ConnectionSettings,
  open: (settings: ConnectionSettings) => Promise<OpenedConnection>,
): Connection {
  const { settings, problem } = attempt(read);
  const users = new Set<ConnectionUser>();
  let opening: Promise<OpenedConnection> | null = null;
  let accepted: MonitorId | null = null;
  let closed = false;

  async function opened(): Promise<OpenedConnection> {
    if (settings === null) throw problem.copy();
    if (closed) throw new CemmError('CANCELLED', { reason: 'closed' });
    const mine = (opening ??= open(
      'host' in settings ? { ...settings, monitor: accepted ?? settings.monitor } : settings,
    ));
    try {
      return await mine;
    } catch (thrown) {
      // The next request tries again: an occupied port may be free by then.
      if (opening === mine) opening = null;
      throw asCemmError(thrown);
    }
  }

  /** Opens nothing: a dialog only looks. */
  async function readBack(): Promise<ReadBackAnswer> {
    const reads = settings?.mode === 'local' && settings.readBack === true;
    if (opening === null) return { month: null, state: reads ? 'waiting' : 'off' };
    const state = (await opened()).balances.readBackState ?? null;
    if (state === null) return { month: null, state: 'off' };
    const { month, isDone, hasBegun } = state;
    return { month, state: isDone ? 'done' : hasBegun ? 'reading' : 'waiting' };
  }

  /** Ends what is open, with all that it knows about its monitor. The next request opens it again. */
  async function endConnection(): Promise<void> {
    const ended = opening;
    opening = null;
    for (const user of [...users]) user.connectionClosed();
    const connection = await ended?.catch(() => null);
    await connection?.close();
  }

  function close(): Promise<void> {
    closed = true;
    return endConnection();
  }

  function acceptMonitor(monitor: MonitorId): Promise<void> {
    accepted = monitor;
    return endConnection();
  }

  return {
    problem,
    settings,
    connect: async () => (await opened()).connection,
    balances: async () => (await opened()).balances,
    // The demo monitor has none, and is not started for the question.
    days: async () => (settings?.mode === 'demo' ? null : (await opened()).days),
    readBack,
    register: (user) => {
      users.add(user);
    },
    deregister: (user) => {
      users.delete(user);
    },
    acceptMonitor,
    close,
  };
}

type Attempt =
  | { readonly settings: ConnectionSettings; readonly problem: null }
  | { readonly settings: null; readonly problem: CemmError };

function attempt(read: () => ConnectionSettings): Attempt {
  try {
    return { settings: read(), problem: null };
  } catch (thrown) {
    return { settings: null, problem: asCemmError(thrown) };
  }
}

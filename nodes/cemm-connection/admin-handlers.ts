/** Handlers of the admin routes: find monitors, check a connection, and list its monitors and meters with their last values. */
import type { NodeAPI } from 'node-red';
import type { FoundMonitor } from '../../src/discovery/candidates';
import type { MonitorConnection } from '../../src/connection/connection';
import type { KnownMonitor } from '../../src/model/identity';
import { type MonitorId, toMacText } from '../../src/protocol/mac';
import type {
  CheckAnswer,
  FindAnswer,
  FoundEntry,
  KeptAnswer,
  NewMonitorAnswer,
  HouseMetersAnswer,
  MetersAnswer,
  MonitorEntry,
  MonitorsAnswer,
  PriceListAnswer,
  ReadBackAnswer,
  ReportAnswer,
} from './admin-answers';
import { checkConnection } from '../../src/diagnostics/connection-check';
import { numbersOf, findFailureCode } from '../../src/diagnostics/check-steps';
import type { BodyReader } from '../lib/admin-routes';
import { type ConnectionNode, loopbackAllowed } from '../lib/run/connection-node';
import { lazy } from '../../src/loading/lazy';
import { searchNetwork } from '../lib/network-search';
import { deliveredEntries, findMeters } from './find-meters';
import { withKeptMeters } from './kept-meters';
import { meterEntries, mostListed, short } from './meter-entries';
import { asCemmError } from '../lib/run/node-error';
import { CemmError } from '../../src/errors';
import { type ConnectionSettings, openConnection } from '../../src/library/open-connection';
import { withChecked } from './checked-form';
import { defaultKeptDays } from './default-kept-days';
import type * as MakeReport from './make-report';
import { readPriceList } from './price-list-answer';
import { readSettings } from './settings';
import {
  deployedConnection,
  type DeployedSettings,
  type FormInput,
  readFlag,
  readForm,
  readFormText,
} from './form-input';

const mostCheckMs = 30_000;

export type AdminHandlers = ReturnType<typeof createAdminHandlers>;

const makeReport = lazy(() => require('./make-report') as typeof MakeReport);

export function createAdminHandlers(RED: NodeAPI, settingsOf: DeployedSettings, mayDeploy: boolean) {
  return { find, check, monitors, meters, houseMeters, kept, newMonitor, readBack, priceList, report };

  async function find(body: BodyReader, signal: AbortSignal): Promise<FindAnswer> {
    const allowLoopback = loopbackAllowed(readFlag(body, 'allowLoopback'));
    return orErrorCode({ monitors: [] }, async () => ({
      monitors: foundEntries((await searchNetwork({ signal, allowLoopback })).monitors),
    }));
  }

  async function check(body: BodyReader, signal: AbortSignal): Promise<CheckAnswer> {
    const form = readForm(RED, body, settingsOf, mayDeploy);
    try {
      const options = { signal, deadlineMs: mostCheckMs };
      return { steps: await withChecked(form, (checked) => checkConnection(checked, options)) };
    } catch (thrown) {
      const error = asCemmError(thrown);
      const values = numbersOf(error);
      return { steps: [{ step: 'name', state: 'failed', ms: null, word: findFailureCode(error), values }] };
    }
  }

  async function monitors(body: BodyReader, signal: AbortSignal): Promise<MonitorsAnswer> {
    const form = readForm(RED, body, settingsOf, mayDeploy);
    return orErrorCode({ monitors: [] }, () =>
      withConnection(form, async (connection) => ({
        monitors: monitorEntries((await connection.listMonitors({ signal })).monitors),
      })),
    );
  }

  async function meters(body: BodyReader, signal: AbortSignal): Promise<MetersAnswer> {
    const form = readForm(RED, body, settingsOf, mayDeploy);
    const wanted = readFormText(body, 'monitor').trim() || null;
    return orErrorCode({ meters: [] }, () =>
      withConnection(form, async (connection) => ({ meters: await meterEntries(connection, wanted, signal) })),
    );
  }

  /** Meters of deliveries are known without an answer of the monitor. */
  async function houseMeters(body: BodyReader, signal: AbortSignal): Promise<HouseMetersAnswer> {
    const form = readForm(RED, body, settingsOf, mayDeploy);
    const node = form.node as ConnectionNode | null;
    const delivered = await withKeptMeters(node?.delivered?.list() ?? [], node?.past?.() ?? null);
    return orErrorCode({ meters: deliveredEntries(delivered) }, () =>
      withConnection(form, async (connection) => ({ meters: await findMeters(connection, delivered, signal) })),
    );
  }

  /** `forget`: deletes everything; `again`: it is read again when it is needed next; otherwise nothing. */
  async function kept(body: BodyReader): Promise<KeptAnswer> {
    const past = defaultKeptDays(RED);
    if (past === null) return { months: 0, bytes: 0 };
    const action = readFormText(body, 'action');
    if (action === 'forget') await past.forget();
    if (action === 'again') await past.readAgain(readFormText(body, 'month').trim() || null);
    return past.size();
  }

  /** A user who may not deploy changes no running connection. */
  async function newMonitor(body: BodyReader, signal: AbortSignal): Promise<NewMonitorAnswer> {
    const { node, ...form } = readForm(RED, body, settingsOf, mayDeploy);
    return orErrorCode<Omit<NewMonitorAnswer, 'error'>>({ mac: null, isUsed: false }, async () => {
      const settings = readSettings({ ...form, config: { ...form.config, mac: '' } });
      const { monitors: known } = await withOpened(settings, (connection) => connection.listMonitors({ signal }));
      const [found] = known;
      if (found === undefined) throw new CemmError('NOT_A_MONITOR');
      const isUsed = mayDeploy && node !== null && isSameAddress(settings, settingsOf(node));
      if (isUsed) await (node as ConnectionNode).acceptMonitor?.(found.id);
      return { mac: toMacText(found.id), isUsed };
    });
  }

  async function readBack(body: BodyReader): Promise<ReadBackAnswer> {
    const node = deployedConnection(RED, readFormText(body, 'id')) as ConnectionNode | null;
    return node?.readBack?.() ?? { month: null, state: 'off' };
  }

  function priceList(body: BodyReader): Promise<PriceListAnswer> {
    const node = deployedConnection(RED, readFormText(body, 'id'));
    const zone = node === null ? null : (settingsOf(node)?.timezone ?? null);
    return readPriceList(node as ConnectionNode | null, zone, readFormText(body, 'contract').trim());
  }

  /** The whole file: the user reads it before it is saved. */
  async function report(body: BodyReader, signal: AbortSignal): Promise<ReportAnswer> {
    const form = readForm(RED, body, settingsOf, mayDeploy);
    const none = { file: null, read: 0, failed: 0 };
    return orErrorCode<Omit<ReportAnswer, 'error'>>(none, () =>
      makeReport().makeConnectionReport(form, readFlag(body, 'withDays'), signal),
    );
  }

  /** Uses the deployed connection if the form is unchanged, so requests are shared. */
  async function withConnection<T>(form: FormInput, use: (connection: MonitorConnection) => Promise<T>): Promise<T> {
    const settings = readSettings(form);
    if (form.node !== null && isSameConnection(settings, settingsOf(form.node))) {
      return use(await (form.node as ConnectionNode).connect());
    }
    return withOpened(settings, use);
  }
}

async function withOpened<T>(
  settings: ConnectionSettings,
  use: (connection: MonitorConnection) => Promise<T>,
): Promise<T> {
  const opened = await openConnection(settings);
  try {
    return await use(opened.connection);
  } finally {
    await opened.close();
  }
}

function isSameAddress(a: ConnectionSettings, b: ConnectionSettings | null): boolean {
  return b !== null && 'host' in a && 'host' in b && a.mode === b.mode && a.host === b.host;
}

/** Meters and contracts of the house, names of the demo, the shard, and what is read in the background change no request of a dialog. */
function isSameConnection(a: ConnectionSettings, b: ConnectionSettings | null): boolean {
  const same = { shard: null, meters: [], contracts: [], readBack: false, demoNames: undefined };
  return b !== null && JSON.stringify({ ...a, ...same }) === JSON.stringify({ ...b, ...same });
}

async function orErrorCode<T>(empty: T, work: () => Promise<T>): Promise<T & { readonly error: string | null }> {
  try {
    return { ...(await work()), error: null };
  } catch (thrown) {
    return { ...empty, error: findFailureCode(asCemmError(thrown)) };
  }
}

function foundEntries(monitors: readonly FoundMonitor[]): FoundEntry[] {
  return monitors.slice(0, mostListed).map(({ id, host, name, type, version, core, verified }) => ({
    ...toMonitorEntry(id, { name, type, version: version ?? core }),
    host,
    verified,
  }));
}

function monitorEntries(monitors: readonly KnownMonitor[]): MonitorEntry[] {
  return monitors
    .slice(0, mostListed)
    .map(({ id, name = null, type = null, version = null }) => toMonitorEntry(id, { name, type, version }));
}

function toMonitorEntry(id: MonitorId, facts: Record<'name' | 'type' | 'version', string | null>): MonitorEntry {
  return { mac: toMacText(id), name: short(facts.name), type: short(facts.type), version: short(facts.version) };
}

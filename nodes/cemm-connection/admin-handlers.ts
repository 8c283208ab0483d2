/** Handlers of the admin routes: find monitors, check a connection, and list its monitors and meters with their last values. */
import type { NodeAPI } from 'node-red';
import type { FoundMonitor } from '../../src/discovery/candidates';
import type { MonitorConnection } from '../../src/connection/connection';
import type { KnownMonitor } from '../../src/model/identity';
import type { ChannelInfo, MeterInfo, Values } from '../../src/model/payload';
import { type MonitorId, toMacText } from '../../src/protocol/mac';
import type {
  ChannelEntry,
  CheckAnswer,
  FindAnswer,
  FoundEntry,
  KeptAnswer,
  MeterEntry,
  MetersAnswer,
  MonitorEntry,
  MonitorsAnswer,
  ReportAnswer,
} from './admin-answers';
import { checkConnection } from '../../src/diagnostics/connection-check';
import { numbersOf, codeOf } from '../../src/diagnostics/check-steps';
import type { BodyReader } from '../lib/admin-routes';
import { type ConnectionNode, connectionType, loopbackAllowed } from '../lib/connection-node';
import { lazy } from '../../src/lazy';
import { createTranslate } from '../lib/translate';
import { searchNetwork } from '../lib/network-search';
import { asCemmError } from '../lib/node-error';
import { type ConnectionSettings, openConnection } from '../../src/open-connection';
import { withChecked } from './checked-form';
import { keptDays } from './kept-days';
import type * as MakeReport from './make-report';
import { readSettings } from './settings';
import { type DeployedSettings, type FormInput, isTicked, readForm, textOf } from './form-input';

const mostCheckMs = 30_000;
const mostListed = 64;
const mostTextCharacters = 64;
/** If the values take longer, the list is shown without them. */
const mostValuesMs = 8_000;

export interface AdminHandlers {
  find(body: BodyReader, signal: AbortSignal): Promise<FindAnswer>;
  check(body: BodyReader, signal: AbortSignal): Promise<CheckAnswer>;
  monitors(body: BodyReader, signal: AbortSignal): Promise<MonitorsAnswer>;
  meters(body: BodyReader, signal: AbortSignal): Promise<MetersAnswer>;
  kept(body: BodyReader): Promise<KeptAnswer>;
  report(body: BodyReader, signal: AbortSignal): Promise<ReportAnswer>;
}

const makeReport = lazy(() => require('./make-report') as typeof MakeReport);

export function createAdminHandlers(RED: NodeAPI, settingsOf: DeployedSettings, mayDeploy: boolean): AdminHandlers {
  return { find, check, monitors, meters, kept, report };

  async function find(body: BodyReader, signal: AbortSignal): Promise<FindAnswer> {
    const none: FindAnswer = { monitors: [], error: null };
    const allowLoopback = loopbackAllowed(isTicked(body, 'allowLoopback'));
    return orErrorCode(none, async () => ({
      monitors: foundEntries((await searchNetwork({ signal, allowLoopback })).monitors),
      error: null,
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
      return { steps: [{ step: 'name', state: 'failed', ms: null, word: codeOf(error), values }] };
    }
  }

  async function monitors(body: BodyReader, signal: AbortSignal): Promise<MonitorsAnswer> {
    const form = readForm(RED, body, settingsOf, mayDeploy);
    return orErrorCode({ monitors: [], error: null }, () =>
      withConnection(form, async (connection) => ({
        monitors: monitorEntries(await connection.monitors({ signal })),
        error: null,
      })),
    );
  }

  async function meters(body: BodyReader, signal: AbortSignal): Promise<MetersAnswer> {
    const form = readForm(RED, body, settingsOf, mayDeploy);
    const wanted = textOf(body, 'monitor').trim() || null;
    return orErrorCode({ meters: [], error: null }, () =>
      withConnection(form, async (connection) => ({
        meters: await meterEntries(connection, wanted, signal),
        error: null,
      })),
    );
  }

  /** `forget`: deletes everything; `again`: it is read again when it is needed next; otherwise nothing. */
  async function kept(body: BodyReader): Promise<KeptAnswer> {
    const past = keptDays(RED, createTranslate(RED, { type: connectionType, language: () => '' }));
    if (past === null) return { months: 0, bytes: 0 };
    const action = textOf(body, 'action');
    if (action === 'forget') await past.forget();
    if (action === 'again') await past.readAgain(textOf(body, 'month').trim() || null);
    return past.size();
  }

  /** The whole file: the user reads it before it is saved. */
  async function report(body: BodyReader, signal: AbortSignal): Promise<ReportAnswer> {
    const form = readForm(RED, body, settingsOf, mayDeploy);
    const none: ReportAnswer = { file: null, read: 0, failed: 0, error: null };
    return orErrorCode(none, () => makeReport().reportOf(form, isTicked(body, 'withDays'), signal));
  }

  /** Uses the deployed connection if the form is unchanged, so requests are shared. */
  async function withConnection<T>(form: FormInput, use: (connection: MonitorConnection) => Promise<T>): Promise<T> {
    const settings = readSettings(form);
    if (form.node !== null && isSame(settings, settingsOf(form.node))) {
      return use(await (form.node as ConnectionNode).connect());
    }
    const opened = await openConnection(settings);
    try {
      return await use(opened.connection);
    } finally {
      await opened.close();
    }
  }
}

function isSame(a: ConnectionSettings, b: ConnectionSettings | null): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

async function orErrorCode<T extends { error: string | null }>(empty: T, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    return { ...empty, error: codeOf(asCemmError(thrown)) };
  }
}

function foundEntries(monitors: readonly FoundMonitor[]): FoundEntry[] {
  return monitors.slice(0, mostListed).map(({ id, host, name, type, version, core, verified }) => ({
    ...describe(id, { name, type, version: version ?? core }),
    host,
    verified,
  }));
}

function monitorEntries(monitors: readonly KnownMonitor[]): MonitorEntry[] {
  return monitors
    .slice(0, mostListed)
    .map(({ id, name = null, type = null, version = null }) => describe(id, { name, type, version }));
}

function describe(id: MonitorId, facts: Record<'name' | 'type' | 'version', string | null>): MonitorEntry {
  return { mac: toMacText(id), name: short(facts.name), type: short(facts.type), version: short(facts.version) };
}

/**
 * Values that are not available are left out.
 * @throws {CemmError} as MonitorConnection.listMeters
 */
async function meterEntries(
  connection: MonitorConnection,
  wanted: string | null,
  signal: AbortSignal,
): Promise<MeterEntry[]> {
  const { monitor, meters } = await connection.listMeters(wanted, { signal });
  const values = await lastValues(connection, monitor.id, signal);
  return meters.slice(0, mostListed).flatMap((meter): MeterEntry[] => {
    const { alias = meter.key, type = null, label = null, role } = meter;
    if (alias === undefined) return [];
    const channels = (meter.channels ?? []).slice(0, mostListed).map(channelEntry);
    return [{ alias, label: short(label), channels, type: short(type), role, ...lastValue(meter, values.get(alias)) }];
  });
}

function channelEntry({ key, label, unit }: ChannelInfo): ChannelEntry {
  return { key, label: short(label ?? null), unit: short(unit ?? null) };
}

async function lastValues(
  connection: MonitorConnection,
  monitor: MonitorId,
  signal: AbortSignal,
): Promise<Map<string, Values>> {
  const target = { monitor, alias: null, role: 'auto' } as const;
  const readings = await connection.readRealtime(target, { signal, deadlineMs: mostValuesMs }).catch(() => []);
  return new Map(readings.map(({ meter, values }) => [meter.alias ?? '', values]));
}

const tellingFields = ['power_w', 'gas_m3', 'water_m3', 'volume_m3'] as const;

function lastValue({ role }: MeterInfo, values: Values = {}): Pick<MeterEntry, 'field' | 'value'> {
  const preferred = role === 'gas' || role === 'water' ? `${role}_m3` : 'power_w';
  const field = [preferred, ...tellingFields, ...Object.keys(values)].find((name) => typeof values[name] === 'number');
  return field === undefined ? { field: null, value: null } : { field, value: values[field] ?? null };
}

/** Names and types come from devices, so they are shortened and lose control characters. */
function short(text: string | null): string | null {
  return text === null ? null : text.replace(/\p{Cc}/gu, '').slice(0, mostTextCharacters);
}

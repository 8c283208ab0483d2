/** What the dialogs ask this Node-RED to do: find monitors, check a connection, and list what it reaches. */
import type { NodeAPI } from 'node-red';
import { CemmError } from '../../src/clients/errors';
import { checkConnection, type Checked } from '../../src/connection-check/check-connection';
import { numbersOf, wordOf } from '../../src/connection-check/words';
import type { Installation } from '../../src/installation/installation';
import { toMonitorId } from '../../src/wire/mac';
import type { Body } from '../shared/admin-route';
import type { ConnectionNode } from '../shared/connection-node';
import { loopbackAllowed } from '../shared/loopback';
import { searchNetwork } from '../shared/network-search';
import { asCemmError } from '../shared/node-error';
import type { CheckAnswer, FindAnswer, MetersAnswer, MonitorsAnswer } from './admin-answers';
import { buildInstallation } from './build-installation';
import { startDemo } from './demo';
import { foundEntries, meterEntries, monitorEntries } from './pick-lists';
import { readSettings, type ConnectionSettings } from './settings';
import { readForm, textOf, type DeployedSettings, type UnsavedForm } from './unsaved-form';

const CHECK_MS = 30_000;

export interface DialogActs {
  find(body: Body, signal: AbortSignal): Promise<FindAnswer>;
  check(body: Body, signal: AbortSignal): Promise<CheckAnswer>;
  monitors(body: Body, signal: AbortSignal): Promise<MonitorsAnswer>;
  meters(body: Body, signal: AbortSignal): Promise<MetersAnswer>;
}

export function createDialogActs(RED: NodeAPI, settingsOf: DeployedSettings): DialogActs {
  return { find, check, monitors, meters };

  async function find(_body: Body, signal: AbortSignal): Promise<FindAnswer> {
    const none: FindAnswer = { monitors: [], error: null };
    return orWord(none, async () => ({
      monitors: foundEntries((await searchNetwork({ signal })).monitors),
      error: null,
    }));
  }

  async function check(body: Body, signal: AbortSignal): Promise<CheckAnswer> {
    const form = readForm(RED, body, settingsOf);
    try {
      return { steps: await checkForm(form, signal) };
    } catch (thrown) {
      const error = asCemmError(thrown);
      const values = numbersOf(error);
      return { steps: [{ step: 'name', state: 'failed', ms: null, word: wordOf(error), values }] };
    }
  }

  async function monitors(body: Body, signal: AbortSignal): Promise<MonitorsAnswer> {
    const form = readForm(RED, body, settingsOf);
    return orWord({ monitors: [], error: null }, () =>
      withInstallation(form, async (installation) => ({
        monitors: monitorEntries(await installation.monitors({ signal })),
        error: null,
      })),
    );
  }

  async function meters(body: Body, signal: AbortSignal): Promise<MetersAnswer> {
    const form = readForm(RED, body, settingsOf);
    const wanted = textOf(body, 'monitor').trim() || null;
    return orWord({ meters: [], error: null }, () =>
      withInstallation(form, async (installation) => ({
        meters: await meterEntries(installation, wanted, signal),
        error: null,
      })),
    );
  }

  /** Asks through the deployed connection where the form says the same, so that its requests are shared. */
  async function withInstallation<T>(form: UnsavedForm, use: (installation: Installation) => Promise<T>): Promise<T> {
    const settings = readSettings(form);
    if (form.node !== null && isSame(settings, settingsOf(form.node))) {
      return use(await (form.node as ConnectionNode).installation());
    }
    const built = await buildInstallation(settings);
    try {
      return await use(built.installation);
    } finally {
      await built.close();
    }
  }
}

function isSame(a: ConnectionSettings, b: ConnectionSettings | null): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

async function orWord<T extends { error: string | null }>(empty: T, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    return { ...empty, error: wordOf(asCemmError(thrown)) };
  }
}

async function checkForm({ config, expand, apiKey }: UnsavedForm, signal: AbortSignal): Promise<CheckAnswer['steps']> {
  const options = { signal, deadlineMs: CHECK_MS };
  if (config.mode !== 'demo') {
    const checked: Checked =
      config.mode === 'remote'
        ? { mode: 'remote', baseUrl: expand(config.baseUrl), apiKey: apiKey ?? '' }
        : {
            mode: config.mode,
            host: expand(config.host),
            mac: readMac(expand(config.mac)),
            allowLoopback: loopbackAllowed(),
          };
    return checkConnection(checked, options);
  }
  const demo = await startDemo(config.timezone);
  try {
    return await checkConnection({ mode: 'local', host: demo.address, mac: null, allowLoopback: true }, options);
  } finally {
    await demo.close();
  }
}

function readMac(text: string): ReturnType<typeof toMonitorId> {
  const mac = toMonitorId(text);
  if (mac === null && text.trim() !== '') {
    throw new CemmError('CONFIG', 'The MAC address must have 12 hexadecimal digits.', { reason: 'mac' });
  }
  return mac;
}

/** Starts `cemm-simulator --replay`: an interface that answers as a monitor did in its report, or the deliveries of the report. */
import type { Report } from '../report/report-file';
import { startHttpInterface } from './http-server';
import { type ReplayOptions, replayedMonitor, movesToNow } from './replayed-monitor';
import type { SimulatedClock } from './simulated-clock';
import type { SimulatorOptions } from './simulator';
import { checkWebhook, callLimitMs, sendCall, type WebhookSettings } from './webhook-call';
import { demoKey } from '../report/deliveries';
import { moveDelivery } from '../report/move-times';
import { signed, sleep } from './webhook-sender';

export interface StartReplayOptions
  extends ReplayOptions, Pick<SimulatorOptions, 'localPort' | 'remotePort' | 'address' | 'apiKey' | 'log' | 'webhook'> {
  readonly clock: SimulatedClock;
}

interface StartedReplay {
  /** As `local` and `remote` of a simulator. */
  readonly local: string | null;
  readonly remote: string | null;
  /** Null if the report is one of answers. */
  readonly deliveries: ReplayedDeliveries | null;
  close(): Promise<void>;
}

/** @throws {RangeError} the report is of another interface */
export async function startReplay(options: StartReplayOptions): Promise<StartedReplay> {
  const log = options.log ?? (() => undefined);
  return options.report.mode === 'webhook' ? startDeliveries({ ...options, log }) : startAnswers({ ...options, log });
}

type Started = StartReplayOptions & { readonly log: NonNullable<StartReplayOptions['log']> };

async function startAnswers({ clock, apiKey = 'demo', log, ...options }: Started): Promise<StartedReplay> {
  const { mode } = options.report;
  if (options.webhook) throw new RangeError('The report has no deliveries: leave --webhook out.');
  const isRemote = mode === 'remote';
  const port = checkedPort(mode, isRemote ? options.remotePort : options.localPort);
  const server = await startHttpInterface({
    name: isRemote ? 'remote' : 'local',
    port,
    address: options.address ?? '127.0.0.1',
    log,
    pages: [],
    routes: [replayedMonitor(options, apiKey, () => clock.now())],
    faults: new Set(),
    requests: new Map(),
  });
  const { origin } = server;
  const addresses = { local: isRemote ? null : origin, remote: isRemote ? `${origin}/v1/` : null };
  return { ...addresses, deliveries: null, close: () => server.close() };
}

function startDeliveries({ report, toNow = false, webhook, clock, log, ...options }: Started): StartedReplay {
  if (options.localPort !== undefined || options.remotePort !== undefined) {
    throw new RangeError(
      'The report has no answers to requests, only deliveries: add --webhook URL instead of a port.',
    );
  }
  if (!webhook) throw new RangeError('The report has only deliveries: add --webhook URL.');
  const deliveries = replayDeliveries({ report, toNow, settings: checkWebhook(webhook), clock, log });
  return { local: null, remote: null, deliveries, close: () => deliveries.close() };
}

function checkedPort(mode: Report['mode'], port: number | undefined): number {
  if (port !== undefined) return port;
  throw new RangeError(`The report is of the ${mode} interface: add --${mode === 'remote' ? 'remote' : 'local'}-port.`);
}

interface ReplayedDeliveriesParts {
  readonly report: Report;
  /** Moves the times of each delivery to the moment at which it is sent. */
  readonly toNow: boolean;
  /** Without a key the key of reports signs. */
  readonly settings: WebhookSettings;
  readonly clock: SimulatedClock;
  readonly log: (line: Readonly<Record<string, unknown>>) => void;
}

interface ReplayedDeliveries {
  /** Resolves after the last delivery or when closed. */
  readonly done: Promise<void>;
  /** Cancels a running request, and resolves when it has ended. */
  readonly close: () => Promise<void>;
}

/** Sends the first one at once. */
function replayDeliveries({ report, toNow, settings, clock, log }: ReplayedDeliveriesParts): ReplayedDeliveries {
  const off = new AbortController();
  const { hmacKey, everySeconds, count, url } = settings;
  const pauseMs = (everySeconds * 1000) / Math.max(clock.speed, 1);

  async function send(): Promise<void> {
    for (const [index, delivery] of report.deliveries.slice(0, count).entries()) {
      if (index > 0 && !off.signal.aborted) await sleep(pauseMs, off.signal);
      if (off.signal.aborted) return;
      const json = toNow
        ? moveDelivery(delivery.body, movesToNow(report.timezone, delivery.at, clock.now()))
        : delivery.body;
      const body = Buffer.from(JSON.stringify(json));
      const { headers } = signed({ ...settings, hmacKey: hmacKey ?? demoKey }, body);
      const { status, error } = await sendCall({ url, headers, body, limitMs: callLimitMs, signal: off.signal });
      log({ delivery: index + 1, status, bytes: body.length, error });
    }
  }

  const done = send();
  return {
    done,
    close: async () => {
      off.abort();
      await done;
    },
  };
}

/** Starts `cemm-simulator --replay`: an interface that answers as a monitor did in its report, or the deliveries of the report. */
import type { Report } from '../report/report-file';
import { startHttpInterface } from './http-server';
import { type ReplayOptions, replayedMonitor, movesToNow } from './replayed-monitor';
import { type SimulatedClock, sleep } from './simulated-clock';
import type { Simulator, SimulatorOptions } from './simulator';
import { checkWebhook, callLimitMs, sendCall } from './webhook-call';
import { demoKey } from '../report/deliveries';
import { moveDelivery } from '../report/move-times';
import { signed, type WebhookSender } from './webhook-sender';

export interface StartReplayOptions
  extends ReplayOptions, Pick<SimulatorOptions, 'localPort' | 'remotePort' | 'address' | 'apiKey' | 'log' | 'webhook'> {
  readonly clock: SimulatedClock;
}

interface StartedReplay extends Pick<Simulator, 'local' | 'remote' | 'close'> {
  /** Null if the report is one of answers. */
  readonly deliveries: Pick<WebhookSender, 'done'> | null;
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

/** Sends the deliveries of the report, the first one at once. Without a key the key of reports signs. */
function startDeliveries({ report, toNow = false, webhook, clock, log, ...options }: Started): StartedReplay {
  if (options.localPort !== undefined || options.remotePort !== undefined) {
    throw new RangeError(
      'The report has no answers to requests, only deliveries: add --webhook URL instead of a port.',
    );
  }
  if (!webhook) throw new RangeError('The report has only deliveries: add --webhook URL.');
  const settings = checkWebhook(webhook);
  const { hmacKey, everySeconds, count, url } = settings;
  const pauseMs = (everySeconds * 1000) / Math.max(clock.speed, 1);
  const off = new AbortController();

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
  const close = async (): Promise<void> => {
    off.abort();
    await done;
  };
  return { local: null, remote: null, deliveries: { done }, close };
}

function checkedPort(mode: Report['mode'], port: number | undefined): number {
  if (port !== undefined) return port;
  throw new RangeError(`The report is of the ${mode} interface: add --${mode === 'remote' ? 'remote' : 'local'}-port.`);
}

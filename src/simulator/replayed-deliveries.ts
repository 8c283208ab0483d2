/** Sends the deliveries of a report in their order, as `cemm-simulator --replay --webhook` does. */
import { demoKey } from '../report/deliveries';
import { moveDelivery } from '../report/move-times';
import type { Report } from '../report/report-file';
import { movesToNow } from './replayed-monitor';
import type { SimulatedClock } from './simulated-clock';
import { callLimitMs, post, type WebhookSettings } from './webhook-call';
import { signed, sleep } from './webhook-sender';

interface ReplayedDeliveriesParts {
  readonly report: Report;
  /** Moves the times of each delivery to the moment at which it is sent. */
  readonly toNow: boolean;
  /** Without a key the key of reports signs. */
  readonly settings: WebhookSettings;
  readonly clock: SimulatedClock;
  readonly log: (line: Readonly<Record<string, unknown>>) => void;
}

export interface ReplayedDeliveries {
  /** Resolves after the last delivery or when closed. */
  readonly done: Promise<void>;
  /** Cancels a running request, and resolves when it has ended. */
  readonly close: () => Promise<void>;
}

/** Sends the first one at once. */
export function replayDeliveries({ report, toNow, settings, clock, log }: ReplayedDeliveriesParts): ReplayedDeliveries {
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
      const { status, error } = await post({ url, headers, body, limitMs: callLimitMs, signal: off.signal });
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

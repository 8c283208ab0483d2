/** What every format makes. */
import type { HistoryState } from './home-assistant/history-state';

/** One message. The node copies all other properties from the incoming message. */
export interface Formatted {
  readonly topic: string;
  readonly payload: unknown;
  /** Format `chart`: what Dashboard 2 does with the points that the chart already has. */
  readonly action?: 'replace' | 'append';
  /** Format `homeassistant`: for an `mqtt out` node. */
  readonly retain?: true;
  readonly qos?: 1;
  /** Format `homeassistant-history`: which of the messages of one payload it is. */
  readonly parts?: { readonly id: string; readonly index: number; readonly count: number };
  /** Format `homeassistant-history`: what the next day goes on from, where the message had one. */
  readonly history?: HistoryState;
  /** Formats `openmetrics` and `homewizard`: for an `http response` node. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Format `homewizard`: only where there is no fresh reading. */
  readonly statusCode?: 503;
}

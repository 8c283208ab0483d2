import type { HistoryState } from './home-assistant/history-state';

/** One message; `Content` is the payload of its format. The node copies all other properties from the incoming message. */
export interface Formatted<Content = unknown> {
  readonly topic: string;
  readonly payload: Content;
  /** Format `chart`: effect on the points that the chart already has. */
  readonly action?: 'replace' | 'append';
  /** Format `homeassistant`: for an `mqtt out` node. */
  readonly retain?: true;
  readonly qos?: 1;
  /** Format `homeassistant-history`: position among the messages of one payload. */
  readonly parts?: { readonly id: string; readonly index: number; readonly count: number };
  /** Format `homeassistant-history`: state for the next day, if the message had one. */
  readonly history?: HistoryState;
  /** Formats `openmetrics` and `homewizard`: for an `http response` node. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Format `homewizard`: only without a fresh reading. */
  readonly statusCode?: 503;
}

/** Text of a state or of its removal, or an object, which an `mqtt out` node sends as JSON. */
export type HomeAssistantMessage = Formatted<string | object>;

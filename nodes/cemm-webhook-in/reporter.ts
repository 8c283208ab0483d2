/** The statuses of a webhook-in node (texts: `state.*`, `refused.*`, `blocked.*`), its warnings and its errors. */
import type { Node, NodeStatus } from 'node-red';
import type { CemmError } from '../../src/errors';
import { toNodeError } from '../lib/run/node-error';
import type { Runner } from '../lib/run/runner';
import { clockTime } from '../lib/run/status';
import type { TextParams, Translate } from '../lib/run/translate';

function text(translate: Translate, key: string, words: TextParams): string {
  return translate(key, words) ?? key;
}

/** `open`: requests are not authenticated. `sharedKey`: installations share a key, so each can send as another. */
export type SecurityWarning = 'open' | 'sharedKey' | null;

export function waitingStatus(warning: SecurityWarning, translate: Translate): NodeStatus {
  const key = { open: 'state.waitingOpen', sharedKey: 'state.waitingSharedKey', none: 'state.waiting' }[
    warning ?? 'none'
  ];
  return { fill: warning === 'sharedKey' ? 'yellow' : 'grey', shape: 'ring', text: text(translate, key, {}) };
}

/** Green for the current key of one installation; yellow for the previous key and with a security warning. */
export function receivedStatus(
  at: number,
  timezone: string,
  keyUsed: 'current' | 'previous' | null,
  warning: SecurityWarning,
  translate: Translate,
): NodeStatus {
  const certain = keyUsed === 'previous' ? 'state.receivedOldKey' : 'state.received';
  const key = { open: 'state.receivedOpen', sharedKey: 'state.receivedSharedKey', none: certain }[warning ?? 'none'];
  const fill = key === 'state.received' ? 'green' : 'yellow';
  return { fill, shape: 'dot', text: text(translate, key, { time: clockTime(at, timezone) }) };
}

export function refusedStatus(word: string, at: number, timezone: string, translate: Translate): NodeStatus {
  const fill = word === 'raw_body_unavailable' ? 'red' : 'yellow';
  return { fill, shape: 'ring', text: `${text(translate, `refused.${word}`, {})} ${clockTime(at, timezone)}` };
}

export function missedStatus(slotEnd: number, timezone: string, translate: Translate): NodeStatus {
  return {
    fill: 'yellow',
    shape: 'ring',
    text: text(translate, 'state.missed', { time: clockTime(slotEnd, timezone) }),
  };
}

/** Status of a node that receives nothing. */
function blockedStatus(error: CemmError, translate: Translate): NodeStatus {
  const reason = (error.reason ?? '').replace(/^webhook_/, '');
  return {
    fill: 'red',
    shape: 'ring',
    text: translate(`blocked.${reason}`, error.params) ?? text(translate, 'blocked.other', {}),
  };
}

/** Shows statuses and logs warnings and errors of one node. */
export class Reporter {
  private readonly warned = new Set<string>();
  private requestKey = '';

  constructor(
    private readonly runner: Pick<Runner, 'translate' | 'status' | 'report'>,
    private readonly node: Pick<Node, 'warn'>,
  ) {}

  get translate(): Translate {
    return this.runner.translate;
  }

  status(status: NodeStatus): void {
    this.requestKey = '';
    this.runner.status(status);
  }

  /** Builds the text only for a new `key`: every request has a status, usually the same as the request before. */
  requestStatus(key: string, build: () => NodeStatus): void {
    if (key === this.requestKey) return;
    this.status(build());
    this.requestKey = key;
  }

  /** Reports why the node receives nothing. */
  block(error: CemmError): void {
    this.requestKey = '';
    this.runner.report(error, blockedStatus(error, this.translate));
  }

  /** Reports an error that is not about a request. The status stays. */
  fail(error: CemmError): void {
    this.runner.report(error, null);
  }

  /** Warns once in the life of the node. */
  warnOnce(key: 'oldKey' | 'blankKey' | 'shortKey' | 'sharedKey' | 'rawBody' | 'keyStore'): void {
    if (this.warned.has(key)) return;
    this.warned.add(key);
    this.node.warn(this.translate(`warning.${key}`) ?? key);
  }

  warn(error: CemmError): void {
    this.node.warn(toNodeError(error, this.translate));
  }
}

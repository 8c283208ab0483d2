/** Every status of a webhook-in node: fill, shape, and the catalogue key of its text (`state.*`, `refused.*`). */
import { DateTime } from 'luxon';
import type { Node, NodeAPI, NodeStatus } from 'node-red';
import type { CemmError } from '../../src/errors';
import { createTranslate, type Translate, toNodeError, type TextParams } from '../lib/node-error';
import { createStatusLine, type StatusLine } from '../lib/status';

function text(translate: Translate, key: string, words: TextParams): string {
  return translate(key, words) ?? key;
}

/** `open`: nothing is proven at all; `sharedKey`: installations can deliver in the name of others. */
export type SecurityWarning = 'open' | 'sharedKey' | null;

export function waitingStatus(doubt: SecurityWarning, translate: Translate): NodeStatus {
  const key = { open: 'state.waitingOpen', sharedKey: 'state.waitingSharedKey', none: 'state.waiting' }[
    doubt ?? 'none'
  ];
  return { fill: doubt === 'sharedKey' ? 'yellow' : 'grey', shape: 'ring', text: text(translate, key, {}) };
}

/** Green when it was proven with the current key of one installation; yellow while the old one is in use, and in doubt. */
export function receivedStatus(
  at: number,
  timezone: string,
  keyUsed: 'current' | 'previous' | null,
  doubt: SecurityWarning,
  translate: Translate,
): NodeStatus {
  const certain = keyUsed === 'previous' ? 'state.receivedOldKey' : 'state.received';
  const key = { open: 'state.receivedOpen', sharedKey: 'state.receivedSharedKey', none: certain }[doubt ?? 'none'];
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

/** Why there is no receiver. */
function blockedStatus(error: CemmError, translate: Translate): NodeStatus {
  const reason = (error.reason ?? '').replace(/^webhook_/, '');
  return {
    fill: 'red',
    shape: 'ring',
    text: translate(`blocked.${reason}`, error.params) ?? text(translate, 'blocked.other', {}),
  };
}

function clockTime(ms: number, timezone: string): string {
  return DateTime.fromMillis(ms, { zone: timezone }).toFormat('HH:mm');
}

// What a webhook-in node says to people: status, log, warnings.

export class Reporter {
  readonly translate: Translate;
  private readonly line: StatusLine;
  private readonly told = new Set<string>();
  private shown = '';

  constructor(
    RED: NodeAPI,
    private readonly node: Node,
  ) {
    this.translate = createTranslate(RED);
    this.line = createStatusLine((status) => {
      node.status(status);
    });
  }

  status(status: NodeStatus): void {
    this.shown = '';
    this.line.show(status);
  }

  /** Every call has a status, most of them that of the call before: `like` tells whether there is anything to put into words. */
  statusOfCall(like: string, build: () => NodeStatus): void {
    if (like === this.shown) return;
    this.status(build());
    this.shown = like;
  }

  block(error: CemmError): void {
    this.status(blockedStatus(error, this.translate));
    this.fail(error);
  }

  fail(error: CemmError): void {
    this.node.error(toNodeError(error, this.translate), {});
  }

  /** Once in the life of the node. */
  warnOnce(key: 'oldKey' | 'blankKey' | 'shortKey' | 'rawBody' | 'keyStore'): void {
    if (this.told.has(key)) return;
    this.told.add(key);
    this.node.warn(this.translate(`warning.${key}`) ?? key);
  }

  warn(error: CemmError): void {
    this.node.warn(toNodeError(error, this.translate));
  }

  close(): void {
    this.line.close();
  }
}

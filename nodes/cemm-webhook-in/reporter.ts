/** The statuses of a webhook-in node (texts: `state.*`, `refused.*`, `blocked.*`), its warnings and its errors. */
import type { Node, NodeStatus } from 'node-red';
import type { CemmError } from '../../src/errors';
import { minuteMs } from '../../src/time/units';
import { toNodeError } from '../lib/run/node-error';
import type { Runner } from '../lib/run/runner';
import { clockTime } from '../lib/run/status';
import type { TextParams, Translate } from '../lib/run/translate';

interface RequestOutcome {
  readonly word: string;
  readonly keyUsed: 'current' | 'previous' | null;
}

/** `open`: requests are not authenticated. `sharedKey`: installations share a key, so each can send as another. */
export type SecurityWarning = 'open' | 'sharedKey' | null;

/** Shows statuses and logs warnings and errors of one node. */
export class Reporter {
  private readonly warned = new Set<string>();
  private requestKey = '';

  constructor(
    private readonly runner: Pick<Runner, 'translate' | 'status' | 'report'>,
    private readonly node: Pick<Node, 'warn'>,
  ) {}

  private get translate(): Translate {
    return this.runner.translate;
  }

  private show(status: NodeStatus): void {
    this.requestKey = '';
    this.runner.status(status);
  }

  showWaiting(warning: SecurityWarning): void {
    const key = { open: 'state.waitingOpen', sharedKey: 'state.waitingSharedKey', none: 'state.waiting' }[
      warning ?? 'none'
    ];
    this.show({ fill: warning === 'sharedKey' ? 'yellow' : 'grey', shape: 'ring', text: this.text(key) });
  }

  showMissed(slotEnd: number, timezone: string): void {
    const time = clockTime(slotEnd, timezone);
    this.show({ fill: 'yellow', shape: 'ring', text: this.text('state.missed', { time }) });
  }

  /** Every request has a status, usually the same as the request before. */
  showOutcome({ word, keyUsed }: RequestOutcome, at: number, timezone: string, warning: SecurityWarning): void {
    const isGood = word === 'accepted' || word === 'duplicate';
    // The text contains the time in minutes.
    const key = `${isGood ? keyUsed : word} ${Math.floor(at / minuteMs)}`;
    if (key === this.requestKey) return;
    const time = clockTime(at, timezone);
    this.show(isGood ? this.receivedStatus(time, keyUsed, warning) : this.refusedStatus(time, word));
    this.requestKey = key;
  }

  /** Reports why the node receives nothing. */
  block(error: CemmError): void {
    this.requestKey = '';
    const reason = (error.reason ?? '').replace(/^webhook_/, '');
    const text = this.translate(`blocked.${reason}`, error.params);
    // Reasons that are not about receivers have the status of every node.
    this.runner.report(error, text === null ? undefined : { fill: 'red', shape: 'ring', text });
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

  /** Green for the current key of one installation; yellow for the previous key and with a security warning. */
  private receivedStatus(time: string, keyUsed: RequestOutcome['keyUsed'], warning: SecurityWarning): NodeStatus {
    const certain = keyUsed === 'previous' ? 'state.receivedOldKey' : 'state.received';
    const key = { open: 'state.receivedOpen', sharedKey: 'state.receivedSharedKey', none: certain }[warning ?? 'none'];
    return { fill: key === 'state.received' ? 'green' : 'yellow', shape: 'dot', text: this.text(key, { time }) };
  }

  private refusedStatus(time: string, word: string): NodeStatus {
    const fill = word === 'raw_body_unavailable' ? 'red' : 'yellow';
    return { fill, shape: 'ring', text: `${this.text(`refused.${word}`)} ${time}` };
  }

  private text(key: string, words: TextParams = {}): string {
    return this.translate(key, words) ?? key;
  }
}

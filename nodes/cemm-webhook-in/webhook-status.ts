/** Every status of a webhook-in node: fill, shape, and the catalogue key of its text (`state.*`, `refused.*`). */
import { DateTime } from 'luxon';
import type { NodeStatus } from 'node-red';
import type { CemmError } from '../../src/clients/errors';
import type { Say, Words } from '../shared/sentences';

function text(say: Say, key: string, words: Words): string {
  return say(key, words) ?? key;
}

/** `open`: nothing is proven at all; `sharedKey`: installations can deliver in the name of others. */
export type Doubt = 'open' | 'sharedKey' | null;

export function waitingStatus(doubt: Doubt, say: Say): NodeStatus {
  const key = { open: 'state.waitingOpen', sharedKey: 'state.waitingSharedKey', none: 'state.waiting' }[
    doubt ?? 'none'
  ];
  return { fill: doubt === 'sharedKey' ? 'yellow' : 'grey', shape: 'ring', text: text(say, key, {}) };
}

/** Green when it was proven with the current key of one installation; yellow while the old one is in use, and in doubt. */
export function receivedStatus(
  at: number,
  timezone: string,
  keyUsed: 'current' | 'previous' | null,
  doubt: Doubt,
  say: Say,
): NodeStatus {
  const certain = keyUsed === 'previous' ? 'state.receivedOldKey' : 'state.received';
  const key = { open: 'state.receivedOpen', sharedKey: 'state.receivedSharedKey', none: certain }[doubt ?? 'none'];
  const fill = key === 'state.received' ? 'green' : 'yellow';
  return { fill, shape: 'dot', text: text(say, key, { time: clockTime(at, timezone) }) };
}

export function refusedStatus(word: string, at: number, timezone: string, say: Say): NodeStatus {
  const fill = word === 'raw_body_unavailable' ? 'red' : 'yellow';
  return { fill, shape: 'ring', text: `${text(say, `refused.${word}`, {})} ${clockTime(at, timezone)}` };
}

export function missedStatus(slotEnd: number, timezone: string, say: Say): NodeStatus {
  return { fill: 'yellow', shape: 'ring', text: text(say, 'state.missed', { time: clockTime(slotEnd, timezone) }) };
}

/** Why there is no receiver. */
export function blockedStatus(error: CemmError, say: Say): NodeStatus {
  const reason = (error.reason ?? '').replace(/^webhook_/, '');
  return { fill: 'red', shape: 'ring', text: say(`blocked.${reason}`, error.params) ?? text(say, 'blocked.other', {}) };
}

function clockTime(ms: number, timezone: string): string {
  return DateTime.fromMillis(ms, { zone: timezone }).toFormat('HH:mm');
}

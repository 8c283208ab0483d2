/** Every status of a webhook-in node: fill, shape, and the catalogue key of its text (`state.*`, `refused.*`). */
import { DateTime } from 'luxon';
import type { NodeStatus } from 'node-red';
import type { CemmError } from '../../src/clients/errors';
import type { Say, Words } from '../shared/sentences';

function text(say: Say, key: string, words: Words): string {
  return say(key, words) ?? key;
}

export function waitingStatus(isOpen: boolean, say: Say): NodeStatus {
  return { fill: 'grey', shape: 'ring', text: text(say, isOpen ? 'state.waitingOpen' : 'state.waiting', {}) };
}

/** Green when it was proven with the current key; yellow while the old one is in use or nothing is proven at all. */
export function receivedStatus(
  at: number,
  timezone: string,
  keyUsed: 'current' | 'previous' | null,
  isOpen: boolean,
  say: Say,
): NodeStatus {
  const key = isOpen ? 'state.receivedOpen' : keyUsed === 'previous' ? 'state.receivedOldKey' : 'state.received';
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

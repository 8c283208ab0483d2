/** A node's status as the editor shows it: short, and never more often than twice a second. */
import type { NodeStatus } from 'node-red';

export const STATUS_LENGTH = 32;
const PAUSE_MS = 500;

export interface StatusLine {
  show(status: NodeStatus): void;
  /** No status leaves after this. */
  close(): void;
}

export function createStatusLine(set: (status: NodeStatus) => void): StatusLine {
  let shown = '';
  let next: NodeStatus | null = null;
  let timer: NodeJS.Timeout | null = null;
  let closed = false;

  function release(): void {
    timer = null;
    if (next === null) return;
    const status = next;
    next = null;
    put(status);
  }

  function put(status: NodeStatus): void {
    const text = JSON.stringify(status);
    if (text === shown) return;
    shown = text;
    set(status);
    timer = setTimeout(release, PAUSE_MS);
  }

  return {
    show(status) {
      if (closed) return;
      const short = shorten(status);
      if (timer === null) put(short);
      else next = short;
    },
    close() {
      closed = true;
      next = null;
      if (timer !== null) clearTimeout(timer);
      timer = null;
    },
  };
}

function shorten(status: NodeStatus): NodeStatus {
  const characters = Array.from(status.text ?? '');
  if (characters.length <= STATUS_LENGTH) return status;
  return { ...status, text: `${characters.slice(0, STATUS_LENGTH - 1).join('')}…` };
}

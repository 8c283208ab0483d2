/**
 * How fast a key may be asked, learned from the answers (peers E.3, 8): a service that cannot keep up says so by a promise
 * that it does not keep (202), by 408, 429 or 5xx, or by 502 for a monitor. Each of these halves the number of questions
 * in the air; when only one is left, polls also wait between two of them, twice as long each time. Answers bring both back
 * step by step. People and jobs wait for a free place like everybody, but never for the pause.
 */
import type { ErrorCode } from '../clients/errors';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8_000;

const overload: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'PROMISE_EXPIRED',
  'UPSTREAM_TIMEOUT',
  'MONITOR_OFFLINE',
  'UPSTREAM',
  'RATE',
]);

export class Throttle {
  private allowed: number;
  private pause = 0;
  /** Answers since the last step. */
  private good = 0;

  /** @param most questions in the air while all is well */
  constructor(private readonly most: number) {
    this.allowed = most;
  }

  /** Questions that may be in the air. */
  get inTheAir(): number {
    return this.allowed;
  }

  /** Milliseconds between the end of a question and the next poll. */
  get pauseMs(): number {
    return this.pause;
  }

  answered(): void {
    this.good += 1;
    if (this.good < this.allowed) return;
    this.good = 0;
    if (this.pause > 0) this.pause = this.pause > FIRST_PAUSE_MS ? this.pause / 2 : 0;
    else this.allowed = Math.min(this.most, this.allowed + 1);
  }

  failed(code: ErrorCode): void {
    if (!overload.has(code)) return;
    this.good = 0;
    if (this.allowed > 1) this.allowed = Math.floor(this.allowed / 2);
    else this.pause = Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, this.pause * 2));
  }
}

/**
 * How many questions are in the air at a time: so many per monitor, so many per connection (fewer while the service cannot
 * keep up), with a pause between two of them where the device wants one. Who waits is served in the order of arrival,
 * people's questions before timed polls.
 */
import type { AskLimits } from '../clients/client';
import { CemmError } from '../clients/errors';
import type { Clock } from '../clients/clock';
import type { Throttle } from './throttle';

/** Questions that may wait at a time. */
export const WAITING_LINE = 100;

export interface Ticket {
  /** Questions of one lane (one monitor) share the limit per monitor. */
  readonly lane: string;
  /** A person waits for it; may become true while the ticket waits. */
  readonly urgent: boolean;
  /** Must not reject; the place is free again when it settles. */
  run(): Promise<void>;
  /** Another ticket took its place in a full line. */
  displaced(error: CemmError): void;
}

function lineIsFull(): CemmError {
  return new CemmError('RATE', 'Too many different questions wait for this connection.', {
    reason: 'queue_full',
    params: { limit: WAITING_LINE },
  });
}

export class Queue {
  private readonly waiting: Ticket[] = [];
  private readonly running = new Map<string, number>();
  private inTheAir = 0;
  /** When the last question ended. */
  private endedAt = Number.NEGATIVE_INFINITY;
  private stopPause: (() => void) | null = null;

  constructor(
    private readonly limits: Omit<AskLimits, 'perKey'>,
    private readonly throttle: Throttle,
    private readonly clock: Clock,
  ) {}

  /** Starts the ticket at once or lets it wait; throws `RATE` (`queue_full`) when the line is full. */
  enter(ticket: Ticket): void {
    if (this.waiting.length >= WAITING_LINE) this.makeRoomFor(ticket);
    this.waiting.push(ticket);
    this.serve();
  }

  /** Takes a ticket out of the line; one that is running already goes on. */
  leave(ticket: Ticket): void {
    const place = this.waiting.indexOf(ticket);
    if (place >= 0) this.waiting.splice(place, 1);
  }

  close(): void {
    this.waiting.length = 0;
    this.stopPause?.();
    this.stopPause = null;
  }

  private makeRoomFor(ticket: Ticket): void {
    const poll = ticket.urgent ? this.waiting.findLast((other) => !other.urgent) : undefined;
    if (poll === undefined) throw lineIsFull();
    this.leave(poll);
    poll.displaced(lineIsFull());
  }

  private serve(): void {
    while (this.waiting.length > 0 && this.inTheAir < this.throttle.inTheAir && !this.paused(this.limits.gapMs)) {
      const ticket = this.next();
      if (ticket === null) return;
      this.leave(ticket);
      this.start(ticket);
    }
  }

  private next(): Ticket | null {
    const ready = this.waiting.filter(({ lane }) => (this.running.get(lane) ?? 0) < this.limits.perMonitor);
    const person = ready.find(({ urgent }) => urgent);
    if (person !== undefined) return person;
    const [poll] = ready;
    return poll === undefined || this.paused(this.throttle.pauseMs) ? null : poll;
  }

  private start(ticket: Ticket): void {
    this.inTheAir += 1;
    this.running.set(ticket.lane, (this.running.get(ticket.lane) ?? 0) + 1);
    void ticket.run().finally(() => {
      this.finish(ticket.lane);
    });
  }

  private finish(lane: string): void {
    this.inTheAir -= 1;
    const left = (this.running.get(lane) ?? 0) - 1;
    if (left > 0) this.running.set(lane, left);
    else this.running.delete(lane);
    this.endedAt = this.clock.monotonic();
    this.serve();
  }

  /** True so long after an answer; the line moves on when that is over. */
  private paused(forMs: number): boolean {
    const leftMs = this.endedAt + forMs - this.clock.monotonic();
    if (leftMs <= 0) return false;
    this.stopPause?.();
    this.stopPause = this.clock.after(leftMs, () => {
      this.stopPause = null;
      this.serve();
    });
    return true;
  }
}

/** Keeps the next deliveries of a webhook in memory, for a report: ten of them, or those of an hour. */
import type { Clock } from '../time/clock';
import type { ReceivedDelivery } from './deliveries';

const mostDeliveries = 10;
const mostMs = 60 * 60_000;
/** The delivery that exceeds it is the last one. */
const mostBytes = 1_000_000;

export class DeliveryRecorder {
  private received: ReceivedDelivery[] = [];
  private bytes = 0;
  /** Null while nothing is recorded. */
  private stopTimer: (() => void) | null = null;

  constructor(
    private readonly clock: Clock,
    private readonly onEnd = (): void => undefined,
  ) {}

  get isRecording(): boolean {
    return this.stopTimer !== null;
  }

  /** They stay after the end of the recording. */
  get deliveries(): readonly ReceivedDelivery[] {
    return this.received;
  }

  /** Forgets the deliveries of an earlier recording. */
  record(): void {
    this.clear();
    this.stopTimer = this.clock.after(mostMs, () => {
      this.end();
    });
  }

  /** Does nothing while nothing is recorded. */
  add(delivery: ReceivedDelivery): void {
    if (!this.isRecording) return;
    this.received.push(delivery);
    this.bytes += delivery.body.byteLength;
    if (this.received.length === mostDeliveries || this.bytes >= mostBytes) this.end();
  }

  end(): void {
    if (this.stopTimer === null) return;
    this.stopTimer();
    this.stopTimer = null;
    this.onEnd();
  }

  /** Ends the recording as well. */
  clear(): void {
    this.end();
    this.received = [];
    this.bytes = 0;
  }
}

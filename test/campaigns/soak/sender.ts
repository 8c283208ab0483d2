/** Sends signed deliveries at a steady rate, each with its own value and connection, like many monitors. */
import { deliveryOfMany, post, valueIn, type Sender } from '../../support/webhook/sending';

export class SteadySender {
  /** Values of deliveries answered with 200. */
  readonly acknowledged: number[] = [];
  /** Ms from sending to the response. */
  readonly times: number[] = [];
  /** Deliveries answered with 503, as during a deploy. The monitor knows, so they are not lost. */
  busy = 0;
  readonly failures: string[] = [];
  private readonly inFlight = new Set<Promise<void>>();
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly sender: Sender,
    private readonly rate: number,
    private readonly filler: string,
  ) {}

  start(): void {
    const started = performance.now();
    let sent = 0;
    this.timer = setInterval(() => {
      const due = Math.floor(((performance.now() - started) / 1000) * this.rate);
      // On a slow machine the rate falls instead of requests piling up. The report shows the rate.
      for (; sent < due && this.inFlight.size < this.rate; sent++) this.send();
      sent = due;
    }, 10);
  }

  async stop(): Promise<void> {
    if (this.timer !== null) clearInterval(this.timer);
    await Promise.all(this.inFlight);
  }

  private send(): void {
    const call = this.deliver().finally(() => this.inFlight.delete(call));
    this.inFlight.add(call);
  }

  private async deliver(): Promise<void> {
    const body = deliveryOfMany({ note: this.filler });
    try {
      const { status, text, ms } = await post(this.sender, body);
      if (status === 200) {
        this.acknowledged.push(valueIn(body));
        this.times.push(ms);
      } else if (status === 503) this.busy += 1;
      else this.failures.push(`a delivery was answered ${status} ${text}`);
    } catch (error) {
      this.failures.push(`a delivery broke: ${String(error)}`);
    }
  }
}

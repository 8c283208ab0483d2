/** So many signed deliveries a second, each with a value of its own and on a connection of its own, as from many monitors. */
import { deliveryOfMany, post, valueIn, type Sender } from '../../support/webhook/sending';

export class SteadySender {
  /** The values that were answered 200. */
  readonly acknowledged: number[] = [];
  /** Ms from sending to the answer. */
  readonly times: number[] = [];
  /** Answered 503, as during a deploy: told to the monitor, so not lost in silence. */
  busy = 0;
  readonly failures: string[] = [];
  private readonly inTheAir = new Set<Promise<void>>();
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
      // A machine that does not keep up gets no heap of calls, but a smaller rate, which the report tells.
      for (; sent < due && this.inTheAir.size < this.rate; sent++) this.send();
      sent = due;
    }, 10);
  }

  async stop(): Promise<void> {
    if (this.timer !== null) clearInterval(this.timer);
    await Promise.all(this.inTheAir);
  }

  private send(): void {
    const call = this.deliver().finally(() => this.inTheAir.delete(call));
    this.inTheAir.add(call);
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

/** The five last calls and what became of them: the same list that the monitor shows on its own page (spec.md E5). */
export interface DeliveryOutcome {
  /** Epoch ms of the answer. */
  readonly at: number;
  readonly status: number;
  /** `accepted`, `duplicate`, or the `error` word. */
  readonly word: string;
  readonly bytes: number | null;
  readonly remote: string | null;
  /** Which monitor, where the body was read that far. */
  readonly cemm: number | null;
  readonly id: string | null;
  /** As called, where the path holds parameters. */
  readonly installation?: string;
}

export class DeliveryHistory {
  private readonly outcomes: DeliveryOutcome[] = [];

  constructor(private readonly capacity = 5) {}

  add(outcome: DeliveryOutcome): void {
    this.outcomes.unshift(outcome);
    if (this.outcomes.length > this.capacity) this.outcomes.pop();
  }

  /** Newest first. */
  list(): readonly DeliveryOutcome[] {
    return [...this.outcomes];
  }
}

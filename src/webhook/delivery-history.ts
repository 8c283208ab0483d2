/** The five last deliveries and the five last refused calls, as the monitor lists them on its own page. */
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

/** Apart, so that refused calls of a stranger do not push out what the user looks for. */
export interface RecentOutcomes {
  /** Newest first, as all of these. */
  readonly accepted: readonly DeliveryOutcome[];
  readonly refused: readonly DeliveryOutcome[];
}

export class DeliveryHistory implements RecentOutcomes {
  readonly accepted: DeliveryOutcome[] = [];
  readonly refused: DeliveryOutcome[] = [];

  constructor(private readonly capacity = 5) {}

  add(outcome: DeliveryOutcome): void {
    const outcomes = outcome.status === 200 ? this.accepted : this.refused;
    outcomes.unshift(outcome);
    if (outcomes.length > this.capacity) outcomes.pop();
  }
}

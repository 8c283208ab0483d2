/** What a connection check tells: one rung per step, in the order in which a request climbs them. */
export const ladderSteps = ['name', 'tcp', 'tls', 'http', 'monitor', 'key', 'inventory', 'clock'] as const;

export type LadderStep = (typeof ladderSteps)[number];

export interface Rung {
  readonly step: LadderStep;
  readonly state: 'ok' | 'failed' | 'skipped';
  /** How long it took; null where nothing was done for it. */
  readonly ms: number | null;
  /** Why it failed or was skipped, as one of a fixed set (words.ts); null where it is ok. */
  readonly word: string | null;
  /** Numbers for the sentence: counts, seconds, a status. Never an address, a name or a key. */
  readonly values: Readonly<Record<string, number>>;
}

export type Values = Rung['values'];

/** Collects rungs; after the first failure the rest is skipped. */
export class Ladder {
  private readonly rungs: Rung[] = [];
  private broken = false;

  constructor(private readonly now: () => number) {}

  skip(step: LadderStep, word: 'not_needed' | 'proxy' | 'no_time'): void {
    this.rungs.push({ step, state: 'skipped', ms: null, word: this.broken ? 'not_reached' : word, values: {} });
  }

  /** Takes the step unless an earlier one failed. `work` gives the values of success and throws a Slip. */
  async take(step: LadderStep, work: () => Promise<Values>): Promise<void> {
    if (this.broken) {
      this.rungs.push({ step, state: 'skipped', ms: null, word: 'not_reached', values: {} });
      return;
    }
    const startedAt = this.now();
    const ms = (): number => Math.round(this.now() - startedAt);
    try {
      const values = await work();
      this.rungs.push({ step, state: 'ok', ms: ms(), word: null, values });
    } catch (thrown) {
      if (!(thrown instanceof Slip)) throw thrown;
      this.broken = true;
      this.rungs.push({ step, state: 'failed', ms: ms(), word: thrown.word, values: thrown.values });
    }
  }

  get result(): readonly Rung[] {
    return this.rungs;
  }
}

/** A step that failed, in a word. */
export class Slip extends Error {
  override readonly name = 'Slip';

  constructor(
    readonly word: string,
    readonly values: Values = {},
  ) {
    super(word);
  }
}

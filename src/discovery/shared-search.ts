/** Searches that happen at once become one: a network is asked once, however many nodes and dialogs want to know. */
import { CemmError } from '../clients/errors';
import { search, type SearchOptions, type SearchResult } from './search';

/** UD14: the network is not asked more often than this; who asks sooner gets the answer of the last search. */
const PAUSE_MS = 5_000;

interface Run {
  readonly startedAt: number;
  readonly result: Promise<SearchResult>;
  readonly stop: AbortController;
  waiting: number;
  found: boolean;
}

export class SharedSearch {
  private readonly runs = new Map<string, Run>();

  constructor(
    private readonly run: typeof search = search,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /**
   * Joins the search for the same addresses that is under way, or begins one. A caller whose signal fires leaves; the run
   * ends when the last one has left. Errors as search().
   */
  async search(options: SearchOptions): Promise<SearchResult> {
    const key = JSON.stringify([options.broadcast, options.waitMs, options.port, options.allowLoopback]);
    this.forgetOld();
    const current = this.runs.get(key) ?? this.begin(key, options);
    current.waiting += 1;
    try {
      return await leaveOnAbort(current.result, options.signal);
    } finally {
      current.waiting -= 1;
      if (current.waiting === 0 && !current.found) {
        current.stop.abort();
        if (this.runs.get(key) === current) this.runs.delete(key);
      }
    }
  }

  private begin(key: string, options: SearchOptions): Run {
    const stop = new AbortController();
    const result = this.run({ ...options, signal: stop.signal });
    const run: Run = { startedAt: this.now(), result, stop, waiting: 0, found: false };
    result.then(
      () => {
        run.found = true;
      },
      // Whoever waits sees the failure; a run that everybody left must not end the process with it.
      () => undefined,
    );
    this.runs.set(key, run);
    return run;
  }

  private forgetOld(): void {
    for (const [key, run] of this.runs) {
      if (run.found && this.now() - run.startedAt >= PAUSE_MS) this.runs.delete(key);
    }
  }
}

function leaveOnAbort<T>(result: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      reject(new CemmError('CANCELLED', 'The search was stopped before it was finished.', { endpoint: 'discovery' }));
    };
    if (signal.aborted) {
      leave();
      return;
    }
    signal.addEventListener('abort', leave, { once: true });
    result.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', leave);
    });
  });
}

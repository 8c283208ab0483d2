/** Callers that search for monitors at the same time, or soon after each other, get the result of one search. */
import { CemmError } from '../errors';
import { search, type SearchOptions, type SearchResult } from './search';

/** Shortest pause between two searches of a network (test/faults.json, UD14); a caller within it gets the previous result. */
const shortestPauseMs = 5_000;

interface Run {
  readonly startedAt: number;
  readonly result: Promise<SearchResult>;
  readonly stop: AbortController;
  waiting: number;
  found: boolean;
}

/** Simultaneous searches of the same addresses share one run. */
export class SharedSearch {
  private readonly runs = new Map<string, Run>();

  constructor(
    private readonly run: typeof search = search,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /**
   * Joins the running search for the same addresses, or starts one. A caller leaves when its signal fires; the run ends
   * when the last one has left. Rejects like search().
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
      // The callers get the failure; without callers it must not be an unhandled rejection.
      () => undefined,
    );
    this.runs.set(key, run);
    return run;
  }

  private forgetOld(): void {
    for (const [key, run] of this.runs) {
      if (run.found && this.now() - run.startedAt >= shortestPauseMs) this.runs.delete(key);
    }
  }
}

function leaveOnAbort<T>(result: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const rejectCancelled = () => {
      reject(new CemmError('CANCELLED', { endpoint: 'discovery' }));
    };
    if (signal.aborted) {
      rejectCancelled();
      return;
    }
    signal.addEventListener('abort', rejectCancelled, { once: true });
    result.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', rejectCancelled);
    });
  });
}

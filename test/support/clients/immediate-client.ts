/** A client whose answers are computed in this process: no sockets, and no time passes. */
import type { ClientResponse, MonitorClient, OpenApiKind, RequestOf, ValueOf } from '../../../src/clients/client';
import { CemmError } from '../../../src/errors';
import type { Millis } from '../../../src/time/units';

export type Answers = { readonly [K in OpenApiKind]: (request: RequestOf<K>) => ValueOf<K> };

export abstract class ImmediateClient implements MonitorClient {
  readonly limits = { perMonitor: 2, perKey: 4, gapMs: 0 };
  protected abstract readonly answers: Answers;

  constructor(
    readonly transport: 'local' | 'remote',
    private readonly now: () => Millis,
  ) {}

  request<K extends OpenApiKind>(request: RequestOf<K>): Promise<ClientResponse<ValueOf<K>>> {
    try {
      const value = this.answers[request.kind](request);
      return Promise.resolve({ value, fetchedAt: this.now(), latencyMs: 5, requests: 1, promises: 0 });
    } catch (error) {
      const thrown = error instanceof Error ? error : new Error(String(error));
      // A bug of a test must not look like a monitor that does not answer.
      if (!(thrown instanceof CemmError))
        setImmediate(() => {
          throw thrown;
        });
      return Promise.reject(thrown);
    }
  }

  close(): void {
    // It has nothing to close.
  }
}

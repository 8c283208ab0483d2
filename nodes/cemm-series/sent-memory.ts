/** What `span: new` remembers, in the node's own context: with a persistent store it survives restarts. */
import type { Node } from 'node-red';
import { CemmError } from '../../src/clients/errors';
import type { SentSamples } from '../../src/installation/new-samples';

/** One object under one key: monitors and aliases would not all be allowed as parts of a context key. */
const KEY = 'sent';

export interface SentMemory {
  read(): Promise<SentSamples>;
  /** Settles once the store has it. */
  write(sent: SentSamples): Promise<void>;
}

/** @param name monitor, meter and period unit */
export function sentMemory(node: Node, name: string): SentMemory {
  const context = node.context();

  async function all(): Promise<Record<string, unknown>> {
    const stored = await new Promise<unknown>((resolve, reject) => {
      context.get(KEY, (error: Error | null, value: unknown) => {
        if (error) reject(storeError());
        else resolve(value);
      });
    });
    return isRecord(stored) ? stored : {};
  }

  return {
    read: async () => toSentSamples((await all())[name]),
    async write(sent) {
      const stored = { ...(await all()), [name]: sent };
      await new Promise<void>((resolve, reject) => {
        context.set(KEY, stored, (error: Error | null | undefined) => {
          if (error) reject(storeError());
          else resolve();
        });
      });
    },
  };
}

/** Whatever is stored there: what is not ours counts as nothing. */
function toSentSamples(stored: unknown): SentSamples {
  if (!isRecord(stored)) return { last: null, sending: null };
  const { last, sending } = stored;
  return {
    last: isRecord(last) && isMoment(last['ts']) && isMoment(last['end']) ? { ts: last['ts'], end: last['end'] } : null,
    sending:
      isRecord(sending) && isMoment(sending['first']) && isMoment(sending['last'])
        ? { first: sending['first'], last: sending['last'] }
        : null,
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isMoment(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function storeError(): CemmError {
  return new CemmError('CONFIG', 'The context store cannot be used: what was sent last cannot be remembered.', {
    reason: 'context_store',
  });
}

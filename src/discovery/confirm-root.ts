/** Whether a monitor answers at an address: asks the root of the Local API there, under the rules of a local connection. */
import { createLocalClient } from '../clients/local-client';
import type { Confirm } from './search';

/** A root is a few hundred bytes from the own network. */
const DEADLINE_MS = 5_000;

export function confirmRoot({ allowLoopback }: { readonly allowLoopback: boolean }): Confirm {
  return async (host, signal) => {
    try {
      const client = createLocalClient({ host, allowLoopback });
      try {
        const { value } = await client.monitors({ signal, deadlineMs: DEADLINE_MS, patience: 'poll' });
        return value[0] ?? null;
      } finally {
        client.close();
      }
    } catch {
      // Whatever answers there, it is no monitor that a connection could use.
      return null;
    }
  };
}

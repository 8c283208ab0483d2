/** Searches like a node, on every interface of its network namespace, and prints the result. */
import { verifyMonitor } from '../../../../src/discovery/probe-host';
import { search } from '../../../../src/discovery/search';

interface Orders {
  /** Two networks of loopback addresses instead of the machine's own. */
  readonly loopback: readonly string[] | null;
}

const { loopback } = JSON.parse(process.argv[2] ?? '{}') as Orders;
const allowLoopback = loopback !== null;

void search({
  broadcast: null,
  // The device that floods and the monitor share a processor with other tests.
  waitMs: 20_000,
  signal: new AbortController().signal,
  verify: verifyMonitor({ allowLoopback }),
  allowLoopback,
  ...(loopback !== null && {
    subnets: () =>
      loopback.map((net) => ({ address: `${net}.1`, prefix: 24, broadcast: '127.255.255.255', internal: true })),
  }),
}).then((result) => {
  process.stdout.write(`${JSON.stringify(result)}\n`);
});

/**
 * `npm run campaign -- hostile --cases N --seed S [--in-flight N] [--good-every MS] [--slow N] [--listen own]`: hostile requests
 * against a whole Node-RED, on its own port or on a separate webhook port, and a valid delivery every second; then N slow
 * senders. Failing cases are stored in test/campaigns/hostile/regressions and run first from then on. Exit code 1: a case
 * failed. CEMM_NODE_RED names another Node-RED.
 */
import { parseArgs } from 'node:util';
import { runCampaign } from './campaign';
import { freePort } from '../../support/node-red/node-red';
import { startTarget } from './flows';
import { leastAccepted, runSlowSenders } from './slow-senders';

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(Math.floor(Date.now() / 1000)) },
    'in-flight': { type: 'string', default: '32' },
    'good-every': { type: 'string', default: '1000' },
    slow: { type: 'string', default: '300' },
    listen: { type: 'string', default: 'shared' },
  },
});

function whole(name: 'cases' | 'seed' | 'in-flight' | 'good-every' | 'slow'): number {
  const number = Number(values[name]);
  if (Number.isSafeInteger(number) && number >= 1) return number;
  throw new RangeError(`--${name} must be a whole number of at least 1`);
}

async function main(): Promise<void> {
  if (!['shared', 'own'].includes(values.listen)) throw new RangeError('--listen must be shared or own');
  const ownPort = values.listen === 'own' ? await freePort() : null;
  const options = {
    ownPort: ownPort ?? undefined,
    cases: whole('cases'),
    seed: whole('seed'),
    inFlight: whole('in-flight'),
    goodEveryMs: whole('good-every'),
    progress: (done: number) => process.stderr.write(`${done} cases\n`),
  };
  process.stdout.write(`${values.listen}, seed ${options.seed}, ${options.cases} cases\n`);
  const nodeRed = await startTarget(ownPort);
  try {
    const report = await runCampaign(nodeRed, options);
    const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`;
    for (const [label, count] of [...report.outcomes].sort()) process.stdout.write(`${label}: ${count}\n`);
    const { good, accepted } = report;
    process.stdout.write(
      `${report.callsPerSecond} calls a second; ${good.sent} good deliveries, p99 ${good.p99Ms} ms, longest ${good.longestMs} ms\n` +
        `${accepted.answered} others accepted, ${accepted.sent} of them sent\n` +
        `heap ${megabytes(report.heapBefore)} before, ${megabytes(report.heapAfter)} after; rss ${megabytes(report.rssAfter)}\n`,
    );
    for (const failure of report.failures) process.stdout.write(`failed: ${failure}\n`);
    if (report.failures.length > 0 || good.longestMs > 5000) process.exitCode = 1;
    const clients = whole('slow');
    const slow = await runSlowSenders(nodeRed, { clients, deliveries: 500, ownPort: options.ownPort });
    const share = slow.accepted / slow.sent;
    process.stdout.write(
      `slow senders: with ${clients} of them ${slow.accepted} of ${slow.sent} good deliveries were accepted within 5 s ` +
        `(${(100 * share).toFixed(1)} %, goal ${100 * leastAccepted} %)\n`,
    );
    for (const [answer, count] of countOf(slow.refusals)) process.stdout.write(`refused ${count} times: ${answer}\n`);
    if (share < leastAccepted) process.exitCode = 1;
  } finally {
    await nodeRed.stop();
  }
}

function countOf(answers: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const answer of answers) counts.set(answer, (counts.get(answer) ?? 0) + 1);
  return counts;
}

void main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});

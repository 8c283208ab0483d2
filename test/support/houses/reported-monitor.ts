/** Checks all results of the package for a report: a house without a ledger. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DayBalances } from '../../../src/balance/day-sums/day-balances';
import { PastDays } from '../../../src/store/past-days';
import { everyMeter } from '../../../src/balance/meters/choice';
import { periodContaining, previousPeriod } from '../../../src/calendar/periods';
import { createPublicClient } from '../../../src/clients/public-client';
import type { Http } from '../../../src/clients/http';
import { createLocalClient } from '../../../src/clients/local-client';
import { createRemoteClient } from '../../../src/clients/remote-client';
import { createPublicConnection } from '../../../src/connection/public-connection';
import { openBalances, usualSteps } from '../clients/in-process';
import { CemmError } from '../../../src/errors';
import type { BalancePayload } from '../../../src/model/payload';
import { millis } from '../../../src/time/units';
import { isRecord } from '../../../src/checks/record';
import { ReplayClock } from '../../../src/report/replay-clock';
import { replayHttp } from '../../../src/report/replay-http';
import type { Report } from '../../../src/report/report-file';
import { pointsOf } from './invariants';
import { formatted, type Seen } from './matrix';
import { oddIn, oddNumbers } from './odd-values';

const signal = new AbortController().signal;

/** Everything that is wrong with the payloads of a report, and with the balances of its answers. */
export async function seenInReport(report: Report): Promise<Seen> {
  const payloads = report.made.flatMap((made) => ('payload' in made ? [made.payload].flat() : []));
  const delivered = report.deliveries.map(({ made }) => made);
  const faults = report.made.flatMap((made) =>
    'error' in made && made.error.reason === 'internal' ? [`${made.of}: internal fault`] : [],
  );
  const broken = [
    ...faults,
    ...[...payloads, ...delivered].flatMap((payload) => [...oddNumbers(payload), ...inFormats(payload)]),
    ...unnamedIn(report),
  ];
  const balances = await balancesOf(report);
  for (const payload of balances) {
    broken.push(...oddIn(payload), ...formatted(payload));
    if (payload.period !== undefined) broken.push(...pointsOf(payload, Math.min(payload.period.end, report.at)));
  }
  return { comparisons: payloads.length + delivered.length + balances.length, broken };
}

function inFormats(payload: unknown): string[] {
  if (!isRecord(payload) || payload['schema'] === undefined) return [];
  const { source } = payload;
  const fetchedAt = isRecord(source) ? Number(source['fetchedAt']) : 0;
  return formatted({ ...payload, source: { ...(isRecord(source) && source), fetchedAt } });
}

/** Values of an answer that no field of its payload has. */
function unnamedIn({ made, exchanges }: Report): string[] {
  return exchanges.flatMap(({ path, answer }) => {
    const alias = /([^/]+)\/realtime\/$/.exec(path)?.[1];
    const payload = made.find(({ of }) => of === `${alias ?? ''} realtime`);
    if (alias === undefined || !('json' in answer) || payload === undefined || !('payload' in payload)) return [];
    const named = new Set([payload.payload].flat().flatMap((one) => listPayloadValues(one)));
    return Object.entries(collectChannelValues(answer.json))
      .filter(([, values]) => !values.some((value) => named.has(value)))
      .map(([channel]) => `${alias}: channel ${channel} has no field`);
  });
}

function listPayloadValues(payload: unknown): unknown[] {
  const values: unknown = isRecord(payload) ? payload['values'] : null;
  return isRecord(values) ? Object.values(values) : [];
}

/** Channel → its values in `data` and `totals`, without those that have no time. */
function collectChannelValues(json: unknown): Readonly<Record<string, readonly unknown[]>> {
  const found: Record<string, unknown[]> = {};
  for (const part of ['data', 'totals']) {
    const channels: unknown = isRecord(json) ? json[part] : null;
    if (!isRecord(channels)) continue;
    for (const [channel, pair] of Object.entries(channels))
      if (Array.isArray(pair) && pair[0] !== 0) (found[channel] ??= []).push(pair[1]);
  }
  return found;
}

/** A report has the days of one count: they answer every one. */
function replayDays(exchanges: Report['exchanges']): Http {
  const replayed = replayHttp(exchanges);
  const counts = exchanges.flatMap(({ query }) => query['count'] ?? []);
  return {
    get: (request) =>
      replayed.get({
        ...request,
        ...(request.params?.['count'] !== undefined && { params: { ...request.params, count: counts[0] ?? '' } }),
      }),
    close: () => {
      replayed.close();
    },
  };
}

async function dayBalancesOf(
  exchanges: Report['exchanges'],
  { timezone, at }: Pick<Report, 'timezone' | 'at'>,
): Promise<BalancePayload[]> {
  const clock = new ReplayClock(millis(at));
  const folder = await mkdtemp(join(tmpdir(), 'cemm-reported-'));
  const client = createPublicClient({ host: 'replay.invalid', clock, wrapHttp: () => replayDays(exchanges) });
  const connection = createPublicConnection({ client, timezone, deadlineMs: 25_000, clock });
  const past = new PastDays({ folder, clock, onProblem: () => undefined });
  const balances = new DayBalances({ reader: connection, past, clock });
  const today = periodContaining('day', timezone, millis(at));
  const longer = (['week', 'month', 'year'] as const).map((unit) => periodContaining(unit, timezone, millis(at)));
  const found: BalancePayload[] = [];
  for (const period of [today, previousPeriod(today), ...longer]) {
    const target = { monitor: null, meters: everyMeter, step: usualSteps[period.unit], prices: null, counters: null };
    found.push(await balances.read({ ...target, period, wantsPeak: false }, { signal }));
  }
  balances.close();
  await connection.close();
  client.close();
  await past.flush();
  await rm(folder, { recursive: true, force: true });
  return found;
}

export async function balancesOf({ mode, timezone, at, exchanges }: Report): Promise<BalancePayload[]> {
  if (mode === 'webhook') return [];
  if (mode === 'public') return dayBalancesOf(exchanges, { timezone, at });
  const clock = new ReplayClock(millis(at));
  const wrapHttp = () => replayHttp(exchanges);
  const client =
    mode === 'remote'
      ? createRemoteClient({
          baseUrl: 'https://replay.invalid/v1/',
          apiKey: 'replay',
          clock,
          wrapHttp,
          random: () => 0.5,
        })
      : createLocalClient({ host: 'replay.invalid', clock, wrapHttp });
  const { connection, balances } = openBalances({ client, timezone, transport: mode, clock });
  const target = { monitor: null, meters: everyMeter };
  const today = periodContaining('day', timezone, millis(at));
  const months = (['month', 'year'] as const).map((unit) => periodContaining(unit, timezone, millis(at)));
  const asked = [today, previousPeriod(today), ...months].map((period) => () => {
    const step = usualSteps[period.unit];
    return balances.read({ ...target, period, step, prices: null, wantsPeak: false, counters: null }, { signal });
  });
  const found: BalancePayload[] = [];
  for (const ask of [() => balances.readNow({ ...target, intervalMs: 60_000 }, { signal }), ...asked]) {
    try {
      found.push(await ask());
    } catch (error) {
      // A request that is not in the report, such as that of a day curve.
      if (!(error instanceof CemmError) || error.reason === 'internal') throw error;
    }
  }
  balances.close();
  await connection.close();
  client.close();
  return found;
}

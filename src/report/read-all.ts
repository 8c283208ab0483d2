/** Requests everything that a connection offers, each once. */
import { periodContaining, previousPeriod, type SeriesPeriod, type SeriesUnit } from '../calendar/periods';
import { createLocalClient } from '../clients/local-client';
import { createPublicClient } from '../clients/public-client';
import { createRemoteClient } from '../clients/remote-client';
import type { Http } from '../clients/http';
import type { Clock } from '../time/clock';
import type { MonitorConnection, ReadOptions } from '../connection/connection';
import { createOpenApiConnection } from '../connection/open-api-connection';
import { createPublicConnection } from '../connection/public-connection';
import type { CheckedConnection } from '../diagnostics/check-target';
import { CemmError, type ErrorCode } from '../errors';
import type { MeterInfo } from '../model/payload';
import type { Millis } from '../time/units';

/** Result of one request of a user: the payload of this package, or its error. */
export type Made = { readonly of: string } & (
  { readonly payload: unknown } | { readonly error: { readonly code: ErrorCode; readonly reason: string | null } }
);

export interface ReadAllOptions {
  readonly clock: Clock;
  /** Decides which day, month and year are requested. */
  readonly at: Millis;
  readonly timezone: string;
  /** Also the curves of yesterday and today. */
  readonly withDays: boolean;
  readonly signal: AbortSignal;
  readonly wrapHttp: (http: Http) => Http;
  /** Called before each request, with the number of the next one and of those that are known. */
  readonly onProgress?: ((done: number, known: number) => void) | undefined;
}

const deadlineMs = 25_000;
/** Days of a time series. */
const days = 8;

interface Task {
  readonly of: string;
  readonly read: () => Promise<unknown>;
}

export async function readAll(target: CheckedConnection, options: ReadAllOptions): Promise<readonly Made[]> {
  const connection = open(target, options);
  const made: Made[] = [];
  const ask: ReadOptions = { signal: options.signal };
  const run = async (tasks: readonly Task[]): Promise<void> => {
    const known = made.length + tasks.length;
    for (const { of, read } of tasks) {
      options.signal.throwIfAborted();
      options.onProgress?.(made.length, known);
      made.push(await result(of, read));
    }
  };
  try {
    let monitor: string | null = null;
    let meters: readonly MeterInfo[] = [];
    await run([
      {
        of: 'monitors',
        async read() {
          const list = await connection.listMonitors(ask);
          monitor = list.monitors[0]?.id ?? null;
          return list;
        },
      },
      {
        of: 'meters',
        async read() {
          // A report has no table of meters, so both lists are the same.
          const { own, ...list } = await connection.listMeters(monitor, ask);
          meters = own;
          return list;
        },
      },
    ]);
    const tasksOf = target.mode === 'public' ? channelTasks : aliasTasks;
    await run(
      meters.flatMap((meter) =>
        tasksOf(connection, monitor, meter, { ...options, isRemote: target.mode === 'remote' }),
      ),
    );
    return made;
  } finally {
    await connection.close();
  }
}

async function result(of: string, read: () => Promise<unknown>): Promise<Made> {
  try {
    return { of, payload: await read() };
  } catch (error) {
    if (!(error instanceof CemmError) || error.code === 'CANCELLED') throw error;
    return { of, error: { code: error.code, reason: error.reason } };
  }
}

function open(target: CheckedConnection, { clock, timezone, wrapHttp }: ReadAllOptions): MonitorConnection {
  const common = { timezone, deadlineMs, clock };
  if (target.mode === 'public') {
    const client = createPublicClient({ ...target, clock, wrapHttp });
    return createPublicConnection({ client, host: 'monitor', ...common });
  }
  const client =
    target.mode === 'remote'
      ? createRemoteClient({ ...target, clock, wrapHttp, random: () => 0.5 })
      : createLocalClient({ ...target, clock, wrapHttp });
  return createOpenApiConnection({ client, transport: target.mode, random: () => 0.5, ...common });
}

interface TaskOptions extends ReadAllOptions {
  readonly isRemote: boolean;
}

function aliasTasks(
  connection: MonitorConnection,
  monitor: string | null,
  { alias }: MeterInfo,
  { at, timezone, withDays, signal, isRemote }: TaskOptions,
): Task[] {
  if (alias === undefined) return [];
  const meter = { monitor, alias, role: 'auto' } as const;
  const period = (unit: SeriesUnit): SeriesPeriod => periodContaining(unit, timezone, at);
  const yesterday = previousPeriod(periodContaining('day', timezone, at));
  const series = (unit: SeriesUnit, of = period(unit)): Task => ({
    of: `${alias} ${of.label}`,
    read: () => connection.readSeries(meter, of, { signal }),
  });
  const totals = (of: SeriesPeriod): Task => ({
    of: `${alias} totals ${of.label}`,
    read: () => connection.readTotals(meter, of, { signal }),
  });
  return [
    { of: `${alias} realtime`, read: () => connection.readRealtime(meter, { signal }) },
    ...(isRemote ? [totals(yesterday), totals(period('day'))] : []),
    series('month'),
    series('year'),
    ...(withDays ? [series('day', yesterday), series('day')] : []),
  ];
}

function channelTasks(
  connection: MonitorConnection,
  monitor: string | null,
  { key, channels = [] }: MeterInfo,
  { signal }: TaskOptions,
): Task[] {
  return channels.map((channel) => ({
    of: `${key ?? ''}:${channel.key}`,
    read: () =>
      connection.readTimeseries(
        {
          monitor,
          meter: key ?? null,
          channel: channel.key,
          role: 'auto',
          resolution: 'day',
          count: days,
          include: '',
        },
        { signal },
      ),
  }));
}

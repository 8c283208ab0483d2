/** Checks a connection step by step, from the name of its host to the clock of its monitor, and reports the step that fails. */
import { largest } from '../checks/extremes';
import { speaksPlainly } from '../clients/address';
import type { MeterRef, MonitorClient, PublicClient, SendOptions } from '../clients/client';
import { usesProxy } from '../clients/http';
import { type Clock, systemClock } from '../time/clock';
import { CemmError } from '../errors';
import { createLocalClient } from '../clients/local-client';
import { createPublicClient } from '../clients/public-client';
import { createRemoteClient } from '../clients/remote-client';
import type { IoRecord, RealtimeResponse } from '../protocol/responses';
import { CheckSteps, type CheckStepResult, StepFailure, failureOf, type StepValues } from './check-steps';
import { type CheckedConnection, type CheckTarget, failureFrom, openTarget, speakHttp } from './check-target';
import { openTcp, openTls, resolveName, resolvesToOwnNetwork } from './network-probe';

export interface CheckOptions {
  readonly signal: AbortSignal;
  /** Time for the whole check, in ms. */
  readonly deadlineMs: number;
  readonly clock?: Clock;
}

/** Timeout of one connection attempt, in ms. */
const mostConnectMs = 5_000;
/**
 * Limits of the difference between the newest reading and the clock of this machine: clocks differ a little, and slow
 * meters have old readings.
 */
const mostAheadSeconds = 120;
const mostAgeSeconds = 15 * 60;

/** Rejects on internal errors only: failures are reported in the result of their step. */
export async function checkConnection(
  checked: CheckedConnection,
  options: CheckOptions,
): Promise<readonly CheckStepResult[]> {
  const check = new ConnectionCheck(checked, options);
  try {
    await check.reach();
    await check.ask();
    return check.result;
  } finally {
    check.close();
  }
}

class ConnectionCheck {
  private readonly clock: Clock;
  private readonly steps: CheckSteps;
  private readonly until: number;
  private readonly isRemote: boolean;
  private target: CheckTarget | null = null;
  private needsProxy = false;
  private client: MonitorClient | PublicClient | null = null;
  private found: Found | null = null;
  private compareClocks: Meters['compareClocks'] = null;

  constructor(
    private readonly checked: CheckedConnection,
    private readonly options: CheckOptions,
  ) {
    this.clock = options.clock ?? systemClock;
    this.steps = new CheckSteps(() => this.clock.monotonic());
    this.until = this.clock.monotonic() + options.deadlineMs;
    this.isRemote = checked.mode === 'remote';
  }

  get result(): readonly CheckStepResult[] {
    return this.steps.result;
  }

  close(): void {
    this.client?.close();
  }

  /** Runs the steps from the name of the host to an HTTP response. */
  async reach(): Promise<void> {
    const { checked, steps } = this;
    const { signal } = this.options;
    await steps.run('name', async () => {
      this.target = openTarget(checked);
      this.needsProxy = this.isRemote && (await usesProxy(this.target.baseUrl));
      if (!this.needsProxy) await resolveName(this.target.destination);
      return {};
    });
    const needsTls = await this.needsTls();
    if (this.needsProxy) steps.skip('tcp', 'proxy');
    else if (needsTls) steps.skip('tcp', 'not_needed');
    else await steps.run('tcp', () => openTcp(this.openedTarget.destination, this.connectMs, signal));
    if (this.needsProxy) steps.skip('tls', 'proxy');
    else if (checked.mode === 'remote' && /^https:/i.test(checked.baseUrl.trim()))
      await steps.run('tls', () => openTls(this.openedTarget.destination, this.connectMs, signal));
    else if (needsTls)
      await steps.run('tls', () => Promise.reject(failureOf({ code: 'CONFIG', reason: 'base_scheme' })));
    else steps.skip('tls', 'not_needed');
    await steps.run('http', () => speakHttp(this.openedTarget, this.isRemote, this.clock, this.connectMs, signal));
  }

  /** Runs the steps from the monitor to its clock. */
  async ask(): Promise<void> {
    const { checked, steps } = this;
    let refused: CemmError | null = null;
    await steps.run('monitor', async () => {
      try {
        const client = this.open();
        this.found = client.transport === 'public' ? await this.meetPublic(client) : await this.meetOpen(client);
      } catch (error) {
        if (!this.isRefusedKey(error)) throw failureFrom(error);
        refused = error;
      }
      // The message names the generation that answered.
      return checked.mode === 'remote' ? {} : { generation: checked.mode === 'public' ? 3 : 2 };
    });
    if (this.isRemote)
      await steps.run('key', () => (refused === null ? Promise.resolve({}) : Promise.reject(failureOf(refused))));
    else steps.skip('key', 'not_needed');
    await steps.run('inventory', () => this.lookAround());
    if (this.compareClocks === null) steps.skip('clock', 'no_time');
    else await steps.run('clock', this.compareClocks);
  }

  private async lookAround(): Promise<StepValues> {
    const { found } = this;
    if (found === null || found.monitors === 0) throw failureOf({ code: 'INPUT', reason: 'no_monitors' });
    const { count, compareClocks } = await found.look().catch(rejectAsFailure);
    if (count === 0) throw failureOf({ code: 'INPUT', reason: 'no_meters' });
    this.compareClocks = compareClocks;
    return { monitors: found.monitors, meters: count };
  }

  /** True if the connection sends a key over plain http to a host outside the local network. */
  private async needsTls(): Promise<boolean> {
    const { target } = this;
    return (
      this.isRemote &&
      target !== null &&
      speaksPlainly(target.baseUrl) &&
      !(await resolvesToOwnNetwork(target.destination))
    );
  }

  private get openedTarget(): CheckTarget {
    if (this.target === null) throw new StepFailure('CONFIG');
    return this.target;
  }

  private get leftMs(): number {
    return Math.max(1, this.until - this.clock.monotonic());
  }

  private get connectMs(): number {
    return Math.min(mostConnectMs, this.leftMs);
  }

  private sendOptions(): SendOptions {
    return { signal: this.options.signal, deadlineMs: this.leftMs, patience: 'user' };
  }

  private open(): MonitorClient | PublicClient {
    this.client ??= openClient(this.checked, this.clock);
    return this.client;
  }

  private async meetOpen(client: MonitorClient): Promise<Found> {
    const monitors = (await client.request({ kind: 'monitors' }, this.sendOptions())).value;
    const [first] = monitors;
    const look = async (): Promise<Meters> => {
      const records =
        first === undefined
          ? []
          : (await client.request({ kind: 'meters', monitor: first.id }, this.sendOptions())).value;
      const alias = electricAlias(records);
      if (first === undefined || alias === null) return { count: records.length, compareClocks: null };
      const compareClocks = (): Promise<StepValues> => this.compareNewest(client, { monitor: first.id, alias });
      return { count: records.length, compareClocks };
    };
    return { monitors: monitors.length, look };
  }

  private async meetPublic(client: PublicClient): Promise<Found> {
    const monitors = (await client.request({ kind: 'identity' }, this.sendOptions())).value;
    const [first] = monitors;
    const difference = first?.clockDifferenceMs ?? null;
    const look = async (): Promise<Meters> => {
      const meters =
        first === undefined
          ? []
          : (await client.request({ kind: 'catalogue', monitor: first.id }, this.sendOptions())).value;
      const compareClocks = difference === null ? null : () => checkClock(Math.round(difference / 1000));
      return { count: meters.length, compareClocks };
    };
    return { monitors: monitors.length, look };
  }

  /** A service that refuses the key is still the right service. */
  private isRefusedKey(error: unknown): error is CemmError {
    return this.isRemote && error instanceof CemmError && (error.code === 'AUTH' || error.reason === 'no_key');
  }

  /** Compares the time of the newest reading with this machine's clock. */
  private async compareNewest(client: MonitorClient, meter: MeterRef): Promise<StepValues> {
    const { value } = await client.request({ kind: 'realtime', ...meter }, this.sendOptions()).catch(rejectAsFailure);
    const newest = newestOf(value);
    if (newest === null) throw new StepFailure('no_time');
    const seconds = Math.round((newest - this.clock.now()) / 1000);
    if (seconds > mostAheadSeconds) throw new StepFailure('clock_ahead', { seconds });
    if (seconds < -mostAgeSeconds) throw new StepFailure('data_old', { minutes: Math.round(-seconds / 60) });
    return { seconds: Math.abs(seconds) };
  }
}

interface Meters {
  readonly count: number;
  /** Null if the time of the monitor is unknown. */
  readonly compareClocks: (() => Promise<StepValues>) | null;
}

/** The monitor that answered, and its meters. */
interface Found {
  readonly monitors: number;
  readonly look: () => Promise<Meters>;
}

/** Reports a wrong clock: the monitor's days begin by its clock. */
function checkClock(seconds: number): Promise<StepValues> {
  if (seconds > mostAheadSeconds) return Promise.reject(new StepFailure('clock_ahead', { seconds }));
  if (seconds < -mostAheadSeconds) return Promise.reject(new StepFailure('clock_behind', { seconds: -seconds }));
  return Promise.resolve({ seconds: Math.abs(seconds), own: 1 });
}

function openClient(checked: CheckedConnection, clock: Clock): MonitorClient | PublicClient {
  if (checked.mode === 'remote') return createRemoteClient({ ...checked, clock });
  return checked.mode === 'public'
    ? createPublicClient({ ...checked, clock })
    : createLocalClient({ ...checked, clock });
}

/** The alias of an electricity meter, which has a new reading every minute; gas may be an hour old. */
function electricAlias(records: readonly IoRecord[]): string | null {
  const named = records.filter(({ alias, type }) => alias !== null && !/gas|water/.test(`${alias} ${type ?? ''}`));
  const listed = named.find(({ alias }) => alias === 'p1') ?? named[0];
  if (listed !== undefined) return listed.alias;
  // The remote list has no aliases; the smart meter has the same one everywhere.
  return records.some(({ type }) => type === 'p1') ? 'p1' : null;
}

function newestOf({ data, totals }: RealtimeResponse): number | null {
  const times = [...data.values(), ...(totals?.values() ?? [])].flatMap(({ time }) => (time === null ? [] : [time]));
  return times.length === 0 ? null : largest(times);
}

function rejectAsFailure(error: unknown): never {
  throw failureFrom(error);
}

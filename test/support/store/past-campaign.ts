/**
 * A random house, some days of it, and faults of both clocks, of the monitor's memory and address, with restarts and kills between
 * them. After each step no number that is marked complete is wrong, and no minute that was once known and right is lost.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Balances } from '../../../src/balance/balances';
import { everyMeter } from '../../../src/balance/meters/choice';
import { nextPeriod, type SeriesPeriod, periodContaining } from '../../../src/calendar/periods';
import { createOpenApiConnection } from '../../../src/connection/open-api-connection';
import { CemmError } from '../../../src/errors';
import type { BalancePayload } from '../../../src/model/payload';
import { millis } from '../../../src/protocol/time';
import { PastDays } from '../../../src/store/past-days';
import { OTHER, MONITOR } from '../clients/fake-client';
import { Random } from '../random';
import { dayMs, FaultyMonitor, flowed, hourMs, type MeterName, minuteMs, truth, World, zone } from './faulty-house';

const first = Date.parse('2026-03-01T12:00:00Z');

/** Broken rules, with the step at which each was seen. */
export async function brokenInHouse(seed: number, days: number): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'cemm-past-'));
  try {
    return await new PastCampaign(seed, days, folder).run();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

class PastCampaign {
  private readonly random: Random;
  private readonly world: World;
  private readonly monitor: FaultyMonitor;
  private readonly meters: readonly MeterName[];
  /** Minutes that were once known and right, and written, by meter and day. */
  private readonly right = new Map<string, Set<number>>();
  /** Those that are not written yet. */
  private readonly unwritten = new Map<string, Set<number>>();
  private readonly broken: string[] = [];
  private readonly script: string[] = [];
  private past: PastDays;
  private program: ReturnType<PastCampaign['start']>;

  constructor(
    private readonly seed: number,
    private readonly days: number,
    private readonly folder: string,
  ) {
    this.random = new Random(seed);
    this.world = new World(first);
    this.meters = this.random.pick([['p1'], ['p1', 's01'], ['p1', 's01', 's02']] as const);
    this.monitor = new FaultyMonitor(this.world, this.random.pick(['remote', 'local'] as const), this.meters);
    this.monitor.salt = seed;
    this.monitor.hasReadings = this.random.happens(0.3);
    this.past = this.store();
    this.program = this.start();
  }

  async run(): Promise<string[]> {
    const end = first + this.days * dayMs;
    while (this.world.moment < end && this.broken.length === 0) {
      this.world.moment += this.random.int(1, 40) * hourMs + this.random.int(0, 59) * minuteMs;
      await this.change();
      await this.look();
    }
    return this.broken;
  }

  private store(): PastDays {
    return new PastDays({
      folder: this.folder,
      clock: this.world,
      onProblem: (problem) => {
        this.fail(`store: ${problem}`);
      },
    });
  }

  private start() {
    const { monitor, world, past } = this;
    const connection = createOpenApiConnection({
      ...{ client: monitor, transport: monitor.transport, clock: world, past, timezone: zone, deadlineMs: 25_000 },
      random: () => 0.5,
    });
    return { connection, balances: new Balances({ reader: connection, clock: world }) };
  }

  /** One or two events. */
  private async change(): Promise<void> {
    const { monitor, random, world } = this;
    const now = world.moment;
    const events: Readonly<Record<string, () => unknown>> = {
      'host ahead': () => (world.hostError = random.pick([8 * hourMs, dayMs, 40 * dayMs, 365 * dayMs])),
      'host behind': () => (world.hostError = -random.pick([hourMs, 2 * dayMs])),
      'host right': () => (world.hostError = 0),
      'monitor ahead': () => (monitor.clockError = random.pick([8 * hourMs, 3 * dayMs])),
      'monitor right': () => (monitor.clockError = 0),
      reset: () => (monitor.forgottenBefore = now),
      late: () => (monitor.arrivedUntil = now - random.int(0, 30) * hourMs),
      arrived: () => (monitor.arrivedUntil = Infinity),
      'unknown as 0': () => ([monitor.unknown, monitor.toCome] = [0, random.happens(0.5) ? 0 : undefined]),
      'unknown left out': () => ([monitor.unknown, monitor.toCome] = [undefined, undefined]),
      away: () => (monitor.isAway = true),
      back: () => (monitor.isAway = false),
      'other monitor': () => ([monitor.id, monitor.salt] = [OTHER, this.seed + 1]),
      'first monitor': () => undefined,
      'read again': () => this.past.readAgain(random.pick([null, '2026-03'])),
      restart: () => this.restart(true),
      kill: () => this.restart(false),
    };
    [monitor.id, monitor.salt] = [MONITOR, this.seed];
    for (let count = random.int(0, 2); count > 0; count -= 1) {
      const name = random.pick(Object.keys(events));
      // Both clocks ahead at once is a time that nobody can tell from the right one.
      if (name === 'host ahead' && monitor.clockError !== 0) monitor.clockError = 0;
      if (name === 'monitor ahead' && world.hostError > 0) world.hostError = 0;
      await events[name]?.();
      this.script.push(`${new Date(world.moment).toISOString().slice(0, 16)} ${name}`);
    }
  }

  private async restart(isOrderly: boolean): Promise<void> {
    if (isOrderly) await this.past.flush();
    // What was not written when a program is killed was not known for good.
    else this.unwritten.clear();
    await this.program.connection.close();
    this.past = this.store();
    this.program = this.start();
  }

  /** Reads some days and checks them, and at times all of the past. */
  private async look(): Promise<void> {
    const { random, world } = this;
    const isOther = this.monitor.id === OTHER;
    const all = random.happens(0.1);
    let day = periodContaining('day', zone, millis(first));
    for (; day.start < world.moment; day = nextPeriod(day)) {
      if (!all && day.end < world.moment - random.int(0, 3) * dayMs) continue;
      // What another monitor at the address sends has a name of its own.
      if (!isOther) await this.check(day);
      else await this.tolerant(() => this.program.balances.read(target(day), ask()));
    }
    for (let turn = 0; turn < 30; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    if (random.happens(0.7)) {
      await this.past.flush();
      for (const [key, minutes] of this.unwritten) {
        const known = this.right.get(key) ?? new Set();
        for (const minute of minutes) known.add(minute);
        this.right.set(key, known);
      }
      this.unwritten.clear();
    }
  }

  private async check(day: SeriesPeriod): Promise<void> {
    for (const alias of this.meters) await this.checkMinutes(day, alias);
    const balance = await this.tolerant(() => this.program.balances.read(target(day), ask()));
    if (balance?.complete === true) this.checkSums(day, balance);
  }

  private async checkMinutes(day: SeriesPeriod, alias: MeterName): Promise<void> {
    const payload = await this.tolerant(() =>
      this.program.connection.readSeries({ monitor: MONITOR, alias, role: 'auto' }, day, ask()),
    );
    if (payload === null) return;
    const shown = new Map(payload.points.map(({ ts, power_w: power }) => [ts, power ?? null]));
    const key = `${alias} ${day.label}`;
    const wanted = (minute: number): number => truth(alias, minute, this.monitor.salt);
    const lost = [...(this.right.get(key) ?? [])].find((minute) => shown.get(minute) !== wanted(minute));
    if (lost !== undefined && this.world.now() >= day.end) {
      this.fail(`${key}: a minute that was known is lost: ${String(shown.get(lost))} / ${wanted(lost)}`);
      return;
    }
    // A running period is kept until some hours ago.
    const { clockError } = this.monitor;
    const until = this.world.moment + Math.min(0, this.world.hostError, clockError) - 5 * hourMs;
    const known = this.unwritten.get(key) ?? new Set();
    for (const [minute, power] of shown) {
      if (power !== 0 && power !== null && minute < until && power === wanted(minute)) known.add(minute);
    }
    this.unwritten.set(key, known);
  }

  private checkSums(day: SeriesPeriod, { values, method }: BalancePayload): void {
    const until = Math.min(day.end, Math.floor(this.world.now() / minuteMs) * minuteMs);
    const { salt } = this.monitor;
    const sum = (meters: readonly MeterName[], sign: 1 | -1): number =>
      meters.reduce((total, meter) => total + flowed(meter, day.start, until, sign, salt), 0);
    const inverters = this.meters.filter((meter) => meter.startsWith('s'));
    const wanted = {
      energy_import_kwh: sum(['p1'], 1),
      energy_export_kwh: sum(['p1'], -1),
      ...(inverters.length > 0 && { energy_production_kwh: sum(inverters, 1) }),
    };
    for (const [field, right] of Object.entries(wanted)) {
      const got = values[field] ?? null;
      const permitted = method[field] === 'registers' ? 0.02 + 0.01 * right : 0.05 + 0.01 * right;
      if (got === null || Math.abs(got - right) <= permitted) continue;
      this.fail(`${day.label} ${field} is ${got} / ${right}, and marked complete`);
    }
  }

  /** Null for an error of the connection. */
  private async tolerant<Result>(work: () => Promise<Result>): Promise<Result | null> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof CemmError && error.reason !== 'internal') return null;
      throw error;
    }
  }

  private fail(what: string): void {
    const at = new Date(this.world.moment).toISOString().slice(0, 16);
    this.broken.push(`${at} ${what} [${this.monitor.transport} ${this.meters.join()}; ${this.script.join(', ')}]`);
  }
}

function target(period: SeriesPeriod) {
  const meters = { ...everyMeter, battery: [] };
  return { monitor: MONITOR, meters, period, step: 'PT1H', prices: null, wantsPeak: false, counters: null } as const;
}

const ask = () => ({ signal: new AbortController().signal });

/**
 * A random house, some days of it, and faults of both clocks, of the monitor's memory and address, with restarts and kills between
 * them. After each step no number that is marked complete is wrong, and no minute that was once known and right is lost.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { everyMeter } from '../../../src/balance/meters/choice';
import { nextPeriod, type SeriesPeriod, periodContaining } from '../../../src/calendar/periods';
import { openBalances } from '../clients/in-process';
import { CemmError } from '../../../src/errors';
import { MeterTable, parseMeterRows } from '../../../src/model/meter-table';
import type { BalancePayload, PeriodSeriesPayload } from '../../../src/model/payload';
import type { MonitorId } from '../../../src/protocol/mac';
import { dayMs, hourMs, minuteMs, millis, quarterMs } from '../../../src/time/units';
import { PastDays } from '../../../src/store/past-days';
import { OTHER, MONITOR } from '../clients/fake-client';
import { patience } from '../patience';
import { Random } from '../random';
import { localClientOf } from './faulty-network';
import { FaultyMonitor, flowed, type MeterName, truth, World, zone } from './faulty-house';

const houses = [
  ['p1'],
  ['p1', 's01'],
  ['p1', 's01', 's02'],
  ['p1', 's01', 'mb2'],
  ['p1', 's01', 'mb2', 'mb3'],
  ['p1', 'mb3'],
] as const satisfies readonly (readonly MeterName[])[];

const first = Date.parse('2026-03-01T12:00:00Z');

/** A house of 60 days takes ten seconds of processor time. */
const longestMs = 600_000;

/** Broken rules, with the step at which each was seen. */
export async function brokenInHouse(seed: number, days: number, limitMs = longestMs * patience): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'cemm-past-'));
  const campaign = new PastCampaign(seed, days, folder);
  const ended = new AbortController();
  const limit = sleep(limitMs, undefined, { signal: ended.signal }).then(() => campaign.stop());
  try {
    return await Promise.race([campaign.run(), limit]);
  } finally {
    ended.abort();
    // A step that goes on can write in between.
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

class PastCampaign {
  private readonly random: Random;
  private readonly world: World;
  private readonly monitor: FaultyMonitor;
  private readonly meters: readonly MeterName[];
  private readonly isMacFilledIn: boolean;
  /** Minutes that were once known and right, and written, by meter and day. */
  private readonly right = new Map<string, Set<number>>();
  /** Those that are not written yet. */
  private readonly unwritten = new Map<string, Set<number>>();
  private readonly broken: string[] = [];
  private readonly script: string[] = [];
  private past: PastDays;
  private program: ReturnType<PastCampaign['createConnection']>;

  constructor(
    private readonly seed: number,
    private readonly days: number,
    private readonly folder: string,
  ) {
    this.random = new Random(seed);
    this.world = new World(first);
    this.meters = this.random.pick(houses);
    this.isMacFilledIn = this.random.happens(0.5);
    this.monitor = new FaultyMonitor(this.world, this.random.pick(['remote', 'local'] as const), this.meters);
    this.monitor.salt = saltOf(seed, MONITOR);
    this.monitor.hasReadings = this.random.happens(0.3);
    this.past = this.store();
    this.program = this.createConnection();
  }

  /** For a step that waits for ever. */
  stop(): string[] {
    this.fail('a step does not end');
    return this.broken;
  }

  async run(): Promise<string[]> {
    const end = first + this.days * dayMs;
    while (this.world.moment < end && this.broken.length === 0) {
      this.world.moment += this.random.int(1, 40) * hourMs + this.random.int(0, 59) * minuteMs;
      await this.changeWorld();
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

  private createConnection() {
    const { monitor, world, past, isMacFilledIn } = this;
    const mac = isMacFilledIn ? MONITOR : null;
    const local = monitor.transport === 'local' ? localClientOf(monitor, world, mac) : null;
    const meters = new MeterTable(parseMeterRows([{ meter: 'mb3', role: 'consumption' }]));
    return { local, ...openBalances({ client: local ?? monitor, clock: world, past, meters }) };
  }

  /** One or two events. */
  private async changeWorld(): Promise<void> {
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
      'other monitor': () => ([monitor.id, monitor.salt] = [OTHER, saltOf(this.seed, OTHER)]),
      'first monitor': () => undefined,
      'read again': () => this.past.readAgain(random.pick([null, '2026-03'])),
      restart: () => this.restartHouse(true),
      kill: () => this.restartHouse(false),
    };
    [monitor.id, monitor.salt] = [MONITOR, saltOf(this.seed, MONITOR)];
    for (let count = random.int(0, 2); count > 0; count -= 1) {
      const name = random.pick(Object.keys(events));
      // Both clocks ahead at once is a time that nobody can tell from the right one.
      if (name === 'host ahead' && monitor.clockError !== 0) monitor.clockError = 0;
      if (name === 'monitor ahead' && world.hostError > 0) world.hostError = 0;
      await events[name]?.();
      this.script.push(`${new Date(world.moment).toISOString().slice(0, 16)} ${name}`);
    }
  }

  private async restartHouse(isOrderly: boolean): Promise<void> {
    if (isOrderly) await this.past.flush();
    // What was not written when a program is killed was not known for good.
    else this.unwritten.clear();
    this.monitor.toldUntil = -Infinity;
    await this.program.connection.close();
    this.past = this.store();
    this.program = this.createConnection();
  }

  /** Reads some days and checks them, and at times all of the past. */
  private async look(): Promise<void> {
    const { random, world } = this;
    const isOther = this.monitor.id === OTHER;
    const all = random.happens(0.1);
    let day = periodContaining('day', zone, millis(first));
    for (; day.start < world.moment; day = nextPeriod(day)) {
      if (!all && day.end < world.moment - random.int(0, 3) * dayMs) continue;
      if (isOther) await this.checkRefused(day);
      await this.check(day, this.monitor.id);
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

  /** While another monitor answers, nothing is given under the name of the first one. */
  private async checkRefused(day: SeriesPeriod): Promise<void> {
    const { balances, connection, local } = this.program;
    const given = await this.answerOf(() => balances.read(this.target(day, MONITOR), makeReadOptions()));
    const series = await this.answerOf(() =>
      connection.readSeries({ monitor: MONITOR, alias: 'p1', role: 'auto' }, day, makeReadOptions()),
    );
    // The list of a key lacks the first monitor; so does the network for a program that has begun with the other one.
    const refusal = local?.identity === MONITOR ? 'WRONG_MONITOR' : 'INPUT';
    for (const answer of [given, series]) {
      const isRefused = answer instanceof CemmError && answer.code === refusal;
      // It does not answer either, so nobody can know which one it is.
      if (isRefused || (this.monitor.isAway && this.isOfFirst(answer, day))) continue;
      this.fail(`${day.label}: another monitor answers, and the first one is given: ${describeAnswer(answer)}`);
    }
  }

  /** A failure, or numbers of the first monitor. */
  private isOfFirst(answer: CemmError | BalancePayload | PeriodSeriesPayload, day: SeriesPeriod): boolean {
    if (answer instanceof CemmError) return answer.retryable;
    if (answer.kind === 'balance' && answer.complete) this.checkSums(day, answer, saltOf(this.seed, MONITOR));
    return true;
  }

  private async check(day: SeriesPeriod, id: MonitorId): Promise<void> {
    for (const alias of this.meters) await this.checkMinutes(day, alias, id);
    const balance = await this.answerOf(() => this.program.balances.read(this.target(day, id), makeReadOptions()));
    if (!(balance instanceof CemmError) && balance.complete) this.checkSums(day, balance, saltOf(this.seed, id));
  }

  private async checkMinutes(day: SeriesPeriod, alias: MeterName, id: MonitorId): Promise<void> {
    const payload = await this.answerOf(() =>
      this.program.connection.readSeries({ monitor: id, alias, role: 'auto' }, day, makeReadOptions()),
    );
    if (payload instanceof CemmError) return;
    const shown = new Map(payload.points.map(({ ts, power_w: power }) => [ts, power ?? null]));
    const key = `${id} ${alias} ${day.label}`;
    const wanted = (minute: number): number => truth(alias, minute, saltOf(this.seed, id));
    const lost = [...(this.right.get(key) ?? [])].find((minute) => shown.get(minute) !== wanted(minute));
    if (lost !== undefined && this.world.now() >= day.end) {
      const at = new Date(lost).toISOString().slice(11, 16);
      this.fail(`${key} ${at}: a minute that was known is lost: ${String(shown.get(lost))} / ${wanted(lost)}`);
      return;
    }
    // A running period is kept until some hours before the newest data that the program knows of: a request can fail.
    const { arrivedUntil, clockError, toldUntil } = this.monitor;
    const { hostError, moment } = this.world;
    const newest = [...shown].reduce((last, [minute, power]) => (power === null || power === 0 ? last : minute), 0);
    const told = Math.max(toldUntil, newest);
    const until = Math.min(arrivedUntil, moment + Math.min(0, hostError, clockError), told) - 5 * hourMs;
    const known = this.unwritten.get(key) ?? new Set();
    for (const [minute, power] of shown) {
      if (power !== 0 && power !== null && minute < until && power === wanted(minute)) known.add(minute);
    }
    this.unwritten.set(key, known);
  }

  private checkSums(day: SeriesPeriod, { values, method, devices = [] }: BalancePayload, salt: number): void {
    const until = Math.min(day.end, Math.floor(this.world.now() / minuteMs) * minuteMs);
    const sumKind = (kind: MeterKind, sign: 1 | -1): number =>
      this.meters
        .filter((meter) => kindOf[meter] === kind)
        .reduce((total, meter) => total + flowed(meter, day.start, until, sign, salt), 0);
    const hasMeterOfKind = (kind: MeterKind): boolean => this.meters.some((meter) => kindOf[meter] === kind);
    const [taken, given, produced] = [sumKind('grid', 1), sumKind('grid', -1), sumKind('production', 1)];
    const [charged, discharged] = [sumKind('battery', 1), sumKind('battery', -1)];
    const used = sumKind('device', 1);
    const wanted = {
      energy_import_kwh: taken,
      energy_export_kwh: given,
      energy_net_kwh: taken - given,
      ...(hasMeterOfKind('production') && {
        energy_production_kwh: produced,
        energy_house_kwh: taken - given + produced + discharged - charged,
      }),
      ...(hasMeterOfKind('battery') && {
        energy_battery_charged_kwh: charged,
        energy_battery_discharged_kwh: discharged,
      }),
    };
    const parts = taken + given + produced + charged + discharged;
    // The last minutes of a running day can lack.
    const late = until < day.end ? this.flowSince(until - quarterMs, until, salt) : 0;
    const checkAmount = (field: string, got: number | null, right: number, permitted: number): void => {
      if (got !== null && Math.abs(got - right) <= permitted + late) return;
      this.fail(`${day.label} ${field} is ${got} / ${right}, and marked complete`);
    };
    for (const [field, right] of Object.entries(wanted)) {
      const flow = field === 'energy_net_kwh' || field === 'energy_house_kwh' ? parts : right;
      checkAmount(field, values[field] ?? null, right, (method[field] === 'registers' ? 0.02 : 0.05) + 0.01 * flow);
    }
    for (const { meter, energy_kwh: got = null, coverage } of devices) {
      // Devices leave a balance complete.
      if (coverage === 1) checkAmount(`use of ${meter}`, got, used, 0.05 + 0.01 * used);
    }
  }

  /** What all meters count in a time, in both directions. */
  private flowSince(from: number, to: number, salt: number): number {
    return this.meters.reduce(
      (sum, meter) => sum + flowed(meter, from, to, 1, salt) + flowed(meter, from, to, -1, salt),
      0,
    );
  }

  /** The answer, or the error of the connection. */
  private async answerOf<Result>(work: () => Promise<Result>): Promise<Result | CemmError> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof CemmError && error.reason !== 'internal') return error;
      throw error;
    }
  }

  private target(period: SeriesPeriod, monitor: MonitorId) {
    const battery = this.meters.filter((meter) => kindOf[meter] === 'battery');
    const meters = { ...everyMeter, battery };
    return { monitor, meters, period, step: 'PT1H', prices: null, wantsPeak: false, counters: null } as const;
  }

  private fail(what: string): void {
    const at = new Date(this.world.moment).toISOString().slice(0, 16);
    this.broken.push(`${at} ${what} [${this.monitor.transport} ${this.meters.join()}; ${this.script.join(', ')}]`);
  }
}

type MeterKind = 'grid' | 'production' | 'battery' | 'device' | 'gas';

const kindOf: Readonly<Record<MeterName, MeterKind>> = {
  p1: 'grid',
  s01: 'production',
  s02: 'production',
  mb2: 'battery',
  mb3: 'device',
  gas: 'gas',
};

function saltOf(seed: number, id: MonitorId): number {
  return id === MONITOR ? seed : seed + 1;
}

function describeAnswer(answer: CemmError | BalancePayload | PeriodSeriesPayload): string {
  return answer instanceof CemmError ? `${answer.code} ${answer.reason ?? ''}` : JSON.stringify(answer).slice(0, 300);
}

const makeReadOptions = () => ({ signal: new AbortController().signal });

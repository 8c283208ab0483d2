/** `source: messages`: the balance of incoming messages, for users with webhooks or a broker and without a connection. */
import { type EnergyPayload, isEnergyPayload } from '../../src/balance/messages/add-message';
import { roleOfKept } from '../../src/balance/messages/delivered-role';
import {
  balanceOfHouse,
  billOfHouse,
  daysOfBill,
  type House,
  isHouse,
  readingsOfHouse,
} from '../../src/balance/messages/houses';
import { describedPayload } from '../../src/balance/messages/described-payload';
import { knownRange } from '../../src/balance/messages/known-days';
import { hoursOfYear } from '../../src/balance/period/hours-of-year';
import { withDays } from '../../src/balance/day-sums/state-of-days';
import { PresentHouses } from '../../src/balance/messages/present-houses';
import type { NodeMessage } from 'node-red';
import type { DayRange } from '../../src/calendar/periods';
import { CemmError } from '../../src/errors';
import { isOrigin, type Origin } from '../../src/model/identity';
import { type MeterTable, type MonitorRows, noTable } from '../../src/model/meter-table';
import { readPayload } from '../../src/model/read-payload';
import { minuteMs } from '../../src/time/units';
import { choosePeriodWord, wallClock } from '../lib/stored/choice';
import { balancePeriods } from './config';
import { findConnection, findTimezone } from '../lib/run/connection-node';
import { runOwnPolls } from '../lib/run/polling';
import type { Job } from '../lib/run/runner';
import { clockTime, stateStatus } from '../lib/run/status';
import { type Evaluation, resolveText } from '../lib/stored/typed-input';
import { chooseMeters, HousePrices } from './choose';
import { isOfSimulated, NodeHouses } from './node-houses';
import { answerPrices } from './price-answer';
import { createQuestion, findPeriod, parseBill, parseQuestion, type PeriodQuestion, type Question } from './question';
import { type BalanceNode, type PeriodSource, sendBalance, sendPeriod, sendSpan, withProgress } from './spans';

/** For a node without a connection. */
const usualTimezone = 'Europe/Amsterdam';
/** A monitor delivers at most every minute. */
const usualMomentMs = minuteMs;

export class MessagesBalance {
  private readonly houses: NodeHouses;
  private readonly present = new PresentHouses();
  /** From the connection, which may close before this node has added the messages that wait. */
  private ofConnection: {
    readonly timezone: string;
    readonly table: MeterTable;
    readonly simulated: MeterTable;
  } | null = null;
  /** Names of the houses of messages that have arrived since the start. */
  private readonly arrived = new Set<string>();

  constructor(private readonly parts: BalanceNode) {
    this.houses = new NodeHouses(parts);
    parts.runner.onSave(() => this.houses.close());
  }

  /** An interval sends balances at that interval; a current balance is sent as soon as its readings are complete. */
  startPolls(): void {
    const { config, runner } = this.parts;
    this.showKept('');
    const isNow = config.periodType === 'str' && config.period === 'now';
    if (!isNow) runOwnPolls(runner, config.interval);
  }

  async work(job: Job): Promise<void> {
    const { RED, node, config } = this.parts;
    const evaluation: Evaluation = { RED, node, msg: job.msg };
    const timezone = await this.timezone();
    const payload: unknown = job.msg?.payload;
    const question = parseQuestion(config, job.msg);
    if (question !== null) {
      await this.answer(job, question, timezone, evaluation);
    } else if (job.msg !== null && typeof payload === 'object' && payload !== null) {
      const ours = readPayload(payload);
      if (isEnergyPayload(ours)) await this.add(job, ours, timezone, evaluation);
    } else {
      await this.sendAll(job, timezone, evaluation);
    }
  }

  /** True for a message that is no question and has readings. */
  isAdded(msg: NodeMessage): boolean {
    try {
      return parseQuestion(this.parts.config, msg) === null && isEnergyPayload(readPayload(msg.payload));
    } catch {
      return false;
    }
  }

  private async timezone(): Promise<string> {
    const { RED, config, runner } = this.parts;
    if (config.connection === '') return usualTimezone;
    if (runner.closed && this.ofConnection !== null) return this.ofConnection.timezone;
    const connection = findConnection(RED, config.connection);
    const timezone = await findTimezone(connection);
    const { houseMeters: table = noTable, simulatedMeters: simulated = table } = connection;
    this.ofConnection = { timezone, table, simulated };
    return timezone;
  }

  /** The rows about a house. Without an installation in its path, a delivery is of the only monitor. */
  private rowsOf({ monitor, installation }: Origin, isSimulated: boolean): MonitorRows {
    const table = (isSimulated ? this.ofConnection?.simulated : this.ofConnection?.table) ?? noTable;
    return table.rowsOf({ ...monitor, installation }, monitor.id !== null || installation === undefined);
  }

  private rowsOfHouse(house: House): MonitorRows {
    return this.rowsOf(house, this.houses.isSimulated(house));
  }

  private async add(job: Job, received: EnergyPayload, timezone: string, evaluation: Evaluation): Promise<void> {
    const { config } = this.parts;
    const rows = this.rowsOf(received, isOfSimulated(received));
    const payload = describedPayload(received, rows);
    if (payload === null) return;
    const wanted = await resolveText('monitor', config.monitor, config.monitorType, evaluation);
    if (wanted !== null && !isOrigin(wanted, payload)) return;
    const choice = chooseMeters(config, evaluation);
    const { house, isAdded } = await this.houses.add(payload, { timezone, now: wallClock() });
    if (isAdded) this.showKept(clockTime(house.state.newest, timezone));
    this.arrived.add(house.name);
    const context = { choice, rows, intervalMs: this.momentMs(), timezone, now: wallClock() };
    if ((await choosePeriodWord(config, balancePeriods, evaluation)) !== 'now') {
      this.present.keep(house, payload, context);
      return;
    }
    for (const balance of this.present.read(house, payload, context)) {
      sendBalance(this.parts, job, null, balance, timezone);
    }
  }

  private async answer(job: Job, question: Question, timezone: string, evaluation: Evaluation): Promise<void> {
    const { config } = this.parts;
    if (question.balance === 'prices')
      return answerPrices(this.parts, job, question, { timezone, transport: 'webhook' });
    const named = await this.houses.choose(await this.chooseName(question.house, evaluation));
    const present = async (): Promise<readonly House[]> =>
      this.present.besides(named, isHouse(await this.chooseName(question.house, evaluation)));
    const all = question.balance === 'now' ? [...named, ...(await present())] : named;
    // A page is read by somebody who cannot wire nodes.
    const isOfPage = question.id !== null;
    // The user folder has the houses of every node, and a page stays with the first house that it gets.
    const isAny = isOfPage && question.house === null && all.length > 1;
    const houses = isAny ? all.filter(({ name }) => this.arrived.has(name)) : all;
    if (houses.length === 0) throw new CemmError('INPUT', { reason: isOfPage ? 'nothing_yet' : 'nothing_added' });
    const now = wallClock();
    const choice = chooseMeters(config, evaluation);
    switch (question.balance) {
      case 'now':
        for (const house of houses) {
          const context = { choice, rows: this.rowsOfHouse(house), intervalMs: this.momentMs(), timezone, now };
          sendBalance(this.parts, job, question, this.present.current(house, context), timezone);
        }
        break;
      case 'bill': {
        const { hasDates, batteriesKwh, ...bill } = await parseBill(question, { timezone, now });
        for (const house of houses) {
          const { state } = await this.withDaySums(house);
          const roleOf = roleOfKept(state, choice, this.rowsOfHouse(house));
          const days = (hasDates ? null : knownRange(state, roleOf, bill.period, now)) ?? bill.period;
          const prices = bill.prices ?? (await new HousePrices(config, timezone, evaluation).ofBill(days));
          const billed = { ...prices, batteriesKwh };
          const read = async (period: DayRange) => {
            const whole = await this.wholeHouse(house, daysOfBill(billed, period, now));
            const payload = await billOfHouse(whole, choice, { ...billed, period, now, rows: this.rowsOfHouse(house) });
            return withProgress(payload, question, period);
          };
          await sendPeriod(this.parts, job, { question, timezone, read }, days);
        }
        break;
      }
      case 'day':
      case 'week':
      case 'month':
      case 'year': {
        const period = findPeriod(question, { timezone, now });
        for (const house of houses) {
          await sendPeriod(this.parts, job, await this.sourceOf(house, question, timezone, evaluation), period);
        }
      }
    }
  }

  /** Sends the configured balance of every house: for the interval, and for a message without a reading. */
  private async sendAll(job: Job, timezone: string, evaluation: Evaluation): Promise<void> {
    const { config } = this.parts;
    const question = createQuestion(config, await choosePeriodWord(config, balancePeriods, evaluation));
    const houses = await this.houses.choose(await this.chooseName(null, evaluation));
    if (houses.length === 0 && job.msg !== null) throw new CemmError('INPUT', { reason: 'nothing_added' });
    if (question.balance === 'now') return;
    for (const house of houses) {
      await sendSpan(this.parts, job, await this.sourceOf(house, question, timezone, evaluation));
    }
  }

  /** Monitor or installation; null: all. */
  private async chooseName(name: string | null, evaluation: Evaluation): Promise<string | null> {
    const { monitor, monitorType } = this.parts.config;
    return name ?? resolveText('monitor', monitor, monitorType, evaluation);
  }

  private async sourceOf(
    house: House,
    question: PeriodQuestion,
    timezone: string,
    evaluation: Evaluation,
  ): Promise<PeriodSource> {
    const { config } = this.parts;
    const pricesOf = await new HousePrices(config, timezone, evaluation).ofPeriods();
    const choice = chooseMeters(config, evaluation);
    const { step } = question;
    return {
      question,
      timezone,
      subject: () => Promise.resolve(`${house.name}/${step}`),
      read: async (period) => {
        const whole = await this.wholeHouse(house, period);
        const prices = await pricesOf(period);
        const wanted = { period, step, prices, now: wallClock(), rows: this.rowsOfHouse(house) };
        const balance = balanceOfHouse(whole, choice, wanted);
        if (question.wantsHours && period.unit === 'year')
          balance.hours = await hoursOfYear(readingsOfHouse(whole, choice, wanted));
        return withProgress(balance, question, period);
      },
    };
  }

  private async wholeHouse(house: House, period: { readonly start: number; readonly end: number }): Promise<House> {
    return this.withDaySums(await this.houses.withAllOf(house, period));
  }

  /** The house with the sums of days that the connection has read from its CEMM 3.0. */
  private async withDaySums(house: House): Promise<House> {
    const { RED, config } = this.parts;
    if (config.connection === '') return house;
    const days = await findConnection(RED, config.connection).days?.();
    const known = (await days?.daysOf(house.monitor)) ?? null;
    return known === null ? house : { ...house, state: withDays(house.state, known) };
  }

  private momentMs(): number {
    const { interval } = this.parts.config;
    return interval > 0 ? interval * 1000 : usualMomentMs;
  }

  /** Shows that a restart would lose the added up data. */
  private showKept(time: string): void {
    const { runner } = this.parts;
    if (this.houses.isForgotten) {
      const text = runner.translate('status.forgets', { time }) ?? time;
      runner.status({ fill: 'yellow', shape: 'ring', text: text.replace(/^ · /, '') });
    } else if (time !== '') {
      runner.status(stateStatus('period', runner.translate, { period: time }));
    }
  }
}

/** The page of a house by webhook, and of one by the public API of a CEMM 3.0, at the moments at which its owner looks. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DayBalances } from '../../../src/balance/day-sums/day-balances';
import { everyMeter } from '../../../src/balance/meters/choice';
import { daysOfPrices, pricePoints } from '../../../src/balance/prices/price-points';
import { parsePrices } from '../../../src/balance/prices/prices';
import { parseDate } from '../../../src/calendar/dates';
import { type DayRange, dayRange, type Period, periodContaining } from '../../../src/calendar/periods';
import { createPublicClient } from '../../../src/clients/public-client';
import { systemClock } from '../../../src/time/clock';
import { createPublicConnection } from '../../../src/connection/public-connection';
import { CemmError } from '../../../src/errors';
import type { BalancePayload } from '../../../src/model/payload';
import { dayMs, minuteMs, millis } from '../../../src/time/units';
import { asMetered } from '../../../src/simulator/metered-household';
import type { HouseName } from '../../../src/simulator/houses';
import { isTopic } from '../../../src/simulator/webhook-channels';
import { buildDelivery, createAverages } from '../../../src/simulator/webhook-payload';
import { PastDays } from '../../../src/store/past-days';
import type { Question } from '../../../nodes/cemm-page/page/messages';
import { AddedDeliveries } from '../houses/added-deliveries';
import { SimulatedHouse } from '../houses/simulated-house';
import { SpecifiedPublicApi } from '../houses/specified-public-api';
import { usualSteps } from '../clients/in-process';
import { findUnitStart } from '../bills/calendar';
import { specifiedBody } from '../houses/specified-webhook';
import { counted, firstDelivery, looks, meters, powerTopics, ticked } from '../houses/walked-house';
import type { AnsweringHouse } from './answers-of';
import { zone } from './house-answers';

const prices = { currency: 'EUR', import: 0.27, export: 0.06, gas: 1.3, water: 1.1, per_day: 0.9 };

type Moments = Readonly<Record<string, number>>;

/** Called at each moment; `restart` is the week once more, after a restart. */
export type Look = (name: string, house: AnsweringHouse) => Promise<void>;

interface House {
  now(): Promise<BalancePayload>;
  balance(period: Period, step: Question['step']): Promise<BalancePayload>;
  bill(period: DayRange): Promise<BalancePayload>;
}

/** Answers the questions of the page as the node does. */
class Answering implements AnsweringHouse {
  constructor(
    private readonly house: House,
    readonly now: number,
  ) {}

  answer({ balance, date, step }: Question): Promise<BalancePayload> {
    const { house, now } = this;
    if (balance === 'now') return house.now();
    if (balance === 'prices') {
      const period = daysOfPrices({}, { timezone: zone, now: millis(now) });
      return Promise.resolve(pricePoints({ prices: parsePrices(prices, zone), period, transport: 'webhook', now }));
    }
    if (balance === 'bill') {
      const first = millis(findUnitStart('month', now, -12));
      return house.bill(dayRange(zone, first, millis(findUnitStart('month', now) - 1), 400));
    }
    return house.balance(
      periodContaining(balance, zone, date === undefined ? millis(now) : parseDate(date, zone)),
      step,
    );
  }
}

function ofDeliveries(added: AddedDeliveries, now: number): AnsweringHouse {
  const house: House = {
    now: () => added.now(now),
    balance: ({ label }) => added.balance(label, now, prices),
    async bill(period) {
      const known = (await added.known(period, now)) ?? period;
      const both = parsePrices(prices, zone);
      return added.bill(known, now, { prices: [both, both], batteriesKwh: [5, 10] });
    },
  };
  return new Answering(house, now);
}

/** Delivers at each step, and when the owner looks. */
async function deliver(
  bodyAt: (at: number) => object,
  stepMs: number,
  look: Look,
  moments: Moments = looks,
): Promise<void> {
  const added = new AddedDeliveries();
  const last = Math.max(...Object.values(moments));
  for (let from = firstDelivery; from <= last; from += stepMs) {
    await added.add(bodyAt(from), from);
    for (const [name, at] of Object.entries(moments)) {
      if (at < from || at >= from + stepMs) continue;
      await added.add(bodyAt(at), at);
      await look(name, ofDeliveries(added, at + 1000));
      if (name !== 'week') continue;
      added.restart();
      await look('restart', ofDeliveries(added, at + 2000));
    }
  }
}

/** The owner looks at the page of a monitor that is written from the specification alone. */
export function walkSpecified(look: Look): Promise<void> {
  return deliver((at) => specifiedBody(meters, ticked, at), 15 * minuteMs, look);
}

/** The same with the simulator. */
export function walkSimulated(look: Look, house?: HouseName): Promise<void> {
  return deliver(simulatedBody(house), 60 * minuteMs, look);
}

const ofSecondDay = (hour: number, minute: number): number =>
  findUnitStart('day', firstDelivery, 1) + (60 * hour + minute) * minuteMs;

/** A house of the simulator whose meters all have a role, on the day after its first delivery. */
export function walkSecondDay(look: Look): Promise<void> {
  const moments = { '07:10': ofSecondDay(7, 10), '13:40': ofSecondDay(13, 40), '21:00': ofSecondDay(21, 0) };
  return deliver(simulatedBody('inverter-6w'), 15 * minuteMs, look, moments);
}

function simulatedBody(house: HouseName = 'standard'): (at: number) => object {
  const { household, monitor } = new SimulatedHouse(house, looks.month, firstDelivery - 60 * dayMs, {
    moment: looks.month,
  });
  const chosen = [...powerTopics, ...counted].filter(isTopic);
  const averages = createAverages(household);
  return (at) =>
    buildDelivery(household, monitor.cemm, millis(at), chosen, {
      averages,
      metered: asMetered(household, new Set(), millis(at)),
    });
}

/** The same with a CEMM 3.0 that is asked by its public API. It has measured for as long as a house that delivers. */
export async function walkPublic(look: Look): Promise<void> {
  let now = firstDelivery;
  const clock = { ...systemClock, now: () => millis(now), monotonic: () => now };
  const api = new SpecifiedPublicApi(() => now, firstDelivery);
  const folder = await mkdtemp(join(tmpdir(), 'cemm-walk-'));
  const host = await api.openServer();
  const open = () => {
    const client = createPublicClient({ host, allowLoopback: true, clock });
    Object.assign(client, { limits: { ...client.limits, gapMs: 0 } });
    const connection = createPublicConnection({ client, timezone: null, deadlineMs: 25_000, clock });
    const past = new PastDays({ folder, clock, onProblem: () => undefined });
    return { connection, past, balances: new DayBalances({ reader: connection, past, clock }) };
  };
  let opened = open();
  const close = async (): Promise<void> => {
    opened.balances.close();
    await opened.connection.close();
    await opened.past.flush();
  };
  try {
    for (const name of ['minutes', 'morning', 'week', 'restart', 'month'] as const) {
      if (name === 'restart') {
        await close();
        opened = open();
      }
      now = name === 'restart' ? now + 1000 : looks[name];
      await look(name, new Answering(ofDays(opened.balances), now));
    }
  } finally {
    await close();
    await api.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function ofDays(balances: DayBalances): House {
  const ask = { signal: new AbortController().signal };
  const target = { monitor: null, meters: everyMeter, counters: null };
  const both = parsePrices(prices, zone);
  return {
    now: () => Promise.reject(new CemmError('UNSUPPORTED', { reason: 'balance' })),
    balance(period, step) {
      const length = step === '15m' ? 'PT15M' : usualSteps[period.unit];
      return balances.read({ ...target, period, step: length, prices: both, wantsPeak: false }, ask);
    },
    async bill(period) {
      const known = (await balances.knownDays(target, period, ask)) ?? period;
      return balances.bill({ ...target, period: known, prices: [both, both], batteriesKwh: [5, 10] }, ask);
    },
  };
}

/** The power of a day by the minute, where minutes are kept. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import should from 'should';
import { Answers } from '../../../nodes/cemm-page/answers';
import { buildMinutesQuestion } from '../../../nodes/cemm-page/page/draw/choice';
import { draw } from '../../../nodes/cemm-page/page/draw/draw';
import type { Chart } from '../../../nodes/cemm-page/page/draw/drawn';
import { buildQuestionKey, lastOf } from '../../../nodes/cemm-page/page/messages';
import { readViewerMessage } from '../../../nodes/cemm-page/viewer-message';
import { everyMeter } from '../../../src/balance/meters/choice';
import { parseDate } from '../../../src/calendar/dates';
import { periodContaining } from '../../../src/calendar/periods';
import { openBalances } from '../../support/clients/in-process';
import type { BalancePayload } from '../../../src/model/payload';
import { PastDays } from '../../../src/store/past-days';
import { SimulatedHouse } from '../../support/houses/simulated-house';
import { StillClock } from '../../support/houses/still-clock';
import { figuresIn, inputOf, noon } from '../../support/page/drawn-house';
import { zone } from '../../support/page/house-answers';

const day = '2026-06-17';
const question = buildMinutesQuestion(day);
const key = buildQuestionKey(question);
const curve = { view: 'day', shape: 'curve', date: day } as const;

/** The day by the quarter, which is kept then, and by the minute. */
async function readDay(): Promise<BalancePayload> {
  const clock = new StillClock(noon);
  const house = new SimulatedHouse('standard', noon, noon - 430 * 86_400_000, clock);
  const folder = await mkdtemp(join(tmpdir(), 'cemm-minutes-'));
  const past = new PastDays({ folder, clock, onProblem: (problem) => should(problem).be.undefined() });
  const { balances } = openBalances({
    client: house.client('local', clock),
    transport: 'demo',
    clock,
    past,
    meters: house.table,
  });
  const period = periodContaining('day', zone, parseDate(day, zone));
  const target = { monitor: null, meters: everyMeter, period, prices: null, wantsPeak: true, counters: null } as const;
  const read = (step: 'PT15M' | 'PT1M'): Promise<BalancePayload> =>
    balances.read({ ...target, step }, { signal: new AbortController().signal });
  try {
    await read('PT15M');
    return await read('PT1M');
  } finally {
    balances.close();
    await past.flush();
    await rm(folder, { recursive: true });
  }
}

/** The minutes as the node gives them to a page. */
function given(balance: BalancePayload): { balance: BalancePayload; bytes: number } {
  const answers = new Answers();
  should(answers.addAnswer(key, balance, noon)).be.true();
  const { answer, bytes = 0 } = answers.get(key) ?? {};
  const kept = lastOf(answer);
  if (kept === null) throw new Error(`the answer is ${String(answer?.state)}`);
  return { balance: kept, bytes };
}

async function chartWith(minutes: BalancePayload | null): Promise<Chart> {
  const input = await inputOf(curve);
  const answer = minutes === null ? {} : { [key]: { state: 'answered', balance: minutes, at: noon } as const };
  const { chart } = figuresIn(draw({ ...input, answers: { ...input.answers, ...answer } }));
  if (chart === null) throw new Error('no curve');
  return chart;
}

/** The heights of the steps of a line. */
function heightsOf({ d = '' }: { readonly d?: string } = {}): number[] {
  return [...d.matchAll(/(?:V|M[\d.]+ )([\d.]+)H/g)].map(([, height]) => Number(height));
}

describe('the power of a day', function () {
  this.timeout(120_000);
  let minutes: BalancePayload;

  before(async () => {
    minutes = await readDay();
  });

  it('is asked for by the minute', () => {
    should(readViewerMessage({ viewer: 'v', wants: [question] }, false)?.wants).eql([question]);
  });

  it('has a step for each minute, and still a value for each quarter', async () => {
    const [fine, coarse] = [await chartWith(given(minutes).balance), await chartWith(null)];
    should(fine.columns).eql(coarse.columns);
    should(fine.lines.map((line) => heightsOf(line).length)).eql([1440, 1440]);
    should(coarse.lines.map((line) => heightsOf(line).length)).eql([96, 96]);
  });

  it('has the power of each minute at its place', async () => {
    const { balance } = given(minutes);
    const { lines, ticks } = await chartWith(balance);
    const [top = 0, ...rest] = ticks.map(({ text }) => Number(text.replace(',', ''))).reverse();
    should(rest.at(-1)).equal(0);
    const heights = heightsOf(lines[0]);
    for (const [index, { energy_house_kwh: used }] of (balance.points ?? []).entries()) {
      const watt = (1 - (heights[index] ?? 0) / 100) * top;
      should(watt).be.approximately((used ?? 0) * 60_000, top / 1000);
    }
  });

  it('is that of the quarter where a minute is not known', async () => {
    const { points = [] } = given(minutes).balance;
    const half = await chartWith({ ...minutes, points: points.slice(0, 720) });
    should(half.lines.map((line) => heightsOf(line).length)).eql([1440, 1440]);
    const afternoon = heightsOf(half.lines[0]).slice(720);
    should(afternoon.every((height, index) => height === afternoon[index - (index % 15)])).be.true();
  });

  it('is by the quarter where no minute is kept', async () => {
    const points = (minutes.points ?? []).map(({ ts }) => ({ ts, energy_house_kwh: null }));
    const { balance, bytes } = given({ ...minutes, points });
    should(balance.points).eql([]);
    should(bytes).be.below(5_000);
    should(await chartWith(balance)).eql(await chartWith(null));
  });

  it('is sent in less than 200 kB', () => {
    const { balance, bytes } = given(minutes);
    should(balance.points?.length).equal(1440);
    should(Object.keys(balance.points?.[720] ?? {}).sort()).eql([
      'energy_house_kwh',
      'energy_import_kwh',
      'energy_production_kwh',
      'ts',
    ]);
    should(JSON.stringify(minutes).length).be.above(400_000);
    should(bytes).be.below(200_000);
  });
});

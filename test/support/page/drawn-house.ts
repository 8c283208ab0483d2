/** The page as it is drawn from real balances of a simulated house. */
import type { BalancePayload } from '../../../src/model/payload';
import { type Choice, firstChoice } from '../../../nodes/cemm-page/page/draw/choice';
import { draw } from '../../../nodes/cemm-page/page/draw/draw';
import type { Card, Drawn, Hero, Tile } from '../../../nodes/cemm-page/page/draw/drawn';
import type { Question } from '../../../nodes/cemm-page/page/messages';
import { answersOf } from './answers-of';
import { sharedAnswers, zone } from './house-answers';
import { settings, textsFor } from './sheet';

export const noon = Date.parse('2026-06-18T12:00:00+02:00');
export const morning = Date.parse('2026-06-18T07:10:00+02:00');

export type Change = (balance: BalancePayload, question: Question) => BalancePayload;

const unchanged: Change = (balance) => balance;

interface Plan {
  readonly name?: 'standard' | 'battery-measured' | 'no-sun' | 'p1-pulled';
  readonly moment?: number;
  readonly language?: string;
  readonly change?: Change;
}

export async function inputOf(chosen: Partial<Choice>, plan: Plan = {}): Promise<Parameters<typeof draw>[0]> {
  const { name = 'standard', moment = noon, language = 'en', change = unchanged } = plan;
  const choice = { ...firstChoice, ...chosen };
  const answers = await answersOf(sharedAnswers(name, moment), choice, (answer, question) => ({
    ...answer,
    balance: change(answer.balance, question),
  }));
  const texts = textsFor(language);
  return { choice, answers, frame: { moment, timezone: zone }, message: { settings }, language, texts };
}

export async function drawnOf(chosen: Partial<Choice>, plan: Plan = {}): Promise<Drawn> {
  return draw(await inputOf(chosen, plan));
}

export const unanswered: Parameters<typeof draw>[0] = {
  choice: firstChoice,
  answers: {},
  message: { settings },
  language: 'en',
  texts: textsFor('en'),
  frame: { moment: morning, timezone: zone },
};

export function cardOf({ cards }: Drawn, title: string | RegExp): Card {
  const card = cards.find((one) => (typeof title === 'string' ? one.title === title : title.test(one.title)));
  if (card === undefined) throw new Error(`no card ${String(title)} among ${cards.map((one) => one.title).join(', ')}`);
  return card;
}

/** The card of the number of a view. */
export function heroIn({ cards }: Pick<Drawn, 'cards'>): Hero {
  const hero = cards.find((card) => card.hero !== null)?.hero;
  if (hero === undefined || hero === null) throw new Error('no number of the view');
  return hero;
}

/** The card with the figures. */
export function figuresIn({ cards }: Pick<Drawn, 'cards'>): Card {
  const card = cards.find(({ tiles }) => tiles.length > 0);
  if (card === undefined) throw new Error('no figures');
  return card;
}

export function findTile({ tiles }: Card, name: string): Tile {
  const tile = tiles.find((one) => one.name === name);
  if (tile === undefined) throw new Error(`no number ${name}`);
  return tile;
}

/** The number in an English text such as `1,330 W`. */
export function numberIn(text: string): number {
  return Number(text.replace('−', '-').replace(/[^\d.-]/g, ''));
}

/** A page under test: its viewers look and time passes, and it says what it asks and shows. */
import should from 'should';
import type { BalancePayload } from '../../../src/model/payload';
import { hourMs } from '../../../src/time/units';
import { PageState } from '../../../nodes/cemm-page/page-state';
import type { Client } from '../../../nodes/cemm-page/viewer-message';
import type { PageMessage, Question } from '../../../nodes/cemm-page/page/messages';
import { houseDay, houseNow } from '../formats/payloads';
import { settings as ofPage } from './sheet';

export const secondMs = 1_000;
export const midnight = Date.parse('2026-10-25T00:00:00+02:00');
export const noon = midnight + 13 * hourMs;
export const today = { balance: 'day', date: '2026-10-25' } as const;
export const thisYear = { balance: 'year', date: '2026' } as const;

export const settings = { ...ofPage, changePrices: false };

interface Parts {
  readonly question?: string | undefined;
  readonly monitor?: string;
  readonly complete?: boolean;
  readonly end?: number;
}

function of({ question, monitor, complete = true }: Parts): Partial<BalancePayload> {
  const house = monitor === undefined ? {} : { monitor: { id: monitor } };
  return { ...(question !== undefined && { question }), ...house, complete };
}

export function balance(parts: Parts = {}): BalancePayload {
  const { period } = houseDay;
  if (period === undefined) throw new Error('The day has a period.');
  const end = parts.end ?? midnight + 25 * hourMs;
  return { ...houseDay, ...of(parts), period: { ...period, start: midnight, end } };
}

export function present(parts: Parts = {}): BalancePayload {
  return { ...houseNow, ...of(parts) };
}

export const owner: Client = { socket: 'owner', address: '192.0.2.1' };

export class Watched {
  readonly page: PageState;
  now = noon;

  constructor(changes: Partial<PageMessage['settings']> = {}) {
    this.page = new PageState({ ...settings, ...changes });
  }

  look(wants: Question[], viewer = 'a', client = owner): void {
    this.page.noteSign(client, { viewer, wants }, this.now);
  }

  /** The message to a viewer; null if there is none now. */
  message(client = owner): PageMessage | null {
    const all = this.page.messages(this.now).filter((one) => one.client.socket === client.socket);
    should(all.length).be.belowOrEqual(1);
    return all[0]?.message ?? null;
  }

  /** Ids of the questions that are sent now. */
  asks(): string[] {
    return this.page.due(this.now).map(({ question }) => question);
  }

  /** The states of what a page that opens now is sent. */
  answers(wants: Question[] = [{ balance: 'now' }, today]): Record<string, string> {
    const client = { socket: `new ${this.now}`, address: owner.address };
    this.look(wants, 'new', client);
    const { answers = {} } = this.message(client) ?? {};
    return Object.fromEntries(Object.entries(answers).map(([key, { state }]) => [key, state]));
  }

  /** Time passes, and the viewer is still there. */
  after(ms: number, wants: Question[]): void {
    this.now += ms;
    this.look(wants);
  }
}

/** The owner of the house at the page, without a browser: asks one question after the other, and measures the answers. */
import type { NodeRed } from '../node-red/node-red';
import { buildQuestionKey, type Question } from '../../../nodes/cemm-page/page/messages';
import { until } from '../until';
import type { DashboardSocket } from './dashboard-socket';
import { answersIn, askQuestions, openSocket } from './visitor';

export class Owner {
  private constructor(readonly socket: DashboardSocket) {}

  static async open(nodeRed: NodeRed): Promise<Owner> {
    return new Owner(await openSocket(nodeRed));
  }

  /** Milliseconds until the answer. */
  async timeOf(question: Question): Promise<number> {
    const { events } = this.socket;
    const [start, before, key] = [Date.now(), events.length, buildQuestionKey(question)];
    await askQuestions(this.socket, 'owner', [question]);
    const answered = await until(
      `the answer to ${key}`,
      () => events.slice(before).find((event) => answersIn(event)[key]?.state === 'answered'),
      60_000,
    );
    return answered.at - start;
  }

  close(): void {
    this.socket.close();
  }
}

/** Each kind of question, about a time that nobody has asked for. */
export function freshQuestions(year: number): Readonly<Record<'month' | 'bill' | 'day', Question>> {
  return {
    month: { balance: 'month', date: `${year}-05` },
    bill: { balance: 'bill', from: `${year}-01-01`, to: `${year}-12-31`, batteries_kwh: [5, 10] },
    day: { balance: 'day', date: `${year - 20}-03-08` },
  };
}

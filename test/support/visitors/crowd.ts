/** Fifty names that a visitor of the dashboard takes, in one browser or in fifty, and what they send for as long as they are there. */
import { pageVersion, type Question } from '../../../nodes/cemm-page/page/messages';
import type { NodeRed } from '../node-red/node-red';
import type { DashboardSocket, ServerEvent, SocketPlace } from './dashboard-socket';
import { openSocket, script, template } from './visitor';

const names = 50;
const wants = 16;
const pricesCharacters = 19_000;
const everyMs = 1_000;
/** The owner asks for other years. */
const years = { first: 2011, count: 6 } as const;

export interface Received {
  readonly messages: number;
  readonly bytes: number;
  readonly largest: number;
  /** Messages to the browser that got most. */
  readonly most: number;
}

export class Crowd {
  private readonly counts = new Map<DashboardSocket, number>();
  private sum = 0;
  private largest = 0;
  private round = 0;
  private readonly over = new AbortController();
  private sending: Promise<unknown> = Promise.resolve();

  private constructor(private readonly sockets: readonly DashboardSocket[]) {
    for (const socket of sockets) {
      socket.listener = (event) => {
        this.readEvent(socket, event);
      };
    }
  }

  /**
   * @param browsers 1: all names in one
   */
  static async open(nodeRed: NodeRed, browsers: 1 | 50, place: Partial<SocketPlace>): Promise<Crowd> {
    const sockets: DashboardSocket[] = [];
    for (let index = 0; index < browsers; index += 1) sockets.push(await openSocket(nodeRed, place));
    return new Crowd(sockets);
  }

  /** Bills with long prices once, then other questions, forged answers and errors every second. */
  async begin(): Promise<void> {
    for (let name = 0; name < names; name += 1) await this.ask(name, this.bills(name));
    this.sending = this.goOn();
  }

  async end(): Promise<Received> {
    this.over.abort();
    await this.sending;
    for (const socket of this.sockets) socket.close();
    const counts = [...this.counts.values()];
    return {
      messages: counts.reduce((sum, count) => sum + count, 0),
      bytes: this.sum,
      largest: this.largest,
      most: counts.reduce((most, count) => Math.max(most, count), 0),
    };
  }

  private async goOn(): Promise<void> {
    while (!this.over.signal.aborted) {
      const next = Date.now() + everyMs;
      this.round += 1;
      for (let name = 0; name < names; name += 1) await this.ask(name, this.periods(name));
      for (const msg of this.forged()) await this.sockets[0]?.emit('widget-send', template, msg);
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, next - Date.now())));
    }
  }

  private async ask(name: number, questions: readonly object[]): Promise<void> {
    const socket = this.sockets[name % this.sockets.length];
    const viewer = `visitor-${name}`;
    await socket?.emit('widget-send', template, { payload: { viewer, wants: questions } });
  }

  private bills(name: number): object[] {
    const note = 'x'.repeat(pricesCharacters);
    return Array.from({ length: wants }, (_, index) => ({
      balance: 'bill',
      batteries_kwh: [name, index],
      prices: [{ currency: 'EUR', import: 0.3 + name / 100, export: index / 100, note }],
    }));
  }

  /** Others in each round: days, months, years and bills. */
  private periods(name: number): Question[] {
    return Array.from({ length: wants }, (_, index) => {
      const number = this.round * 7 + name * wants + index;
      const year = years.first + (number % years.count);
      const month = `${year}-${String(1 + (number % 12)).padStart(2, '0')}`;
      const day = `${month}-${String(1 + (number % 28)).padStart(2, '0')}`;
      if (index % 4 === 0)
        return { balance: 'bill', from: day, to: `${year + 1}-01-05`, batteries_kwh: [number % 100] };
      if (index % 4 === 1) return { balance: 'year', date: `${year}` };
      return index % 4 === 2 ? { balance: 'month', date: month } : { balance: 'day', date: day };
    });
  }

  private forged(): object[] {
    return [
      { ui_update: { format: script } },
      { payload: { page: pageVersion, settings: {}, timezone: 'Mars/Olympus', house: 'x', answers: {} } },
      { payload: { schema: 'cemm/1', kind: 'balance', values: { power_w: 666_666 }, timezone: 'Mars/Olympus' } },
      { payload: { balance: 'now' }, error: { message: 'forged', code: 'INPUT' } },
    ];
  }

  private readEvent(socket: DashboardSocket, { name, bytes }: ServerEvent): void {
    if (name !== `msg-input:${template}`) return;
    this.counts.set(socket, (this.counts.get(socket) ?? 0) + 1);
    this.sum += bytes;
    this.largest = Math.max(this.largest, bytes);
  }
}

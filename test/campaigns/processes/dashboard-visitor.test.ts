/** What a visitor of the dashboard without a login can send to the page of the house, and what it is sent. */
import should from 'should';
import { isRecord } from '../../../src/checks/record';
import { pageVersion, type Question } from '../../../nodes/cemm-page/page/messages';
import { NodeRed } from '../../support/node-red/node-red';
import { changed, pageFlow, pageNode, withTaps } from '../../support/page/page-flow';
import type { DashboardSocket, ServerEvent } from '../../support/visitors/dashboard-socket';
import {
  answersIn,
  askQuestions,
  dashboardModules,
  openSocket,
  sendAll,
  template,
} from '../../support/visitors/visitor';
import { until } from '../../support/until';

const noon = '2026-06-18T13:00:00+02:00';
const sentence = 'Your contract was cancelled.';
const day = { balance: 'day', date: '2026-06-10' } as const;
const dayKey = 'day 2026-06-10';

describe('a visitor of the dashboard', function () {
  this.timeout(120_000);
  let nodeRed: NodeRed;

  async function start(changes: object = {}): Promise<void> {
    const flows = withTaps(changed(pageFlow(), { [pageNode]: changes }));
    nodeRed = await NodeRed.start({ flows, modules: dashboardModules, env: { CEMM_TEST_CLOCK: noon } });
  }

  afterEach(() => nodeRed.stop());

  const messagesTo = ({ events }: DashboardSocket): ServerEvent[] =>
    events.filter(({ name }) => name === `msg-input:${template}`);

  function answered(socket: DashboardSocket, key: string): Promise<Record<string, unknown>> {
    return until(`the answer to ${key}`, () => {
      const states = messagesTo(socket).map((event) => answersIn(event)[key]);
      return states.find((answer) => answer?.state === 'answered');
    });
  }

  async function questions(): Promise<Record<string, unknown>[]> {
    return (await nodeRed.messages('asked')).map(({ payload }) => (isRecord(payload) ? payload : {}));
  }

  it('DV3: is not believed: no balance, no error, no page, and no answer to a question of the node', async () => {
    await start();
    const [owner, visitor] = [await openSocket(nodeRed), await openSocket(nodeRed)];
    await askQuestions(owner, 'owner', [{ balance: 'now' }, day]);
    const { balance } = await answered(owner, dayKey);
    const forged = { ...(isRecord(balance) ? balance : {}), values: { energy_import_kwh: 666_666 } };
    const [{ question: id } = { question: '' }] = (await questions()).filter(({ balance: kind }) => kind === 'day');
    should(id).match(/^[\w-]{24}$/);
    should(JSON.stringify(owner.events)).not.containEql(id);
    for (const msg of [
      { payload: { ...forged, question: id } },
      { payload: { ...forged, timezone: 'Mars/Olympus', period: undefined } },
      { payload: { question: id }, error: { message: sentence, code: 'INPUT' } },
      { error: { message: sentence } },
      { payload: { page: pageVersion, house: 'x', timezone: 'Mars/Olympus', settings: {}, answers: {} } },
    ]) {
      await sendAll(visitor, msg);
    }
    await askQuestions(visitor, 'visitor', [{ balance: 'month', date: '2026-05' }]);
    await answered(visitor, 'month 2026-05');
    await askQuestions(owner, 'reloaded', [{ balance: 'now' }, day]);
    const before = messagesTo(owner).length;
    await until('the answers again', () =>
      messagesTo(owner)
        .slice(before)
        .some((event) => dayKey in answersIn(event)),
    );
    should(JSON.stringify(messagesTo(owner))).not.match(/:666666\b|Olympus|cancelled/);
    for (const socket of [owner, visitor]) socket.close();
  });

  it('DV4: is sent what it asked for and no more, at most once a second', async () => {
    await start();
    const [owner, visitor] = [await openSocket(nodeRed), await openSocket(nodeRed)];
    const began = Date.now();
    await askQuestions(owner, 'owner', [day]);
    await askQuestions(visitor, 'visitor', [{ balance: 'now' }]);
    await answered(owner, dayKey);
    for (let date = 11; date < 18; date += 1) {
      await askQuestions(owner, 'owner', [{ balance: 'day', date: `2026-06-${date}` }]);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    await answered(owner, 'day 2026-06-17');
    await answered(visitor, 'now ');
    const keys = (socket: DashboardSocket): Set<string> =>
      new Set(messagesTo(socket).flatMap((event) => Object.keys(answersIn(event))));
    should([...keys(visitor)]).eql(['now ']);
    should(keys(owner).has('now ')).equal(false);
    const seconds = Math.ceil((Date.now() - began) / 1000);
    for (const socket of [owner, visitor]) {
      should(messagesTo(socket).length).be.belowOrEqual(seconds + 1);
      socket.close();
    }
  });

  it('DV4: gives its own prices only where viewers may, and no long names to anybody', async () => {
    const note = 'x'.repeat(500);
    const prices = [{ import: 0.3, export: 0.1, [note]: 1 }];
    const bill: Question = { balance: 'bill', prices, batteries_kwh: [5] };
    for (const changePrices of [false, true]) {
      await start({ changePrices });
      const visitor = await openSocket(nodeRed);
      await askQuestions(visitor, 'visitor', [bill]);
      const asked = await until('the question', async () =>
        (await questions()).find(({ balance }) => balance === 'bill'),
      );
      should(asked['prices']).eql(changePrices ? prices : undefined);
      const key = await until('the answer', () =>
        messagesTo(visitor)
          .flatMap((event) => Object.keys(answersIn(event)))
          .find((one) => one.startsWith('bill ')),
      );
      should(key.length).be.below(20);
      visitor.close();
      if (!changePrices) await nodeRed.stop();
    }
  });
});

/** When the page node asks and answers, while a visitor of the dashboard asks much. */
import { hooks } from 'node-red';
import type { NodeMessage } from 'node-red';
import should from 'should';
import { isRecord } from '../../src/checks/record';
import { type PageConfig, pageDefaults } from '../../nodes/cemm-page/config';
import type { Question } from '../../nodes/cemm-page/page/messages';
import { houseDay } from '../support/formats/payloads';
import { Flow, unload, type LoadOptions } from '../support/flow/flow';
import { until } from '../support/until';

interface SendEvent {
  readonly source: { readonly node: { readonly id: string }; readonly port: number };
  readonly msg: NodeMessage & { readonly _client?: { readonly socketId: string } };
}

const [shown, asked] = [0, 1];
const day = { balance: 'day', date: '2026-06-10' } as const;

/** 16 questions about months of a year, and as many about years. */
function months(year: number): Question[] {
  return Array.from({ length: 16 }, (_, index) =>
    index < 12
      ? { balance: 'month', date: `${year}-${String(index + 1).padStart(2, '0')}` }
      : { balance: 'year', date: `${year + index}` },
  );
}

describe('cemm-page', () => {
  let flow: Flow;
  /** What the node has sent so far, in order; a hook of Node-RED sees it before the node that gets it. */
  const sent: SendEvent[] = [];

  before(() => {
    hooks.add('onSend.page', (events: readonly SendEvent[]) => {
      sent.push(...events.filter(({ source }) => source.node.id === 'page'));
    });
  });

  after(() => {
    hooks.remove('*.page');
  });

  afterEach(unload);

  async function load(properties: Partial<PageConfig> = {}, options: LoadOptions = {}): Promise<void> {
    const page = { id: 'page', type: 'cemm-page', ...pageDefaults, ...properties, wires: [['shown'], ['asked']] };
    flow = await Flow.load([page, { id: 'shown', type: 'helper' }, { id: 'asked', type: 'helper' }], options);
    sent.length = 0;
  }

  /** What the node sends before it is done with the message. */
  async function sentFor(message: NodeMessage): Promise<SendEvent[]> {
    const before = sent.length;
    await new Promise<void>((resolve, reject) => {
      flow.deliver(
        'page',
        message,
        () => undefined,
        (error) => {
          if (error === undefined) resolve();
          else reject(error);
        },
      );
    });
    return sent.slice(before);
  }

  function makeSign(socket: string, viewer: string, wants: readonly Question[]): NodeMessage {
    return Object.assign({ payload: { viewer, wants } }, { _client: { socketId: socket, socketIp: '192.0.2.1' } });
  }

  async function sendOfVisitor(year: number): Promise<void> {
    for (let name = 0; name < 50; name += 1) await sentFor(makeSign('visitor', `v${name}`, months(year + name)));
  }

  const readQuestions = (events: readonly SendEvent[]): Record<string, unknown>[] =>
    events
      .filter(({ source }) => source.port === asked)
      .map(({ msg: { payload } }) => (isRecord(payload) ? payload : {}));

  it('DV5: asks the question of a viewer who asks little, and sends it the answer, before anything else, beside a visitor with 50 names', async () => {
    await load();
    await sendOfVisitor(2011);
    const [question] = readQuestions(await sentFor(makeSign('owner', 'owner', [day])));
    should(question).containEql(day);
    await sendOfVisitor(2111);
    const answer = await sentFor({ payload: { ...houseDay, question: question?.['question'] } });
    const sockets = answer.filter(({ source }) => source.port === shown).map(({ msg }) => msg._client?.socketId);
    should(sockets).containEql('owner');
  });

  it('replaces variables in the list of views', async () => {
    await load({ views: 'now,${LONGER}' }, { env: [{ name: 'LONGER', type: 'str', value: 'month' }] });
    await sentFor(makeSign('owner', 'owner', [day]));
    const [first] = await until('the page', () => {
      const found = sent.filter(({ source, msg }) => source.port === shown && isRecord(msg.payload));
      return found.length > 0 && found;
    });
    should(first?.msg.payload).match({ settings: { views: ['now', 'month'] } });
  });
});

/** The page node in a whole Node-RED: what it asks and shows, for a monitor and for deliveries. */
import should from 'should';
import { periodContaining, previousPeriod } from '../../src/calendar/periods';
import { millis } from '../../src/time/units';
import { createHousehold } from '../../src/simulator/household';
import { chooseHouse } from '../../src/simulator/houses';
import { createSimulatedClock } from '../../src/simulator/simulated-clock';
import type { Simulator } from '../../src/simulator/simulator';
import { startSimulator } from '../../src/simulator/start-simulator';
import { buildDelivery } from '../../src/simulator/webhook-payload';
import type { PageMessage, Question } from '../../nodes/cemm-page/page/messages';
import { type FlowNode, freePort, NodeRed } from '../support/node-red/node-red';
import { localConnection } from '../support/node-red/remote-flow';
import { balanceNode, changed, pageFlow, pageNode, shownIn, viewer, withTaps } from '../support/page/page-flow';
import { until } from '../support/until';

const zone = 'Europe/Amsterdam';
const noon = '2026-06-18T13:00:00+02:00';
const demo = 'cemm-demo-monitor';
const today: Question = { balance: 'day', date: '2026-06-18' };
const wants: Question[] = [{ balance: 'now' }, today, { balance: 'day', date: '2026-06-17' }];

/** Without a dashboard: the tests are the browser. */
function flow(changes: Readonly<Record<string, object>> = {}, more: readonly FlowNode[] = []): FlowNode[] {
  const nodes = pageFlow().filter(({ type }) => !type.startsWith('ui-') && type !== 'global-config');
  return withTaps(changed([...nodes, ...more, viewer('look', wants)], changes));
}

describe('the page node in Node-RED', function () {
  this.timeout(240_000);
  let nodeRed: NodeRed;
  afterEach(() => nodeRed.stop());

  async function start(flows: readonly FlowNode[], env: Readonly<Record<string, string>> = {}): Promise<void> {
    nodeRed = await NodeRed.start({ flows, env: { CEMM_TEST_CLOCK: noon, ...env } });
  }

  async function shown(): Promise<PageMessage[]> {
    return shownIn(await nodeRed.messages('shown'));
  }

  async function asked(): Promise<string[]> {
    return (await nodeRed.messages('asked')).map(({ payload }) => {
      const { balance, date = '' } = payload as Question;
      return `${balance} ${date}`;
    });
  }

  /** The first message with which the condition holds. */
  async function shownWith(condition: (message: PageMessage) => boolean): Promise<PageMessage> {
    return until('a message to the browsers', async () => (await shown()).find(condition));
  }

  const hasAll = ({ answers }: PageMessage): boolean =>
    ['now ', 'day 2026-06-18', 'day 2026-06-17'].every((key) => answers[key]?.state === 'answered');

  it('sends the page at the start, and asks once for what a viewer looks at, today before yesterday @node-red-5', async () => {
    await start(flow());
    const [first] = await nodeRed.waitForMessages('shown', 1);
    should((first?.['ui_update'] as { format: string }).format).startWith('<template>');
    await nodeRed.inject('look');
    const message = await shownWith(hasAll);
    should(message.timezone).equal(zone);
    const questions = (await asked()).filter((key) => key !== 'now ');
    should(questions).eql(['day 2026-06-18', 'day 2026-06-17']);
    for (const { payload } of await nodeRed.messages('asked')) should(payload).have.property('question');
  });

  it('passes nothing through, also where wires lead in a circle', async () => {
    const circle = { [pageNode]: { wires: [[pageNode], [balanceNode, pageNode]] } };
    await start(flow(circle));
    await nodeRed.inject('look');
    await shownWith(hasAll);
    // Three more balances of now: with a circle there would be any number of messages between them.
    const balances = async (): Promise<number> =>
      (await nodeRed.messages('arrived')).filter(
        ({ payload }) => (payload as { kind?: string } | undefined)?.kind === 'balance',
      ).length;
    const before = await balances();
    await until('more balances', async () => (await balances()) >= before + 3);
    const [sent, got] = [(await shown()).length, await balances()];
    should(sent).be.belowOrEqual(got + 3);
    should((await asked()).length).be.belowOrEqual(3);
  });

  it('asks nothing more when the only browser vanishes', async () => {
    // 20 times as fast: today would be asked for every 15 s.
    await start(flow(), { CEMM_TEST_CLOCK_SPEED: '20', CEMM_TEST_TIMER_SPEED: '20' });
    // A viewer is gone after three seconds, and a busy machine may need longer for the answers.
    await until('all answers', async () => {
      await nodeRed.inject('look');
      return (await shown()).some(hasAll);
    });
    const before = (await asked()).length;
    const start0 = (await nodeRed.messages('arrived')).length;
    // Polls of now go on: 36 of them are 6 minutes.
    await until('six minutes of polls', async () => (await nodeRed.messages('arrived')).length >= start0 + 36);
    should((await asked()).slice(before).filter((key) => key !== 'now ')).eql([]);
  });

  it('PA3: forgets the answers of another monitor', async () => {
    const simulator: Simulator = await startSimulator({
      localPort: 0,
      timezone: zone,
      seed: 7,
      clock: createSimulatedClock({ start: millis(Date.parse(noon)) }),
    });
    try {
      await start(flow());
      await nodeRed.inject('look');
      const { house } = await shownWith(hasAll);
      const before = (await shown()).length;
      const other = flow().map((node) => (node.id === demo ? { ...localConnection(simulator), id: demo } : node));
      await nodeRed.deploy(other, 'nodes');
      const later = await until('another house', async () =>
        (await shown()).slice(before).find((message) => message.house !== null && message.house !== house),
      );
      for (const answer of Object.values(later.answers)) {
        if (answer.state === 'answered') should(answer.balance.monitor.id).equal(later.house);
      }
    } finally {
      await simulator.close();
    }
  });

  it('PA4: shows why there is no answer', async () => {
    const host = `127.0.0.1:${await freePort()}`;
    const away = { id: demo, type: 'cemm-connection', mode: 'local', host, timezone: zone, deadline: 5 };
    await start(flow().map((node) => (node.id === demo ? away : node)));
    await nodeRed.inject('look');
    const { answers } = await shownWith((message) => message.answers['day 2026-06-18']?.state === 'failed');
    should(answers['day 2026-06-18']).containEql({ code: 'NETWORK' });
  });

  it('says once that a balance cannot be read, and shows it in place of an answer', async () => {
    const spoil = {
      id: 'spoil',
      type: 'change',
      z: 'cemm-page-flow',
      rules: [{ t: 'set', p: 'payload.timezone', pt: 'msg', to: 'Mars/Olympus', tot: 'str' }],
      wires: [[pageNode]],
    };
    await start(flow({ [balanceNode]: { wires: [['spoil']] } }, [spoil]));
    await nodeRed.inject('look');
    const hasFailed = ({ answers }: PageMessage): boolean => answers['day 2026-06-18']?.state === 'failed';
    const { answers } = await shownWith((message) => hasFailed(message) && message.failure !== undefined);
    should(answers['day 2026-06-18']).containEql({ code: 'BAD_PAYLOAD' });
    should(nodeRed.log.match(/A balance that came in cannot be read/g)).have.length(1);
  });

  it('shows what is known of a year while it is read, with how many of its days are', async () => {
    await start(
      withTaps([...flow().filter(({ id }) => id !== 'look'), viewer('look', [{ balance: 'year', date: '2025' }])]),
    );
    const { done, all } = await until('the progress', async () => {
      await nodeRed.inject('look');
      const answers = (await shown()).map((message) => message.answers['year 2025']);
      return answers.flatMap((answer) =>
        answer?.state === 'answered' && answer.since !== undefined ? (answer.balance.progress ?? []) : [],
      )[0];
    });
    should(all).equal(365);
    should(done).be.within(0, 364);
  });

  it('shows days that a CEMM 3.0 delivered', async () => {
    const now = millis(Date.parse(noon));
    const period = previousPeriod(periodContaining('day', zone, now));
    const household = createHousehold({
      seed: 3,
      timezone: zone,
      house: chooseHouse('inverter-6w'),
      now,
      since: millis(period.start - 86_400_000),
    });
    const hook = { type: 'cemm-webhook-in', path: '/cemm', open: true, hmac: false, maxAge: 0 };
    await start(
      flow({ [balanceNode]: { source: 'messages', grid: 'smartmeter-dsmr', production: 'zon', interval: 0 } }, [
        { id: 'hook', z: 'cemm-page-flow', ...hook, wires: [[balanceNode], []] },
      ]),
    );
    const topics = ['realtime', 'reading', 'last/15minutes'] as const;
    for (let at: number = period.start; at <= period.end; at += 900_000) {
      const response = await fetch(`${nodeRed.url}/cemm`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(buildDelivery(household, 24000001, millis(at), [...topics])),
      });
      should(response.status).equal(200);
    }
    await nodeRed.inject('look');
    const { answers, house } = await shownWith((message) => message.answers['day 2026-06-17']?.state === 'answered');
    should(house).equal('24000001');
    const yesterday = answers['day 2026-06-17'];
    should(yesterday?.state).equal('answered');
    if (yesterday?.state === 'answered') should(yesterday.balance.coverage).containEql({ energy_house_kwh: 1 });
  });
});

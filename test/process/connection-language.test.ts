/** The language of a connection for its nodes, in a Node-RED with another language. */
import should from 'should';
import { balanceDefaults } from '../../nodes/cemm-balance/config';
import { connectionDefaults } from '../../nodes/cemm-connection/config';
import { discoveryDefaults } from '../../nodes/cemm-discovery/config';
import { realtimeDefaults } from '../../nodes/cemm-realtime/config';
import type { BalancePayload } from '../../src/model/payload';
import { collector, NodeRed, tab, type CollectedMessage, type FlowNode } from '../support/node-red/node-red';

function connection(id: string, properties: object): FlowNode {
  return { ...connectionDefaults, id, type: 'cemm-connection', ...properties };
}

/** A node that reads once a minute, at a closed port or from the demo monitor. */
function realtime(id: string, connectionId: string, alias: string): FlowNode {
  return {
    ...realtimeDefaults,
    id,
    type: 'cemm-realtime',
    z: 'flow',
    connection: connectionId,
    alias,
    interval: 60,
    wires: [[], []],
  };
}

function statusesOf(messages: readonly CollectedMessage[], id: string): string[] {
  const statuses = messages as unknown as { status: { text?: string; source: { id: string } } }[];
  return statuses.filter(({ status }) => status.source.id === id).map(({ status }) => status.text ?? '');
}

function errorsOf(messages: readonly CollectedMessage[], id: string): string[] {
  const errors = messages as unknown as { error: { message: string; source: { id: string } } }[];
  return errors.filter(({ error }) => error.source.id === id).map(({ error }) => error.message);
}

describe('language of a connection @node-red-5-daily', function () {
  this.timeout(60_000);
  let nodeRed: NodeRed;

  before(async () => {
    // A closed port.
    const host = '127.0.0.1:9';
    nodeRed = await NodeRed.start({
      settings: "lang: 'en-US',",
      flows: [
        tab(),
        connection('dutch-demo', { mode: 'demo', language: 'nl' }),
        connection('dutch', { host, language: 'nl' }),
        connection('plain', { host }),
        connection('unknown', { host, language: '../../nl' }),
        realtime('p1', 'dutch-demo', 'p1'),
        realtime('closed', 'dutch', 'p1'),
        realtime('closed-plain', 'plain', 'p1'),
        realtime('closed-unknown', 'unknown', 'p1'),
        { ...realtime('wrong', 'dutch-demo', ''), monitor: 'house', monitorType: 'msg' },
        {
          ...discoveryDefaults,
          id: 'meters',
          type: 'cemm-discovery',
          z: 'flow',
          scope: 'monitors',
          connection: 'dutch-demo',
          interval: 60,
          wires: [[]],
        },
        ...collector('statuses'),
        ...collector('caught'),
        { id: 'status', type: 'status', z: 'flow', scope: null, wires: [['statuses']] },
        { id: 'catch', type: 'catch', z: 'flow', scope: null, uncaught: false, wires: [['caught']] },
      ],
    });
  });

  after(() => nodeRed.stop());

  it('is that of its statuses, with the numbers of that language', async () => {
    const messages = await nodeRed.waitFor('statuses', (all) =>
      statusesOf(all, 'p1').some((text) => /^(afname|teruglevering) \d+,\d\d kW · \d\d:\d\d$/.test(text)),
    );
    statusesOf(messages, 'p1').should.containEql('verbinden');
  });

  it('is that of its errors, which name the field as its dialog does', async () => {
    const all = await nodeRed.waitFor('caught', (messages) =>
      ['closed', 'wrong'].every((id) => errorsOf(messages, id).length > 0),
    );
    errorsOf(all, 'closed').join(' ').should.startWith('Op dit adres en deze poort antwoordt niets.');
    errorsOf(all, 'wrong').join(' ').should.startWith('“Monitor” komt uit een bericht');
  });

  it('is used by the texts that one type of node has for itself', async () => {
    await nodeRed.waitFor('statuses', (all) => statusesOf(all, 'meters').includes('monitors: 1'));
  });

  it('is that of Node-RED where the connection names none, also for the sentence about one that there is not', async () => {
    const all = await nodeRed.waitFor('caught', (messages) =>
      ['closed-plain', 'closed-unknown'].every((id) => errorsOf(messages, id).length > 0),
    );
    errorsOf(all, 'closed-plain').join(' ').should.startWith('Nothing answers at this address and port.');
    errorsOf(all, 'closed-unknown')
      .join(' ')
      .should.startWith('“Language” in the connection has a value that cannot be');
  });
});

/** A node that reads from the demo monitor, and its messages. */
function balance(connectionId: string): FlowNode[] {
  const messages = `${connectionId}-messages`;
  const node = { ...balanceDefaults, id: `${connectionId}-balance`, type: 'cemm-balance', z: 'flow' };
  return [
    { ...node, connection: connectionId, period: 'now', interval: 60, wires: [[messages]] },
    ...collector(messages),
  ];
}

describe('devices of the demo monitor', function () {
  this.timeout(60_000);
  let nodeRed: NodeRed;

  before(async () => {
    nodeRed = await NodeRed.start({
      settings: "lang: 'nl',",
      flows: [
        tab(),
        connection('plain', { mode: 'demo' }),
        connection('english', { mode: 'demo', language: 'en-US' }),
        ...balance('plain'),
        ...balance('english'),
      ],
    });
  });

  after(() => nodeRed.stop());

  for (const [id, language, names] of [
    ['plain', 'of Node-RED', ['Warmtepomp', 'Auto']],
    ['english', 'of its connection', ['Heat pump', 'Car']],
  ] as const) {
    it(`have names in the language ${language}`, async () => {
      const messages = await nodeRed.waitFor(`${id}-messages`, (all) => all.length > 0);
      const { devices = [] } = (messages[0]?.payload ?? {}) as Partial<BalancePayload>;
      should(devices.map(({ name }) => name)).eql(names);
    });
  }
});

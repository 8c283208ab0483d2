/**
 * Flows with prices of before there were contracts: they send what they sent then. Fields may be new, none is gone. What has
 * changed: the fixed costs of days of which nothing is known (test/unit/balance/cost-days.test.ts), to which hours import and export
 * within one minute belong (test/unit/balance/both-ways.test.ts), and a bill without the water of a meter that cannot be read
 * (test/unit/balance/bill.test.ts): these values were recorded later. `CEMM_RECORD=1` with the commit
 * 1ae2631, the last one without contracts, records the messages.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import should from 'should';
import { isRecord } from '../../src/checks/record';
import type { Simulator } from '../../src/simulator/simulator';
import { NodeRed, tab, type FlowNode } from '../support/node-red/node-red';
import {
  collectSent,
  comparableMessage,
  nodesOfFlow,
  recordedConnection,
  type RecordedFlow,
  recordedKey,
  type Sent,
  startRecordedMonitor,
  stillClock,
  writeRecorded,
} from '../support/node-red/recorded-flow';

const [flowsFile, messagesFile] = ['priced-flows.json', 'priced-messages.json'].map((name) =>
  join(__dirname, '../recorded', name),
) as [string, string];
const flows = JSON.parse(readFileSync(flowsFile, 'utf8')) as RecordedFlow[];
const begun = Date.now();

const prices = { currency: 'EUR', import: 0.25, export: 0.05, export_fee: 0.03, per_day: 1.2 };
const listed = {
  currency: 'EUR',
  import: Array.from({ length: 48 }, (_, hour) => ({
    start: Date.parse('2026-07-14T22:00:00Z') + hour * 3_600_000,
    value: 0.2 + (hour % 24) / 100,
  })),
  per_day: 0.3,
};

/** The list is in the global context before the first question. */
const setList: readonly FlowNode[] = [
  { id: 'start', type: 'inject', z: 'flow', props: [], once: true, onceDelay: 0, repeat: '', wires: [['set']] },
  {
    id: 'set',
    type: 'change',
    z: 'flow',
    rules: [{ t: 'set', p: 'housePrices', pt: 'global', to: JSON.stringify(listed), tot: 'json' }],
    wires: [[]],
  },
];

/** Fields that 0.2.0 did not have then. */
const newFields = ['cost.per_kwh', 'cost.days', 'bills[].per_kwh', 'bills[].days', 'points[].cost_per_kwh'];

interface Comparison {
  /** Places whose value is another one, or gone. */
  readonly changed: Set<string>;
  /** Places that the recording does not have. */
  readonly added: Set<string>;
}

/** @param place such as `points[].cost` */
function compare(recorded: unknown, sent: unknown, place: string, found: Comparison): void {
  if (Array.isArray(recorded) && Array.isArray(sent) && recorded.length === sent.length) {
    recorded.forEach((value, index) => {
      compare(value, sent[index], `${place}[]`, found);
    });
  } else if (isRecord(recorded) && isRecord(sent)) {
    const inside = (name: string): string => (place === '' ? name : `${place}.${name}`);
    for (const [name, value] of Object.entries(recorded)) compare(value, sent[name], inside(name), found);
    for (const name of Object.keys(sent)) if (!(name in recorded)) found.added.add(inside(name));
  } else if (recorded !== sent) {
    found.changed.add(place);
  }
}

/** Without its source: the number of requests depends on what was asked before. */
function withoutSource({ payload, ...message }: Sent): object {
  return { ...message, ...(isRecord(payload) && { ...payload, source: null }) };
}

describe('flows of version 0.2.0 with prices', function () {
  this.timeout(240_000);
  let nodeRed: NodeRed;
  let simulator: Simulator;
  const sent: Record<string, Sent[]> = {};

  before(async () => {
    simulator = await startRecordedMonitor();
    const remote = recordedConnection('remote', simulator);
    nodeRed = await NodeRed.start({ settings: "lang: 'en-US',", env: stillClock });
    await nodeRed.deploy(
      [
        tab(),
        remote,
        recordedConnection('local', simulator),
        { ...remote, id: 'recorded-priced', prices: JSON.stringify(prices), pricesType: 'json' },
        { ...remote, id: 'recorded-global', prices: 'housePrices', pricesType: 'global' },
        ...setList,
        ...flows.flatMap(nodesOfFlow),
      ],
      'full',
      Object.fromEntries(['remote', 'priced', 'global'].map((name) => [`recorded-${name}`, { apiKey: recordedKey }])),
    );
  });

  after(async () => {
    if (process.env['CEMM_RECORD'] === '1') writeRecorded(messagesFile, sent);
    await nodeRed.stop();
    await simulator.close();
  });

  for (const flow of flows) {
    it(`send the same: ${flow.name}`, async () => {
      await nodeRed.inject(`${flow.name}-in`);
      const messages = await collectSent(nodeRed, flow, (message) => comparableMessage(message, simulator, begun));
      sent[flow.name] = messages;
      if (process.env['CEMM_RECORD'] === '1') return;
      const recorded = (JSON.parse(readFileSync(messagesFile, 'utf8')) as Readonly<Record<string, Sent[]>>)[flow.name];
      should(messages.length).equal(recorded?.length);
      const found: Comparison = { changed: new Set(), added: new Set() };
      for (const [index, message] of messages.entries())
        compare(withoutSource(recorded?.[index] ?? { output: 0 }), withoutSource(message), '', found);
      should([...found.changed]).deepEqual([]);
      should([...found.added].filter((place) => !newFields.includes(place))).deepEqual([]);
    });
  }
});

/** Every stored property of every node with values outside its rule, in a whole Node-RED: each is CONFIG, which names the property. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import should from 'should';
import { nodeTypes } from '../../nodes/check-flow/node-types';
import type { CheckName, Conditions, FieldRule } from '../../nodes/lib/stored/field-rules';
import { isRecord } from '../../src/checks/record';
import { NodeRed, tab, type CollectedMessage, type FlowNode } from '../support/node-red/node-red';
import { until } from '../support/until';
import { errorOf, trigger, watchers } from '../support/node-red/remote-flow';

const connections: FlowNode[] = [
  { id: 'demo-connection', type: 'cemm-connection', mode: 'demo' },
  { id: 'public-connection', type: 'cemm-connection', mode: 'public', host: '192.168.1.20' },
];

/** A text that the check refuses. */
const wrongTexts: Readonly<Record<CheckName, string>> = {
  alias: 'p1/gas',
  baseUrl: 'ftp://open-api.cemm.nl/v1/',
  battery: 's01',
  bind: 'here',
  broadcast: '8.8.8.255',
  channel: 'a:b:c',
  contracts: '[{ "name": "" }]',
  count: '0',
  date: '25-10-2026',
  day: '25-10-2026',
  end: '25-10-2026',
  headerName: 'two words',
  host: '192.168.1',
  houseMeters: '[{ "meter": "two words", "role": "grid" }]',
  key: 'a:b',
  keyFrom: '-',
  mac: '00:1A:2B',
  meters: 'two words',
  monitors: 'mine',
  path: '/',
  port: '0',
  prices: '{ "currency": "EUR", "imprt": 0.25 }',
  proof: 'false',
  queryName: ' ',
  shard: '5/4',
  timezone: 'Europe/Nowhere',
  views: 'tomorrow',
  word: 'two words',
};

/** Properties with which a node of this type can be used. */
const usable: Readonly<Record<string, object>> = {
  'cemm-connection': { mode: 'demo', host: '192.168.1.20' },
  'cemm-webhook-in': { hmac: false, open: true },
};
const usual = { connection: 'demo-connection', alias: 'p1', channel: 'p1:power', interval: 60, scope: 'monitors' };

function outsideType(rule: FieldRule): unknown[] {
  switch (rule.is) {
    case 'boolean':
      return ['maybe', 1];
    case 'list':
      return ['[]', 7];
    case 'number':
      return ['many', true, {}];
    case 'text':
      return [false];
  }
}

function outsideRange({ range, isInterval, values, check, is }: FieldRule): unknown[] {
  if (range !== undefined) return [range.min - 1, range.max + 1, String(range.max + 1)];
  if (isInterval === true) return [-1, 3, 86_401, '3'];
  if (values !== undefined) return ['nonsense'];
  if (check === undefined) return [];
  const text = wrongTexts[check];
  if (check === 'proof') return [false];
  if (is === 'list') return [readJson(text)];
  return is === 'number' ? [Number(text)] : [text];
}

function readJson(text: string): unknown {
  return JSON.parse(text);
}

function fulfilled(conditions: Conditions = {}): object {
  const fulfill = (value = ''): string | boolean => (['true', 'false'].includes(value) ? value === 'true' : value);
  return Object.fromEntries(Object.entries(conditions).map(([property, [value]]) => [property, fulfill(value)]));
}

interface Case {
  readonly id: string;
  readonly property: string;
  readonly node: FlowNode;
}

/** The kinds of value of a typed property that hold no text. */
const kindsWithoutText = ['none', 'connection', 'credential', 'current', 'previous'];

function casesOf(type: string): Case[] {
  const rules = nodeTypes[type]?.rules ?? {};
  // Migrations read the version, whatever it holds.
  const properties = Object.entries(rules).filter(([property]) => property !== 'version');
  return properties.flatMap(([property, rule]) => {
    const kinds = rules[`${property}Type`]?.values?.filter((kind) => !kindsWithoutText.includes(kind)) ?? [];
    const kind = kinds.includes('str') ? 'str' : kinds[0];
    const needed = {
      ...fulfilled(rule.when),
      ...(rule.connection === 'public' && { connection: 'public-connection' }),
      ...(kind !== undefined && { [`${property}Type`]: kind }),
      ...(rule.check === 'proof' && { open: false }),
    };
    const isMessage = kinds.includes('msg');
    const changes = [
      ...[...outsideType(rule), ...outsideRange(rule)].map((value) => ({ [property]: value })),
      ...(isMessage ? [{ [property]: ' ', [`${property}Type`]: 'msg' }] : []),
      ...(rule.needed === undefined ? [] : [{ [property]: 'nowhere' }]),
    ];
    return changes.map((change, index): Case => {
      const id = `${type}-${property}-${index}`;
      const scope = type === 'cemm-discovery' ? { scope: 'meters' } : {};
      return {
        id,
        property,
        node: {
          id,
          type,
          z: 'flow',
          wires: [['out'], ['out']],
          path: `/of-${id}`,
          ...(type === 'cemm-connection' ? {} : usual),
          ...scope,
          ...usable[type],
          ...needed,
          ...change,
        },
      };
    });
  });
}

function labelsOf(file: string): unknown {
  return readJson(readFileSync(path.join(__dirname, '../../nodes', file), 'utf8'));
}

/** Words of the sentences of a receiver that do not quote the label. */
const wordsOfReceiver: Readonly<Record<string, readonly string[]>> = {
  bind: ['address'],
  expected: ['interval'],
  headerName: ['header'],
  hmacKeyFrom: ['HMAC keys'],
  maxAge: ['clock difference'],
  open: ['authentication'],
  queryName: ['parameter'],
};

/** The property in an error: its label in the dialog, otherwise its own name. */
function namesOf(type: string, stored: string): string[] {
  // The kind of a value belongs to the field of the value.
  const property = stored.replace(/Type$/, '');
  const catalogues = [
    `${type}/locales/en-US.json`,
    'cemm-connection/locales/en-US.json',
    'lib/editor/locales/en-US.json',
  ];
  const labels = catalogues.map(labelsOf).flatMap((catalogue) =>
    ['field', 'form'].map((part) => {
      const texts = isRecord(catalogue) ? catalogue[part] : undefined;
      return isRecord(texts) ? texts[property] : undefined;
    }),
  );
  const [label] = labels.filter((text): text is string => typeof text === 'string');
  return [property, ...(wordsOfReceiver[property] ?? []), ...(label === undefined ? [] : [label])];
}

function sourceOf(message: CollectedMessage): unknown {
  const { error, status } = message as { error?: { source?: { id: string } }; status?: { source?: { id: string } } };
  return (error ?? status)?.source?.id;
}

/** The last status of a node; null before the first. */
function statusOf(messages: readonly CollectedMessage[], id: string): { fill?: string; text?: string } | null {
  const last = messages.findLast((message) => sourceOf(message) === id);
  return (last as { status?: { fill?: string; text?: string } } | undefined)?.status ?? null;
}

describe('stored properties outside their rules', function () {
  this.timeout(180_000);
  let nodeRed: NodeRed;

  before(async () => {
    nodeRed = await NodeRed.start();
  });
  after(async () => {
    await nodeRed.stop();
  });

  for (const type of Object.keys(nodeTypes)) {
    const isConnection = type === 'cemm-connection';
    const isReceiver = type === 'cemm-webhook-in';
    // What cannot be used in a connection is an error of the node that uses it.
    const cases = casesOf(type).map((one) => {
      const user = { ...usual, id: `user-${one.id}`, type: 'cemm-realtime', z: 'flow', connection: one.id };
      return isConnection
        ? { ...one, nodes: [one.node, { ...user, wires: [['out'], ['out']] }], reporting: user }
        : { ...one, nodes: [one.node], reporting: one.node };
    });
    const ids = cases.map(({ reporting }) => reporting.id);
    const nodes = [tab(), ...connections, ...cases.flatMap((one) => one.nodes)];

    function shouldName(said: string, { property, node }: Case): void {
      const isNamed = namesOf(type, property).some((name) => said.toLowerCase().includes(name.toLowerCase()));
      isNamed.should.equal(true, `${said}: ${JSON.stringify(node)}`);
    }

    it(`${type}: log and status name the property`, async () => {
      const statusNodes = watchers(ids).filter(({ type: kind }) => kind !== 'catch' && kind !== 'complete');
      await nodeRed.deploy([...nodes, ...statusNodes]);
      const lineOf = ({ reporting }: (typeof cases)[number]): string | undefined =>
        nodeRed.log.split('\n').findLast((line) => line.includes(`[error] [${reporting.type}:${reporting.id}] `));
      await until('a line of each node', () => cases.every((one) => lineOf(one) !== undefined));
      // A receiver has its status before status nodes listen.
      const shown = isReceiver ? [] : ids;
      const statuses = await nodeRed.waitFor('statuses', (all) => shown.every((id) => statusOf(all, id) !== null));
      for (const one of cases) {
        const { fill, text } = statusOf(statuses, one.reporting.id) ?? {};
        if (!isReceiver) should(fill).equal('red', JSON.stringify(one.node));
        shouldName(`${lineOf(one)?.replace(/^.*?\] \[.*?\] /, '') ?? ''} ${text ?? ''}`, one);
      }
    });

    // A receiver has no input: its address is closed.
    if (isReceiver) continue;

    it(`${type}: each message fails with CONFIG, and nothing is sent`, async () => {
      await nodeRed.deploy([...nodes, trigger('ask', ids, { asked: ['now', 'str'] }), ...watchers(ids)]);
      await nodeRed.inject('ask');
      const answersOf = (all: readonly CollectedMessage[], id: string) =>
        all.filter((one) => one.asked === 'now' && sourceOf(one) === id);
      const caught = await nodeRed.waitFor('caught', (all) => ids.every((id) => answersOf(all, id).length > 0));
      for (const one of cases) {
        const [answer] = answersOf(caught, one.reporting.id);
        const { code, message } = errorOf(answer);
        code.should.equal('CONFIG', `${message}: ${JSON.stringify(one.node)}`);
        shouldName(message, one);
      }
      (await nodeRed.messages('out')).should.be.empty();
    });
  }
});

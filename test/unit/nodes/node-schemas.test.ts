/** The JSON Schemas of the node types, compared with examples, recorded messages and the dialogs. */
import Ajv, { type SchemaObject } from 'ajv';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import should from 'should';
import { makeSchemas } from '../../../scripts/build/build-schemas';
import { makeNodeSchemas } from '../../../scripts/build/node-schemas';
import { nodeTypes } from '../../../nodes/check-flow/node-types';
import { loadEditor, root } from '../../support/editor/load-editor';
import { filesUnder } from '../../support/editor/source-keys';

interface FlowNode {
  readonly id: string;
  readonly type: string;
  readonly [property: string]: unknown;
}

function read(file: string): unknown {
  return JSON.parse(readFileSync(path.join(root, file), 'utf8'));
}

const exampleFiles = readdirSync(path.join(root, 'examples'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.json'))
  .map((file) => `examples/${file}`);

const good: FlowNode = {
  id: 'n',
  type: 'cemm-realtime',
  z: 'f',
  x: 0,
  y: 0,
  wires: [[], []],
  ...nodeTypes['cemm-realtime']?.defaults,
  connection: 'c',
};

function nodeOf(type: string, properties: object): FlowNode {
  return { id: 'n', ...nodeTypes[type]?.defaults, ...properties, type };
}

describe('the JSON Schemas of the node types', function () {
  this.timeout(120_000);
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });

  before(() => {
    for (const schema of [...makeSchemas().values(), ...makeNodeSchemas().values()])
      ajv.addSchema(schema as SchemaObject);
  });

  /** The schema's complaints about a value, as paths. */
  function flaws(reference: string, value: unknown): string[] {
    const validate = ajv.getSchema(`cemm/1/nodes/${reference}`);
    if (validate === undefined) throw new Error(`There is no schema ${reference}.`);
    return validate(value) === true
      ? []
      : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.keyword}`);
  }

  it('exist for every type of the package', () => {
    const { 'node-red': registered } = read('package.json') as { 'node-red': { nodes: object } };
    [...makeNodeSchemas().keys()].should.eql([
      'definitions.json',
      ...Object.keys(nodeTypes).map((type) => `${type}.json`),
    ]);
    Object.keys(nodeTypes).sort().should.eql(Object.keys(registered.nodes).sort());
  });

  for (const file of exampleFiles) {
    it(`accept every node of ${file}`, () => {
      for (const node of (read(file) as FlowNode[]).filter(({ type }) => type in nodeTypes)) {
        flaws(`${node.type}.json`, node).should.eql([], node.id);
      }
    });
  }

  it('accept every message that was recorded, from the output that sent it', () => {
    const messages = read('test/recorded/messages.json') as Record<string, { output: number }[]>;
    const flows = read('test/recorded/flows.json') as { name: string; node: FlowNode }[];
    for (const { name, node } of flows) {
      for (const { output, ...message } of messages[name] ?? []) {
        // The record has a fixed word in place of the time of the run.
        const dated = JSON.parse(JSON.stringify(message).replaceAll('"NOW"', '"2026-07-15T10:20:30.000Z"')) as object;
        flaws(`${node.type}.json#/definitions/output${output + 1}`, dated).should.eql([], name);
      }
    }
  });

  it('refuse a message of another kind', () => {
    const messages = read('test/recorded/messages.json') as Record<string, object[]>;
    const [realtime] = messages['realtime of one meter, remote'] ?? [];
    flaws('cemm-realtime.json#/definitions/output1', realtime).should.be.empty();
    flaws('cemm-realtime.json#/definitions/output2', realtime).should.not.be.empty();
    flaws('cemm-totals.json#/definitions/output1', realtime).should.not.be.empty();
  });

  const wrong: readonly (readonly [string, FlowNode, string])[] = [
    ['an invented property', { ...good, meterName: 'p1' }, ' additionalProperties'],
    ['a missing connection', { id: 'n', type: 'cemm-realtime' }, ' required'],
    ['a receiver that lacks its only proof', { id: 'n', type: 'cemm-webhook-in', hmac: false }, ' anyOf'],
    ['a word that is no choice', { ...good, role: 'solar' }, '/role enum'],
    ['an unknown kind of typed input', { ...good, aliasType: 'num' }, '/aliasType enum'],
    ['a text where a box is ticked', { ...good, onlyChanges: 'yes' }, '/onlyChanges type'],
    ['a text that is no number', { ...good, interval: 'ten' }, '/interval pattern'],
    ['an interval below every floor', { ...good, interval: 1 }, '/interval not'],
    ['an interval above a day', { ...good, interval: 90_000 }, '/interval maximum'],
    ['a node without its connection', { ...good, connection: '' }, '/connection minLength'],
    ['more wires than outputs', { ...good, wires: [[], [], ['x']] }, '/wires maxItems'],
    ['a number out of its range', nodeOf('cemm-connection', { deadline: 90 }), '/deadline maximum'],
    ['a receiver without proof', nodeOf('cemm-webhook-in', { hmac: false }), ' anyOf'],
    ['a period that there is not', nodeOf('cemm-series', { connection: 'c', period: 'week' }), '/period enum'],
    ['a search without time', nodeOf('cemm-discovery', { wait: 1 }), '/wait minimum'],
    ['a contract without prices', nodeOf('cemm-connection', { contracts: [{ name: 'A' }] }), '/contracts/0 required'],
    [
      'a contract with a property of a meter',
      nodeOf('cemm-connection', { contracts: [{ name: 'A', prices: '{}', meter: 'p1' }] }),
      '/contracts/0 additionalProperties',
    ],
    [
      'a meter of the house without its alias',
      nodeOf('cemm-connection', { meters: [{ name: 'A' }] }),
      '/meters/0 required',
    ],
    [
      'a credential of another name',
      nodeOf('cemm-connection', { credentials: { key: 'k' } }),
      '/credentials additionalProperties',
    ],
  ];
  for (const [title, node, flaw] of wrong) {
    it(`refuse ${title}`, () => {
      flaws(`${node.type}.json`, node).should.containEql(flaw);
    });
  }

  const right: readonly (readonly [string, FlowNode])[] = [
    ['a node that lacks what has a default', { id: 'n', type: 'cemm-realtime', connection: 'c' }],
    ['a receiver that lacks what has a default', { id: 'n', type: 'cemm-webhook-in' }],
    ['a variable in place of a number', { ...good, interval: '${SECONDS}' }],
    ['a number as text', { ...good, interval: '30' }],
    [
      'a period from the message',
      nodeOf('cemm-series', { connection: 'c', period: 'payload.unit', periodType: 'msg' }),
    ],
    [
      'contracts of the house, and offers',
      nodeOf('cemm-connection', {
        contracts: [
          { name: 'A', prices: '{}' },
          { name: 'B', from: '2026-03-01', until: null, prices: { currency: 'EUR' }, pricesType: 'json' },
          { name: 'C', from: '', prices: 'offer', pricesType: 'global' },
        ],
      }),
    ],
    [
      'the meters of the house',
      nodeOf('cemm-connection', { meters: [{ meter: 'mb2', name: 'Pump', role: 'consumption', within: '' }] }),
    ],
    ['a search in the network without a connection', nodeOf('cemm-discovery', {})],
    ['a wait that does not count', nodeOf('cemm-discovery', { connection: 'c', scope: 'monitors', wait: 1 })],
    ['a receiver that is open on purpose', nodeOf('cemm-webhook-in', { hmac: false, open: true })],
  ];
  for (const [title, node] of right) {
    it(`accept ${title}`, () => {
      flaws(`${node.type}.json`, node).should.be.empty();
    });
  }

  it('have the outputs, credentials and defaults of the dialogs', async () => {
    for (const [type, { outputs, hasInput, credentials, defaults }] of Object.entries(nodeTypes)) {
      const { definition } = await loadEditor(type);
      should(definition.outputs).equal(outputs?.length, type);
      should(definition.inputs).equal(outputs === null ? undefined : Number(hasInput), type);
      Object.keys(definition.credentials ?? {}).should.eql([...credentials], type);
      Object.keys(definition.defaults).sort().should.eql(Object.keys(defaults).sort(), type);
    }
  });

  it('describe every property of a message that the help names', () => {
    const { definitions = {} } = makeNodeSchemas().get('cemm-series.json') ?? {};
    should(definitions).have.propertyByPath('input', 'properties').with.keys('payload', 'since', 'stop');
    should(definitions).have.propertyByPath('output1', 'properties').with.keys('payload', 'topic', 'parts');
  });
});

describe('the default of a property', () => {
  for (const [type, { rules }] of Object.entries(nodeTypes)) {
    it(`of ${type} is of its kind, and one of its values`, () => {
      for (const [property, { is, blank, values, default: value }] of Object.entries(rules)) {
        const isBlank = blank === true && value === '';
        const kind = is === 'text' ? 'string' : is === 'list' ? 'object' : is;
        should(isBlank || typeof value === kind).be.true(property);
        if (values !== undefined) values.should.containEql(value);
      }
    });
  }
});

describe('the stored properties of the node types', () => {
  const isRuntime = (file: string): boolean => !/(^editor|config\.ts$|^migrate)/.test(path.basename(file));
  const codeIn = (folder: string): string =>
    filesUnder(path.join(root, folder), '.ts')
      .filter(isRuntime)
      .map((file) => readFileSync(file, 'utf8').replace(/\/\*[^]*?\*\/|\/\/.*/g, ''))
      .join('');

  for (const [type, { rules }] of Object.entries(nodeTypes)) {
    it(`are read at run time, not only stored: ${type}`, () => {
      const code = [`nodes/${type}`, 'nodes/lib/run', 'nodes/lib/stored', 'src/balance/prices'].map(codeIn).join('');
      Object.keys(rules)
        .filter((property) => property !== 'name' && property !== 'version')
        // The kind of a typed input is read by the name of its value.
        .filter((property) => !new RegExp(`\\b${property.replace(/Type$/, '')}\\b`).test(code))
        .should.eql([]);
    });
  }
});

/** The flow of the example dynamic-prices, made for a connection of the editor. */
import should from 'should';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { FlowNode } from '../../support/node-red/node-red';
import { priceFlow } from '../../../nodes/lib/editor/prices/flow';

const file = path.resolve(__dirname, '../../../examples/dynamic-prices.json');
const example = JSON.parse(readFileSync(file, 'utf8')) as FlowNode[];
const amounts = { SURCHARGE: 0.018, TAX: 0.1088, VAT: 21 };

function added(prices: string): FlowNode[] {
  let count = 0;
  return priceFlow(example, { connection: 'mine', amounts, prices, newId: () => `new-${(count += 1)}` });
}

function environment(nodes: readonly FlowNode[]): Record<string, string> {
  const env = nodes.find(({ type }) => type === 'tab')?.['env'] as { name: string; value: string }[];
  return Object.fromEntries(env.map(({ name, value }) => [name, value]));
}

describe('the flow that gets prices', () => {
  it('has every node of the example but the connection, which is that of the dialog', () => {
    const nodes = added('');
    nodes.should.have.length(example.length - 1);
    nodes.map(({ type }) => type).should.not.containEql('cemm-connection');
    should(nodes.find(({ type }) => type === 'cemm-balance')?.['connection']).equal('mine');
  });

  it('has new ids, in wires, links and scopes, too', () => {
    const nodes = added('');
    const old = new Set(example.map(({ id }) => id));
    const values = (value: unknown): unknown[] => (Array.isArray(value) ? value.flatMap(values) : [value]);
    for (const node of nodes) {
      for (const value of Object.values(node).flatMap(values)) should(old.has(String(value))).be.false(String(value));
    }
    const ids = new Set(nodes.map(({ id }) => id));
    const wired = nodes.flatMap(({ wires, links, scope }) => [wires, links, scope].flatMap(values));
    const targets = wired.filter((one) => typeof one === 'string');
    targets.length.should.be.above(30);
    for (const target of targets) ids.has(target).should.be.true(target);
  });

  it('adds what the contract adds, and keeps the prices that do not change by the hour', () => {
    const prices =
      '{"currency":"EUR","import":0.25,"export":0.05,"export_fee":0.01,"per_day":1.2,"gas":1.3,"example":true}';
    environment(added(prices)).should.containEql({
      SURCHARGE: '0.018',
      TAX: '0.1088',
      VAT: '21',
      OTHER_PRICES: '{"export_fee":0.01,"per_day":1.2,"gas":1.3}',
    });
    environment(added('')).should.containEql({ OTHER_PRICES: '{}', TIBBER_TOKEN: '' });
    environment(added('no JSON')).should.containEql({ OTHER_PRICES: '{}' });
  });
});

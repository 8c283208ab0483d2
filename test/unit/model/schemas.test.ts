import should from 'should';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildSchemas } from '../../../scripts/build/build-schemas';
import { normalizeRealtime } from '../../../src/model/realtime';
import type { RealtimePayload } from '../../../src/model/payload';
import { meter, MONITOR, makeRealtimeResponse, SOURCE, valid, withSchemas } from '../../support/model/wire';

describe('the JSON Schemas', () => {
  withSchemas();

  let folder = '';
  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'cemm-schemas-'));
  });
  after(() => {
    rmSync(folder, { recursive: true });
  });

  it('exist for each kind, as draft-07, under its own name', () => {
    const schemas = path.join(folder, 'deep', 'schemas');
    buildSchemas(schemas);
    const kinds = ['availability', 'balance', 'meter', 'monitor', 'problem', 'realtime', 'series', 'totals', 'webhook'];
    readdirSync(schemas)
      .sort()
      .should.eql(kinds.map((kind) => `${kind}.json`));
    for (const kind of kinds) {
      const schema = JSON.parse(readFileSync(path.join(schemas, `${kind}.json`), 'utf8')) as Record<string, unknown>;
      should(schema['$id']).equal(`cemm/1/${kind}`);
      should(schema['$schema']).equal('http://json-schema.org/draft-07/schema#');
      should(schema['properties']).have.property('kind').containEql({ const: kind });
    }
  });

  const good = () =>
    normalizeRealtime({
      response: makeRealtimeResponse({ electric_power: [1_700_000_000_000, 5], gas: [0, 0] }),
      monitor: MONITOR,
      meter: meter('p1', 'grid'),
      source: SOURCE,
    });

  it('accept what the model makes', () => {
    valid(good()).kind.should.equal('realtime');
  });

  const broken: readonly (readonly [string, (payload: RealtimePayload) => object])[] = [
    ['a text as a value', (payload) => ({ ...payload, values: { power_w: '5' } })],
    ['an unknown reason', (payload) => ({ ...payload, missing: { gas_m3: 'because' } })],
    ['an unknown property', (payload) => ({ ...payload, extra: 1 })],
    ['an unknown role', (payload) => ({ ...payload, meter: { alias: 'p1', role: 'pv' } })],
    ['another version', (payload) => ({ ...payload, schema: 'cemm/2' })],
    ['a MAC with colons', (payload) => ({ ...payload, monitor: { id: '00:11:22:aa:bb:cc' } })],
    ['a time that is none', (payload) => ({ ...payload, time: 'yesterday' })],
    ['no id', (payload) => Object.fromEntries(Object.entries(payload).filter(([key]) => key !== 'id'))],
  ];
  for (const [name, breakIt] of broken) {
    it(`refuse ${name}`, () => {
      (() => valid(breakIt(good()) as RealtimePayload)).should.throw(/breaks its schema/);
    });
  }
});

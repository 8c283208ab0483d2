import 'should';
import { connectionDefaults } from '../../../nodes/cemm-connection/config';
import { migrations as ofConnection } from '../../../nodes/cemm-connection/migrations';
import { formatDefaults } from '../../../nodes/cemm-format/config';
import { migrations as ofFormat } from '../../../nodes/cemm-format/migrations';
import { seriesDefaults } from '../../../nodes/cemm-series/config';
import { migrations as ofSeries } from '../../../nodes/cemm-series/migrations';
import { webhookInDefaults } from '../../../nodes/cemm-webhook-in/config';
import { migrations as ofWebhook } from '../../../nodes/cemm-webhook-in/migrations';
import { type AnyRules } from '../../../nodes/lib/field-rules';
import { migrated, type Migrations } from '../../../nodes/lib/migrate';
import { nodeTypes } from '../../../nodes/check-flow/node-types';

const types: Readonly<Record<string, readonly [object & { version: number }, Migrations]>> = {
  'cemm-connection': [connectionDefaults, ofConnection],
  'cemm-format': [formatDefaults, ofFormat],
  'cemm-series': [seriesDefaults, ofSeries],
  'cemm-webhook-in': [webhookInDefaults, ofWebhook],
};

describe('migrations of stored properties', () => {
  it('bring a format node of 0.1.0 to the newest version', () => {
    const stored = { name: 'points', format: 'influx' } as const;
    migrated(formatDefaults, ofFormat, stored).should.eql({ ...formatDefaults, ...stored, version: 2 });
    stored.should.eql({ name: 'points', format: 'influx' });
  });

  it('keep what is stored, and take undefined for absent', () => {
    const current = migrated(seriesDefaults, ofSeries, { period: 'payload.unit', periodType: 'msg', count: undefined });
    current.should.containEql({ period: 'payload.unit', periodType: 'msg', count: 7, version: 2 });
  });

  it('do nothing to a node of the newest version', () => {
    const step = { 2: () => ({ name: 'changed' }), 3: () => ({ name: 'changed' }) };
    migrated({ name: '', version: 3 }, step, { name: 'mine', version: 3 }).should.eql({ name: 'mine', version: 3 });
  });

  it('run one after the other, from the version that is stored', () => {
    const append = (text: string) => (stored: Readonly<Record<string, unknown>>) => ({
      ...stored,
      name: `${String(stored['name'])}${text}`,
    });
    const steps = { 2: append('2'), 3: append('3'), 4: append('4') };
    migrated({ name: '', version: 4 }, steps, { name: '' }).name.should.equal('234');
    migrated({ name: '', version: 4 }, steps, { name: '', version: 2 }).name.should.equal('34');
  });

  it('leave the version of a newer package as it is', () => {
    migrated(formatDefaults, ofFormat, { format: 'parquet', version: 9 }).should.containEql({
      format: 'parquet',
      version: 9,
    });
  });

  for (const [type, { defaults, rules }] of Object.entries(nodeTypes)) {
    it(`exist for every version of ${type}, and add what its rules say`, () => {
      const [, migrations = {}] = types[type] ?? [];
      const versions = Object.keys(migrations).map(Number);
      versions.should.eql(Array.from({ length: Number(defaults['version']) - 1 }, (_, index) => index + 2));
      for (const version of versions) {
        Object.keys(migrations[version]?.({}) ?? {})
          .sort()
          .should.eql(propertiesSince(rules, version));
      }
    });
  }
});

function propertiesSince(rules: AnyRules, version: number): string[] {
  return Object.keys(rules)
    .filter((property) => rules[property]?.since === version)
    .sort();
}

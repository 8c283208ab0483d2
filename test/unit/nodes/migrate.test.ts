import 'should';
import { formatDefaults } from '../../../nodes/cemm-format/config';
import { seriesDefaults } from '../../../nodes/cemm-series/config';
import { migrated } from '../../../nodes/lib/stored/migrate';

describe('migrations of stored properties', () => {
  it('bring a format node of 0.1.0 to the newest version', () => {
    const stored = { name: 'points', format: 'influx' } as const;
    migrated(formatDefaults, stored).should.eql({ ...formatDefaults, ...stored, version: 2 });
    stored.should.eql({ name: 'points', format: 'influx' });
  });

  it('keep what is stored, and take undefined for absent', () => {
    const current = migrated(seriesDefaults, { period: 'payload.unit', periodType: 'msg', count: undefined });
    current.should.containEql({ period: 'payload.unit', periodType: 'msg', count: 7, version: 2 });
  });

  it('do nothing to a node of the newest version', () => {
    const step = { 2: () => ({ name: 'changed' }), 3: () => ({ name: 'changed' }) };
    migrated({ name: '', version: 3 }, { name: 'mine', version: 3 }, step).should.eql({ name: 'mine', version: 3 });
  });

  it('run one after the other, from the version that is stored', () => {
    const append = (text: string) => (stored: Readonly<Record<string, unknown>>) => ({
      ...stored,
      name: `${String(stored['name'])}${text}`,
    });
    const steps = { 2: append('2'), 3: append('3'), 4: append('4') };
    migrated({ name: '', version: 4 }, { name: '' }, steps).name.should.equal('234');
    migrated({ name: '', version: 4 }, { name: '', version: 2 }, steps).name.should.equal('34');
  });

  it('leave the version of a newer package as it is', () => {
    migrated(formatDefaults, { format: 'parquet', version: 9 }).should.containEql({
      format: 'parquet',
      version: 9,
    });
  });
});

/** The names of meters in formats: shown to people, and never part of what stores values. */
import 'should';
import { createFormatter } from '../../../src/library/create-formatter';
import type { RealtimePayload } from '../../../src/model/payload';
import { SOURCE } from '../../support/balance/small-house';

const now = Date.parse('2026-06-15T10:00:00Z');

function readingOf(name?: string): RealtimePayload {
  return {
    schema: 'cemm/1',
    kind: 'realtime',
    id: 'rt:001a2b3c4d5e:mb2:1',
    ts: now,
    time: new Date(now).toISOString(),
    monitor: { id: '001a2b3c4d5e' },
    meter: { alias: 'mb2', role: 'consumption', ...(name !== undefined && { name }) },
    source: { ...SOURCE, fetchedAt: now },
    values: { power_w: 1200 },
    times: {},
    missing: {},
  };
}

type Format = 'chart' | 'influx' | 'openmetrics' | 'homeassistant';

function written(format: Format, name?: string): string {
  const convert = createFormatter(format, { now: () => now });
  return JSON.stringify(convert({ payload: readingOf(name) }));
}

describe('the name of a meter', () => {
  it('begins the lines of a chart, in place of the alias', () => {
    written('chart', 'Heat pump').should.match(/"series":"Heat pump power_w"/);
    written('chart').should.match(/"series":"mb2 power_w"/);
  });

  it('is the name of its sensors in Home Assistant, whose ids stay', () => {
    const [named, plain] = [written('homeassistant', 'Heat pump'), written('homeassistant')];
    named.should.match(/"name":"Heat pump /);
    plain.should.match(/"name":"mb2 /);
    const ids = (text: string): string[] => text.match(/"(unique_id|default_entity_id)":"[^"]*"/g) ?? [];
    ids(named).should.not.be.empty();
    ids(named).should.deepEqual(ids(plain));
  });

  it('is a label of cemm_meter_info alone', () => {
    const [named, plain] = [written('openmetrics', 'Heat "pump"'), written('openmetrics')];
    named.should.containEql('cemm_meter_info{monitor=');
    const lines = (text: string): string[] =>
      text
        .split('\\n')
        .map((line) => line.replace(/^.*(?=# TYPE )/, ''))
        .filter((line) => !line.includes('cemm_meter'));
    lines(named).should.deepEqual(lines(plain));
    plain.should.not.containEql('cemm_meter_info');
  });

  it('starts no new series in a database', () => {
    written('influx', 'Heat pump').should.equal(written('influx'));
  });
});

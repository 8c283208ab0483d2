/** The payloads of the discovery node. */
import should from 'should';
import { topicOf } from '../../../src/model/identity';
import { meterPayload, monitorPayload } from '../../../src/model/monitor-payloads';
import { MONITOR, SOURCE, valid, withSchemas } from '../../support/model/wire';

describe('what discovery sends', () => {
  withSchemas();

  it('is a monitor payload, with the same id from the same search', () => {
    const found = { monitor: MONITOR, change: 'new', verified: true, source: SOURCE } as const;
    const payload = valid(monitorPayload(found));
    payload.should.match({ kind: 'monitor', change: 'new', verified: true, ts: SOURCE.fetchedAt });
    should(monitorPayload(found).id).equal(payload.id);
    should(monitorPayload({ ...found, source: { ...SOURCE, fetchedAt: SOURCE.fetchedAt + 1 } }).id).not.equal(
      payload.id,
    );
    topicOf(payload).should.equal(`cemm/${MONITOR.id ?? ''}/monitor`);
  });

  it('is a meter payload, identified by its I/O when it has no alias', () => {
    const named = valid(
      meterPayload({ monitor: MONITOR, meter: { alias: 'p1', role: 'grid', ioId: 1 }, source: SOURCE }),
    );
    topicOf(named).should.equal(`cemm/${MONITOR.id ?? ''}/p1/meter`);
    const other = valid(meterPayload({ monitor: MONITOR, meter: { role: null, ioId: 7 }, source: SOURCE }));
    other.id.should.containEql('io-7');
    other.id.should.not.equal(named.id);
  });
});

import should from 'should';
import { availabilityPayload } from '../../../src/model/monitor-payloads';
import { describeMeter, describeMonitor, idOf, meterTopic, findOrigin, topicOf } from '../../../src/model/identity';
import { toMonitorId } from '../../../src/protocol/mac';
import { meter, MONITOR, SOURCE, valid, withSchemas } from '../../support/model/wire';

describe('identity', () => {
  it('builds topics from the known parts', () => {
    topicOf({ kind: 'realtime', monitor: MONITOR, meter: meter('p1', 'grid') }).should.equal(
      'cemm/001122aabbcc/p1/realtime',
    );
    topicOf({ kind: 'monitor', monitor: MONITOR }).should.equal('cemm/001122aabbcc/monitor');
    topicOf({ kind: 'problem', monitor: { id: null } }).should.equal('cemm/unknown/problem');
  });

  it('gives a delivery one topic, for any meters', () => {
    const monitor = { id: null, cemm: 24000001 };
    for (const meter of [undefined, { key: 'zon', role: null }]) {
      topicOf({ kind: 'webhook', monitor, ...(meter && { meter }) }).should.equal('cemm/24000001/webhook');
    }
    meterTopic({ monitor }, 'zon', 'webhook').should.equal('cemm/24000001/zon/webhook');
  });

  it('uses the id of the monitor, otherwise the installation, otherwise the number', () => {
    const numbered = { id: null, cemm: 24000001 };
    should(findOrigin({ monitor: { ...numbered, id: '001122aabbcc' }, installation: 'house-1' })).equal('001122aabbcc');
    should(findOrigin({ monitor: numbered, installation: 'house-1' })).equal('house-1');
    should(findOrigin({ monitor: numbered, installation: '' })).equal('24000001');
    should(findOrigin({ monitor: { id: null } })).be.null();
    topicOf({ kind: 'problem', monitor: { id: null }, installation: 'street/house-1' }).should.equal(
      'cemm/street_house-1/problem',
    );
  });

  it('WB25: keeps every name within its level of the topic', () => {
    meterTopic({ monitor: MONITOR }, 'a/b+c#\u0000\r\n\u0085', 'webhook').should.equal(
      'cemm/001122aabbcc/a_b_c_____/webhook',
    );
    meterTopic({ monitor: MONITOR }, '', 'webhook').should.equal('cemm/001122aabbcc/_/webhook');
    topicOf({ kind: 'realtime', monitor: MONITOR, meter: meter('water+#', 'water') }).should.equal(
      'cemm/001122aabbcc/water__/realtime',
    );
  });

  it('WB25: fits into a topic of MQTT, however long a name is', () => {
    const long = '\u{1F525}'.repeat(60_000);
    const topic = meterTopic({ monitor: { id: null }, installation: long }, long, 'webhook');
    Buffer.byteLength(topic).should.be.below(65_536);
    topic.should.match(/^cemm\/[^/]+\/[^/]+\/webhook$/);
  });

  it('builds ids from monitor and parts', () => {
    idOf('sr', MONITOR, 'p1', 'day', '2026-10-25').should.equal('sr:001122aabbcc:p1:day:2026-10-25');
    idOf('wh', { id: null, cemm: 24000001 }, 1792879200).should.equal('wh:24000001:1792879200');
  });

  it('leaves unknown properties out of monitors and meters', () => {
    const id = toMonitorId('00:11:22:AA:BB:CC');
    if (id === null) throw new Error('the MAC of this test is wrong');
    const known = { id, name: 'Cupboard', type: null, version: '2.18.1.0', core: '1.24' };
    describeMonitor(known, '192.0.2.9').should.eql({
      id: '001122aabbcc',
      name: 'Cupboard',
      host: '192.0.2.9',
      version: '2.18.1.0',
      core: '1.24',
    });
    const io = { ioId: 2, port: 3, type: 'gas', alias: 'emucs-gas', portOption: null, fullId: null };
    describeMeter('emucs-gas', io).should.eql({ alias: 'emucs-gas', role: 'gas', ioId: 2, port: 3, type: 'gas' });
    describeMeter('s01', null).should.eql({ alias: 's01', role: null });
    const remote = { ioId: 1, port: 1, type: null, alias: null, portOption: 's0_in', fullId: 7 };
    describeMeter('s01', remote).should.eql({
      alias: 's01',
      role: null,
      ioId: 1,
      port: 1,
      portOption: 's0_in',
      fullId: 7,
    });
  });
});

describe('availability', () => {
  withSchemas();

  const since = Date.UTC(2026, 0, 15, 12);
  const outage = { monitor: MONITOR, source: SOURCE, state: 'offline', since, reason: 'NETWORK', failures: 3 } as const;

  it('reports an outage', () => {
    valid(availabilityPayload({ ...outage, meter: meter('p1', 'grid'), nextRetryMs: 20_000 })).should.eql({
      schema: 'cemm/1',
      kind: 'availability',
      id: `av:001122aabbcc:p1:offline:${since}`,
      ts: since,
      time: '2026-01-15T12:00:00.000Z',
      monitor: MONITOR,
      meter: { alias: 'p1', role: 'grid' },
      state: 'offline',
      since,
      reason: 'NETWORK',
      failures: 3,
      nextRetryMs: 20_000,
      source: SOURCE,
    });
  });

  it('has no reason and no retry when online, and no meter for a monitor', () => {
    const back = valid(availabilityPayload({ ...outage, state: 'online', nextRetryMs: 20_000 }));
    back.should.containEql({ reason: null, nextRetryMs: null, id: `av:001122aabbcc:-:online:${since}` });
    back.should.not.have.property('meter');
  });
});

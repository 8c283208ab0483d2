/** Which fields of a balance cemm-check-flow expects behind its node. */
import 'should';
import {
  demo,
  findingsOf,
  found,
  type Node,
  nodeOf,
  other,
  realtime,
  tab,
} from '../../support/check-flow/written-nodes';

describe('cemm-check-flow behind a balance node', function () {
  this.timeout(60_000);

  it('knows both fields of a balance whose period is not fixed, and of one that a message may ask', () => {
    const reader = other('function', 'r', { func: 'return { payload: msg.payload.values.power_house_w };' });
    const missing = ['never_sent payload.values.power_house_w'];
    const balance = (properties: object): Node =>
      nodeOf('cemm-balance', 'b', { connection: 'house', wires: [['r']], ...properties });
    const asking = (type: string, properties: object): Node => other(type, 'ask', { wires: [['b']], ...properties });
    found(balance({ period: 'day' }), reader).should.eql(missing);
    found(balance({ period: undefined, periodType: undefined }), reader).should.eql(missing);
    for (const periodType of ['env', 'flow', 'global', 'msg', 'jsonata'])
      findingsOf([tab, demo, balance({ period: 'kind', periodType, interval: 0 }), asking('inject', {}), reader])
        .filter((finding) => finding.startsWith('never_sent'))
        .should.eql([], periodType);
    found(balance({ period: '${PERIOD}' }), reader).should.eql([]);
    const json = { payload: '{"balance":"now"}', payloadType: 'json' };
    found(balance({ period: 'day' }), asking('inject', json), reader).should.eql([]);
    const ask = { payload: '', payloadType: 'date', props: [{ p: 'payload.balance', v: 'now', vt: 'str' }] };
    found(balance({ period: 'day' }), asking('inject', ask), reader).should.eql([]);
    for (const type of ['function', 'http in', 'cemm-page', 'link in'])
      found(balance({ period: 'day' }), asking(type, {}), reader).should.eql([], type);
    found(balance({ period: 'day' }), realtime({ wires: [['b'], []] }), reader).should.eql(missing);
    const subflow = { id: 'sub', type: 'subflow', in: [{ wires: [{ id: 'b' }] }], out: [] };
    found(subflow, { ...balance({ period: 'day' }), z: 'sub' }, { ...reader, z: 'sub' }).should.eql([]);
  });
});

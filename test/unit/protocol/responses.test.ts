import fc from 'fast-check';
import should from 'should';
import {
  findPromise,
  parseIoList,
  parseLocalRoot,
  parseMonitorList,
  parseRealtime,
  parseTotals,
} from '../../../src/protocol/open-api';
import { ProtocolError } from '../../../src/protocol/json';

const moment = 1_700_000_000_000;

function refusal(parse: () => unknown): string {
  try {
    parse();
  } catch (error) {
    if (error instanceof ProtocolError) return `${error.path} ${error.expected}`;
    throw error;
  }
  return 'accepted';
}

describe('protocol/realtime', () => {
  it('parses the remote response', () => {
    const answer = parseRealtime({ io_id: 3, data: { electric_power: [moment, 350.5], switch: [0, 0] }, extra: 1 });
    should(answer.ioId).equal(3);
    should(answer.data.get('electric_power')?.value).equal(350.5);
    should(answer.data.get('switch')?.flaw).equal('no_timestamp');
    should(answer.totals).be.null();
  });

  it('LA11: reads the local response with its totals, which have their own times', () => {
    const answer = parseRealtime({ data: { flow: [0, 0] }, totals: { volume: [moment + 5000, 55.5] } });
    should(answer.ioId).be.null();
    should(answer.totals?.get('volume')).eql({ time: moment + 5000, value: 55.5, flaw: null });
  });

  it('ignores totals of another shape', () => {
    should(parseRealtime({ data: {}, totals: 'none' }).totals).be.null();
    should(parseRealtime({ data: {}, totals: null }).totals).be.null();
  });

  it('LA11: accepts io_id as a number or as digits', () => {
    should(parseRealtime({ io_id: '12', data: {} }).ioId).equal(12);
    should(parseRealtime({ io_id: 'x', data: {} }).ioId).be.null();
    should(parseRealtime({ io_id: 1.5, data: {} }).ioId).be.null();
  });

  for (const [answer, told] of [
    [null, '$ object'],
    ['', '$ object'],
    [{}, '$.data object'],
    [{ data: null }, '$.data object'],
    [{ data: 'x' }, '$.data object'],
    [{ Data: {} }, '$.data object'],
  ] as const) {
    it(`refuses ${JSON.stringify(answer)}`, () => {
      should(refusal(() => parseRealtime(answer))).equal(told);
      should(refusal(() => parseTotals(answer))).equal(told);
    });
  }
});

describe('protocol/totals', () => {
  it('reads the meter readings of a day', () => {
    const answer = parseTotals({ io_id: 1, time: moment, data: { t1: [moment, 100.5], gas: [0, 0] } });
    should([answer.ioId, answer.time]).eql([1, moment]);
    should(answer.data.get('t1')?.value).equal(100.5);
    should(answer.data.get('gas')?.value).be.null();
  });

  it('LA10: accepts the time in seconds too, and no other time', () => {
    should(parseTotals({ time: moment / 1000, data: {} }).time).equal(moment);
    for (const time of [0, -5, 1e300, 'x', null, undefined]) should(parseTotals({ time, data: {} }).time).be.null();
  });
});

describe('protocol/monitors', () => {
  it('reads the list of a key, with the uid as it was spelled', () => {
    should(parseMonitorList({ data: [{ uid: '00-1e-C0-85-96-CC' }, { uid: 'D8-80-39-46-22-B5', name: 'Home' }] })).eql([
      { id: '001ec08596cc', uid: '00-1e-C0-85-96-CC', name: null, type: null, version: null, core: null },
      { id: 'd880394622b5', uid: 'D8-80-39-46-22-B5', name: 'Home', type: null, version: null, core: null },
    ]);
    should(parseMonitorList({ data: [] })).eql([]);
    should(parseMonitorList({ data: [{ uid: ' 00-1E-C0-85-96-CC\n' }] })[0]?.uid).equal('00-1E-C0-85-96-CC');
  });

  it('reads the root of a local monitor', () => {
    const about = { name: 'CEMM Basic', type: 'E5AD', version: '2.18.1.0', core: '1.24' };
    should(parseLocalRoot({ data: { mac: '00:1E:C0:85:96:CC', ...about } })).eql({ id: '001ec08596cc', ...about });
  });

  it('requires only the identity', () => {
    should(parseLocalRoot({ data: { mac: '00:1E:C0:85:96:CC', name: 7 } }).name).be.null();
    should(refusal(() => parseLocalRoot({ data: { name: 'CEMM' } }))).equal('$.data.mac mac');
    should(refusal(() => parseLocalRoot({ data: { mac: '00:1E:C0' } }))).equal('$.data.mac mac');
    should(refusal(() => parseLocalRoot({ status: 'ok' }))).equal('$.data object');
    should(refusal(() => parseMonitorList({ data: [{ uid: 1 }] }))).equal('$.data[0].uid mac');
    should(refusal(() => parseMonitorList({ data: [{ uid: '../../etc/pass' }] }))).equal('$.data[0].uid mac');
    should(refusal(() => parseMonitorList({ data: {} }))).equal('$.data list');
    should(refusal(() => parseMonitorList({ data: [null] }))).equal('$.data[0] object');
  });
});

describe('protocol/io-list', () => {
  it('reads the remote form', () => {
    const remote = { io_id: 2, port: 3, type: 'gas', port_option: 'enabled', full_id: 0, more: true };
    should(parseIoList({ data: [remote] })).eql([
      { ioId: 2, port: 3, type: 'gas', portOption: 'enabled', fullId: 0, alias: null },
    ]);
  });

  it('reads the form of the device', () => {
    should(parseIoList({ data: [{ io_id: '1', port: 3, type: 'p1', alias: 'p1' }] })).eql([
      { ioId: 1, port: 3, type: 'p1', portOption: null, fullId: null, alias: 'p1' },
    ]);
  });

  it('names the missing property of an entry', () => {
    should(refusal(() => parseIoList({ data: [{ type: 'p1' }] }))).equal('$.data[0].io_id integer');
    should(refusal(() => parseIoList({ data: [{ io_id: 1 }] }))).equal('$.data[0].type text');
    should(refusal(() => parseIoList({ data: 'x' }))).equal('$.data list');
  });
});

describe('protocol/promise', () => {
  it('is a 202, whatever the body', () => {
    for (const body of [undefined, null, '', [], {}, { data: [] }, 7])
      should(findPromise(202, body)).eql({ code: null });
  });

  it('is a member promise in any successful response', () => {
    should(findPromise(200, { promise: 'abc' })).eql({ code: '"abc"' });
    should(findPromise(201, { promise: { id: 1 }, data: {} })).eql({ code: '{"id":1}' });
    should(findPromise(202, { promise: 7 })).eql({ code: '7' });
  });

  it('is no other response', () => {
    for (const body of [undefined, null, { data: {} }, { promise: null }, ['promise'], 'promise']) {
      should(findPromise(200, body)).be.null();
    }
  });

  it('distinguishes codes by type and value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        fc.pre(one !== null && other !== null);
        const same = JSON.stringify(one) === JSON.stringify(other);
        should(findPromise(200, { promise: one })?.code === findPromise(200, { promise: other })?.code).equal(same);
      }),
    );
  });
});

describe('protocol parsers with any input', () => {
  const parsers = { parseRealtime, parseTotals, parseMonitorList, parseLocalRoot, parseIoList };
  for (const [name, parse] of Object.entries(parsers)) {
    it(`RA22: ${name} returns a value or throws a ProtocolError that quotes nothing`, () => {
      fc.assert(
        fc.property(fc.oneof(fc.jsonValue(), fc.record({ data: fc.jsonValue() })), (value) => {
          should(refusal(() => parse(value))).match(
            /^(accepted|\$(\.data)?(\[\d+\])?(\.(uid|mac|io_id|type))? [a-z]+)$/,
          );
        }),
      );
    });
  }
});

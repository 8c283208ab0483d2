import { inspect } from 'node:util';
import should from 'should';
import { memberPath, toInteger, toList, toMembers, toMoment, toText, ProtocolError } from '../../../src/protocol/json';

describe('protocol/shape', () => {
  it('takes an integer as such or in digits', () => {
    for (const [value, expected] of [
      [12, 12],
      [0, 0],
      [-3, -3],
      ['12', 12],
      ['-7', -7],
      ['007', 7],
      ['999999999999999', 999_999_999_999_999],
    ] as const) {
      should(toInteger(value)).equal(expected);
    }
  });

  for (const value of [
    '',
    ' ',
    '1e3',
    '0x10',
    '12.0',
    '12e1',
    '1234567890123456',
    '+12',
    '1 2',
    '--1',
    'x',
    1.5,
    2 ** 53,
    NaN,
    Infinity,
    null,
    undefined,
    true,
    ['12'],
    [],
    {},
  ]) {
    it(`takes for no integer: ${inspect(value)}`, () => {
      should(toInteger(value)).be.null();
    });
  }

  it('takes a text that is not empty', () => {
    should([toText('x'), toText(''), toText(5), toText(null), toText(['x'])]).eql(['x', null, null, null, null]);
  });

  it('takes a moment in either unit, and nothing between them', () => {
    const ms = 1_700_000_000_000;
    should([toMoment(ms), toMoment(ms / 1000), toMoment(0), toMoment(String(ms)), toMoment(ms * 1000)]).eql([
      ms,
      ms,
      null,
      null,
      null,
    ]);
  });

  it('takes the empty list of PHP for an empty object, and no other list', () => {
    should(toMembers([], '$.data').size).equal(0);
    for (const value of [[1], [[]], null, undefined, 5, 'x', true]) {
      should(() => toMembers(value, '$.data')).throw(ProtocolError, { path: '$.data', expected: 'object' });
    }
    should([...toMembers({ a: 1, b: null }, '$')]).eql([
      ['a', 1],
      ['b', null],
    ]);
  });

  it('takes a list and nothing else', () => {
    should(toList([1], '$')).eql([1]);
    for (const value of [{}, { length: 1 }, 'x', null]) {
      should(() => toList(value, '$.x')).throw(ProtocolError, { path: '$.x', expected: 'list' });
    }
  });

  it('writes a plain name into a path, and no other', () => {
    for (const name of ['t1', '_x', 'A', 'x'.repeat(40)]) should(memberPath('$.data', name)).equal(`$.data.${name}`);
    for (const name of ['', '1t', 'odd name', 'x\n', 'é', 'a.b', 'x'.repeat(41)]) {
      should(memberPath('$', name)).equal('$[…]');
    }
  });
});

describe('a protocol error', () => {
  it('has the path, the expected type and its own name', () => {
    const error = new ProtocolError('$.data.t1[0]', 'a number');
    should([error.name, error.path, error.expected]).eql(['ProtocolError', '$.data.t1[0]', 'a number']);
    should(String(error)).equal('ProtocolError: $.data.t1[0]: expected a number');
  });
});

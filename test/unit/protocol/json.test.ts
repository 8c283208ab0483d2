import fc from 'fast-check';
import should from 'should';
import { deepestNesting, parseJson, ProtocolError, removeReservedKeys } from '../../../src/protocol/json';

function expectation(bytes: Uint8Array, options?: { maxDepth?: number }): string {
  try {
    parseJson(bytes, options);
  } catch (error) {
    if (error instanceof ProtocolError) return `${error.path} ${error.expected}`;
    throw error;
  }
  return 'accepted';
}

const utf8 = (text: string): Buffer => Buffer.from(text, 'utf8');
const escape = (letter: string): string => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
const nest = (depth: number): Buffer => utf8('['.repeat(depth) + ']'.repeat(depth));

describe('protocol/json', () => {
  it('gives what JSON.parse gives for any JSON text', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const text = JSON.stringify(value);
        fc.pre(!/__proto__|constructor/.test(text));
        should(parseJson(utf8(text))).eql(JSON.parse(text));
      }),
    );
  });

  it('throws a ProtocolError or parses, whatever the bytes are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        should(expectation(bytes)).match(/^(accepted|\$ (utf8|json|plain_keys|shallow_nesting))$/);
      }),
      { numRuns: 500 },
    );
  });

  it('parses a view into a larger buffer', () => {
    const whole = utf8('xx{"a":1}yy');
    should(parseJson(whole.subarray(2, 9))).eql({ a: 1 });
    should(parseJson(new Uint8Array(whole).subarray(2, 9))).eql({ a: 1 });
  });

  it('WB5: removes a byte order mark', () => {
    should(parseJson(utf8('\uFEFF{"a":1}'))).eql({ a: 1 });
    should(parseJson(utf8('\uFEFF{"a":"\uFEFF"}'))).eql({ a: '\uFEFF' });
    should(parseJson(utf8('{"a":"\uFEFF"}'))).eql({ a: '\uFEFF' });
    should(expectation(utf8('\uFEFF\uFEFF{}'))).equal('$ json');
  });

  const notUtf8: [string, Buffer][] = [
    ['a lone lead byte', Buffer.from([0x22, 0xe2, 0x22])],
    ['an overlong slash', Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
    ['an encoded surrogate', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['UTF-16', Buffer.from('\uFEFF{"a":1}', 'utf16le')],
    ['Latin-1', Buffer.from('{"name":"caf\u00e9"}', 'latin1')],
  ];
  for (const [what, bytes] of notUtf8) {
    it(`refuses ${what}`, () => {
      should(expectation(bytes)).equal('$ utf8');
    });
  }

  for (const text of [
    '',
    ' ',
    'null,',
    '{"a":1',
    '{"a":NaN}',
    '{"a":1}x',
    '<html></html>',
    "{'a':1}",
    '[01]',
    '\u0000',
  ]) {
    it(`refuses ${JSON.stringify(text)} as JSON, without quoting it`, () => {
      should(expectation(utf8(text))).equal('$ json');
    });
  }

  for (const text of [
    '{"__proto__":{"a":1}}',
    '[{"b":{"__proto__":1}}]',
    '{"\\u005f\\u005fproto__":{}}',
    '{"constructor":{"prototype":{}}}',
    '{"c\\u006fnstructor":{"protot\\u0079pe":1}}',
    '\uFEFF{"__proto__":1}',
    '[[[{"__proto__":[]}]]]',
  ]) {
    it(`refuses the prototype key in ${text}`, () => {
      should(expectation(utf8(text))).equal('$ plain_keys');
    });
  }

  it('WB9: refuses a prototype key with any of its letters escaped', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 9, maxLength: 9 }), (escaped) => {
        const key = Array.from('__proto__')
          .map((letter, index) => (escaped[index] ? escape(letter) : letter))
          .join('');
        should(expectation(utf8(`{"data":{"${key}":1}}`))).equal('$ plain_keys');
      }),
    );
  });

  it('accepts the word as a value', () => {
    should(parseJson(utf8('{"name":"__proto__","constructor":"Siemens"}'))).eql(
      JSON.parse('{"name":"__proto__","constructor":"Siemens"}'),
    );
  });

  it('accepts the deepest allowed nesting and refuses one level more', () => {
    should(expectation(nest(deepestNesting))).equal('accepted');
    should(expectation(nest(deepestNesting + 1))).equal('$ shallow_nesting');
    should(expectation(nest(3), { maxDepth: 3 })).equal('accepted');
    should(expectation(nest(4), { maxDepth: 3 })).equal('$ shallow_nesting');
    should(expectation(utf8('[[1,2],[1,[[]]]]'), { maxDepth: 3 })).equal('$ shallow_nesting');
    should(expectation(utf8('[[null]]'), { maxDepth: 2 })).equal('accepted');
    should(expectation(utf8('{"a":{"a":null}}'), { maxDepth: 2 })).equal('accepted');
    should(expectation(utf8('{"a":{"a":{"a":1}}}'), { maxDepth: 2 })).equal('$ shallow_nesting');
    should(expectation(utf8('7'), { maxDepth: 0 })).equal('accepted');
  });

  it('WB8: refuses 500,000 levels of nesting without exhausting the stack', () => {
    should(expectation(nest(500_000))).equal('$ shallow_nesting');
    should(expectation(utf8('{"a":'.repeat(200_000) + '1' + '}'.repeat(200_000)))).equal('$ shallow_nesting');
  });

  it('counts levels, not elements: 100,000 elements are two levels', () => {
    should(expectation(utf8(`[${'[],'.repeat(100_000)}[]]`), { maxDepth: 2 })).equal('accepted');
  });
});

describe('the reserved keys of a value', () => {
  const removed = (text: string): [unknown, readonly unknown[]] => {
    const value: unknown = JSON.parse(text);
    const paths = removeReservedKeys(value);
    return [value, paths];
  };

  it('are removed at any depth, and named by their paths', () => {
    should(removed('{"a":[1,{"__proto__":{"x":1},"b":2}],"constructor":{"prototype":{},"c":3}}')).eql([
      { a: [1, { b: 2 }] },
      [['a', 1, '__proto__'], ['constructor']],
    ]);
  });

  it('are not there in a value without members', () => {
    for (const text of ['5', 'null', '"__proto__"', '[]', '{}', '[1,[2]]']) {
      should(removed(text)).eql([JSON.parse(text), []]);
    }
  });

  it('leave a constructor that cannot reach a prototype', () => {
    for (const text of [
      '{"constructor":"Siemens"}',
      '{"constructor":{"a":1}}',
      '{"b":{"prototype":1},"constructor":[]}',
    ]) {
      should(removed(text)).eql([JSON.parse(text), []]);
    }
  });
});

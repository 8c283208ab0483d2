import 'should';
import { privateNames } from '../../../scripts/build/private-names';

describe('names of private members', () => {
  const counter = [
    'class Counter {',
    '  private count = 0;',
    '  constructor(private readonly step: number) {}',
    '  private next(): number { return this.count + this.step; }',
    '  add(): void { this.count = this.next(); }',
    '}',
  ].join('\n');

  it('are those of fields, methods and parameters', () => {
    privateNames([counter]).should.deepEqual(['count', 'next', 'step']);
  });

  for (const other of [
    'interface Total { count: number }',
    'const total = { count: 1 };',
    'const count = 1; const total = { count };',
    'const { count } = total;',
    'const { count: first } = total;',
    'total.count = 1;',
    'class Other { count = 1; }',
    'class Other { constructor(readonly count: number) {} }',
    'class Other extends Base { read() { return this.count; } }',
    "const name = 'count';",
  ]) {
    it(`are none of another thing: ${other}`, () => {
      privateNames([counter, other]).should.deepEqual(['next', 'step']);
    });
  }

  it('may be those of several classes', () => {
    privateNames([counter, 'class Other { private count = 1; }']).should.deepEqual(['count', 'next', 'step']);
  });
});

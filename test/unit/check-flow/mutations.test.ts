/** Detection rate of cemm-check-flow: a thousand examples with one mistake each, and the examples and pages without any. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import should from 'should';
import { checkingPage, seed } from '../../../scripts/docs/build-checking';
import { exampleFlows, findingsIn, measure, type Measured } from '../../support/check-flow/checked-flows';
import { isRecord } from '../../../src/checks/record';
import { snippetsOf } from '../../support/docs/snippets';

const root = path.resolve(__dirname, '../../..');

/** Rows of the table: kind → the numbers of its row. */
function published(): Map<string, number[]> {
  const rows = readFileSync(checkingPage, 'utf8').matchAll(/^\| ([^|]+) \| (\d+) \| (\d+) \| (\d*) ?\|$/gm);
  return new Map([...rows].map(([, kind = '', ...numbers]) => [kind, numbers.map(Number)]));
}

describe('mistakes in flows', function () {
  this.timeout(120_000);
  let rows: readonly Measured[] = [];
  let missed = '';

  before(() => {
    const measured = measure(seed);
    rows = measured.rows;
    missed = measured.missed.map(({ kind, id, field }) => `${kind}: ${id} ${field}`).join('\n');
  });

  it('are made a thousand times', () => {
    rows.reduce((sum, { made }) => sum + made, 0).should.equal(1000);
  });

  it('are found with the right field in 95 of 100 flows, of every kind', () => {
    for (const { kind, made, found } of rows) (found / made).should.be.aboveOrEqual(0.95, `${kind}\n${missed}`);
  });

  it('are answered with what was there before in 95 of 100 flows', () => {
    for (const { kind, made, proposed } of rows) {
      if (proposed !== null) (proposed / made).should.be.aboveOrEqual(0.95, kind);
    }
  });

  it('stand in docs/evidence/checking-flows.md as often as they are found', () => {
    const table = published();
    for (const { kind, made, found } of rows) {
      const [flows = 0, promised = 0] = table.get(kind) ?? [];
      should(flows).equal(made, kind);
      // The number of examples changes it a little.
      should(Math.abs(promised - found)).be.belowOrEqual(made / 50, kind);
    }
  });
});

describe('flows without a mistake', () => {
  for (const [name, flow] of exampleFlows()) {
    it(`examples/${name}`, () => {
      findingsIn(flow).should.eql([]);
    });
  }

  it('those of the documentation', () => {
    const pages = readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' });
    const texts = ['README.md', ...pages.filter((file) => file.endsWith('.md')).map((file) => `docs/${file}`)];
    for (const file of texts) {
      for (const { code } of snippetsOf(readFileSync(path.join(root, file), 'utf8'), 'json')) {
        const flow = parsed(code);
        if (isFlow(flow)) findingsIn(flow).should.eql([], file);
      }
    }
  });
});

/** Some snippets contain `…`. */
function parsed(code: string): unknown {
  try {
    return JSON.parse(code) as unknown;
  } catch {
    return null;
  }
}

/** Other lists in the documentation hold rows or points. */
function isFlow(snippet: unknown): boolean {
  return Array.isArray(snippet) && snippet.every((entry) => isRecord(entry) && 'id' in entry && 'type' in entry);
}

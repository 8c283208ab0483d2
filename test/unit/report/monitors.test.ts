/** The reports in test/monitors: every later version reads their answers. `npx tsx scripts/report.ts FILE` adds one. */
import should from 'should';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { madeOf } from '../../../src/report/report';
import { readReport } from '../../../src/report/read-report';
import { seenInReport } from '../../support/houses/reported-monitor';

const folder = path.join(__dirname, '../../monitors');

describe('reports of monitors', () => {
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
    const report = readReport(readFileSync(path.join(folder, file), 'utf8'));

    it(`${file}: makes the same payloads as when it was added`, async () => {
      JSON.stringify(await madeOf(report)).should.equal(JSON.stringify(report.made));
    });

    it(`${file}: every number is possible, and every field has a name`, async () => {
      const { broken, comparisons } = await seenInReport(report);
      should(broken).eql([]);
      comparisons.should.be.above(0);
    });
  }
});

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import should from 'should';
import { cataloguePage, groupOf, groups, projectDir, readCatalogue } from './catalogue';
import { declares, readTestFile, type TestFile } from './test-titles';

describe('the fault catalogue', function () {
  this.timeout(60_000);
  const faults = readCatalogue();

  it('has every row once, in order', () => {
    const expected = Object.keys(groups).flatMap((group) => {
      const rows = faults.filter(({ id }) => groupOf(id) === group).length;
      return Array.from({ length: rows }, (_, index) => `${group}${index + 1}`);
    });
    should(faults.map(({ id }) => id)).eql(expected);
  });

  it('says for each what shows it, why it does not apply, or what is open', () => {
    for (const { id, fault, tests = [], notHere, open, campaign } of faults) {
      should(fault.length).be.within(8, 120, id);
      const isShown = tests.length > 0 || campaign !== undefined;
      should(isShown || notHere !== undefined || open !== undefined).be.true(id);
      // What does not apply needs no test, and what has tests does apply.
      if (notHere !== undefined) should(!isShown && open === undefined).be.true(id);
      for (const reason of [notHere, open]) if (reason !== undefined) should(reason.length).be.above(30, id);
    }
  });

  it('names tests that exist, run in the suites of the project, and are not switched off', () => {
    const files = new Map<string, TestFile>();
    const missing: string[] = [];
    for (const { id, tests = [] } of faults) {
      for (const { file, name } of tests) {
        should(file).match(/^test\/(unit|flow|process|browser)\/.*\.test\.ts$/, id);
        const declared = files.get(file) ?? readTestFile(resolve(projectDir, file));
        files.set(file, declared);
        if (!declares(declared, name)) missing.push(`${id}: ${file}: ${name}`);
      }
    }
    should(missing).eql([]);
  });

  it('names commands that exist for what is measured by hand', () => {
    const { scripts } = JSON.parse(readFileSync(resolve(projectDir, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    for (const { id, campaign } of faults) {
      if (campaign === undefined) continue;
      const script = /^npm run (\S+)/.exec(campaign.command)?.[1] ?? '';
      should(script in scripts).be.true(id);
      should(campaign.shows.length).be.above(30, id);
    }
  });

  it('finds a name that no test has', () => {
    const file = readTestFile(resolve(projectDir, 'test/unit/clients/fault-matrix.test.ts'));
    const name = 'clients against a faulty server remote gzip bomb: the right error at every endpoint';
    should(declares(file, name)).be.true();
    should(declares(file, name.replace('bomb', 'zebra'))).be.false();
    should(declares(file, name.replace('endpoint', 'point'))).be.false();
    should(declares(file, name.replace('clients ', 'Clients '))).be.false();
  });

  it('is what the page of the documentation shows', () => {
    should(readFileSync(resolve(projectDir, 'docs/faults.md'), 'utf8') === cataloguePage(faults)).be.true(
      'docs/faults.md is old: npx tsx test/unit/faults/write-page.ts',
    );
  });

  after(() => {
    for (const { id, open } of faults) if (open !== undefined) process.stdout.write(`    open: ${id} ${open}\n`);
  });
});

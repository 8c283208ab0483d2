/** The table of statuses in troubleshooting.md and its Dutch twin has the status of every failure. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import 'should';
import { readMember } from '../../../src/checks/record';

const root = path.resolve(__dirname, '../../..');

function readText(file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}

/** The texts of failures, whose keys begin with an error code, with `…` for what differs. */
function failureStatuses(language: string): string[] {
  const catalogue: unknown = JSON.parse(readText(`nodes/lib/locales/${language}.json`));
  const statuses = readMember(catalogue, 'status') ?? {};
  return Object.entries(statuses)
    .filter(([key]) => /^[A-Z]/.test(key))
    .map(([, text]) => String(text).replace(/__\w+__/g, '…'));
}

describe('the table of statuses', () => {
  for (const [language, file] of [
    ['en-US', 'docs/troubleshooting.md'],
    ['nl', 'docs/nl/troubleshooting.md'],
  ] as const) {
    it(`has each failure of a node: ${file}`, () => {
      const statuses = failureStatuses(language);
      statuses.length.should.be.above(25);
      const table = readText(file);
      statuses.filter((text) => !table.includes(`*${text}*`)).should.eql([]);
    });
  }
});

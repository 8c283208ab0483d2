// SECURITY.md: the abilities of each attacker, and the test of each line exists.
import { hasTest, namedIn } from './named-tests';
import { readPage } from './page';
import { differences, faultAt, unless } from './text';

const page = 'SECURITY.md';
const attackers = [
  'Somebody on the internet',
  'Somebody in the local network',
  'A visitor of a dashboard, and any page in the browser',
  'A user of the editor with part of the rights',
  'A monitor with a key of its own',
  'The reader of a report',
  'The author of a report',
];

interface Line {
  readonly attempt: string;
  readonly result: string;
  readonly tests: string;
}

function linesOf(attacker: string): Line[] {
  const section =
    readPage(page)
      .prose.split(/^#{2,3} /m)
      .find((part) => part.startsWith(`${attacker}\n`)) ?? '';
  return [...section.matchAll(/^\| (.+) \| (.+) \| (.+) \|$/gm)]
    .map(([, attempt = '', result = '', tests = '']) => ({ attempt, result, tests }))
    .filter(({ tests }) => tests !== 'Test');
}

export function attackersHaveTests(): string[] {
  const [, table = ''] = readPage(page).prose.split('## Who can do what\n');
  const headings = [...(table.split(/^## /m)[0] ?? '').matchAll(/^### (.+)$/gm)].map(([, heading = '']) => heading);
  const refused = (attacker: string): boolean => linesOf(attacker).some(({ result }) => result.startsWith('cannot'));
  return [
    ...differences(headings, attackers, 'the attacker').map((fault) => faultAt(page, '## Who can do what', fault)),
    ...attackers.flatMap((attacker) => unless(refused(attacker), page, `### ${attacker}`, 'is refused nothing')),
    ...attackers.flatMap(linesOf).flatMap(lineFaults),
  ];
}

function lineFaults({ attempt, result, tests }: Line): string[] {
  const named = namedIn(tests);
  const missing = named.filter(
    ({ file, title }) => !/^test\/.+\.test\.ts$/.test(file) || title === undefined || !hasTest(file, title),
  );
  // Only an ability of an attacker needs no test.
  const mayLackTest = tests === '–' && /^can\b/.test(result);
  return [
    ...unless(/^(?:can|cannot)\b/.test(result), page, attempt, 'says neither can nor cannot'),
    ...unless(named.length > 0 || mayLackTest, page, attempt, 'names no test'),
    ...missing.map(({ file, title = '' }) => faultAt(page, attempt, `${file} has no test “${title}”`)),
  ];
}

/**
 * The fault catalogue. test/faults.json lists what can go wrong: id → sentence. A test that shows what the package does then
 * has the id in front of its title: `it('WA3: rejects a truncated signature')`.
 *
 *   npx tsx scripts/docs/faults.ts page         writes docs/evidence/faults.md, a page of the site (npm run docs)
 *   npx tsx scripts/docs/faults.ts titles       fails where the titles of the tests do not fit the catalogue (`npm run lint`)
 *   npx tsx scripts/docs/faults.ts check FILE   fails where a fault has no passed test; FILE as test/support/mocha/summary-reporter.cjs writes it
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { faultsFile } from './site';

const root = path.resolve(__dirname, '../..');

/** Most titles of one suite that the page shows for a fault. A table of cases can have more. */
const shownTitles = 3;

/** Fault ids begin with the id of their group. */
export const groups: Readonly<Record<string, string>> = {
  WA: 'Webhook: authentication',
  WT: 'Webhook: HTTP',
  WB: 'Webhook: content of deliveries',
  RA: 'Remote API',
  LA: 'Local API',
  UD: 'Discovery',
  TD: 'Time and days',
  BA: 'Balance',
  AE: 'Admin routes of the editor',
  CL: 'Credentials and logs',
  LC: 'Deploy and shutdown',
  OV: 'Overload',
  ME: 'Memory',
  FO: 'Formats',
  PA: 'Page of the house',
  AR: 'Reports',
  DV: 'Visitors of a dashboard',
  PD: 'Past days',
};

/** Faults without a test: the package cannot prevent them. */
export const notApplicable: Readonly<Record<string, string>> = {
  LA6: 'The local API is plain HTTP, so a response cannot be authenticated. The MAC address of the device is checked; values are passed on unchanged.',
  CL14: 'Anyone who can set NODE_DEBUG or attach a debugger controls the process and everything in it.',
};

/** Measurements that take too long for CI: run by hand before a release, in addition to the tests. */
export const measuredByHand: Readonly<Record<string, { readonly command: string; readonly shows: string }>> = {
  WA33: {
    command: 'npm run campaign -- fleet',
    shows:
      'access is refused to the admin API (through the load balancer, at the receivers and from another address) and to the broker and the database (without a login, with a guessed one and with that of another role)',
  },
  OV5: {
    command: 'npm run campaign -- soak --minutes 10 --rate 100 --bytes 131072',
    shows: 'the delay of the event loop at a hundred such deliveries per second',
  },
  ME1: {
    command: 'npm run campaign -- soak --minutes 30',
    shows: 'heap, rss, handles and lost deliveries over half an hour of deliveries, polls, outages and deploys',
  },
};

/** Faults whose tests take too long for every change: .github/workflows/daily.yml runs them, also before a release. */
export const testedDaily: Readonly<Record<string, 'long' | 'years'>> = {
  BA17: 'years',
  LA13: 'years',
  ME1: 'long',
  OV5: 'long',
  OV8: 'long',
};

/** Id → fault. */
export const faults = JSON.parse(readFileSync(path.join(root, 'test/faults.json'), 'utf8')) as Readonly<
  Record<string, string>
>;

/** A test as the reporter writes it. */
export interface ReportedTest {
  /** From the root of the project. */
  readonly file: string;
  /** Titles of the suites around it and its own. */
  readonly titles: readonly string[];
}

export interface FaultTest {
  readonly ids: readonly string[];
  readonly file: string;
  /** Titles of the suites around it, the outermost first. */
  readonly suites: readonly string[];
  /** Its own title without the ids. */
  readonly title: string;
}

/** The tests that show faults. */
export function faultTests(tests: readonly ReportedTest[]): FaultTest[] {
  return tests.flatMap(({ file, titles }) => {
    const match = /^(?<ids>[A-Z]{2}\d+(?:, [A-Z]{2}\d+)*): (?<title>.*)$/s.exec(titles.at(-1) ?? '');
    if (match === null) return [];
    const { ids = '', title = '' } = match.groups ?? {};
    return [{ ids: ids.split(', '), file, suites: titles.slice(0, -1).map(withoutTag), title }];
  });
}

/** `@node-red-5` selects the Node-RED version of a suite and is not part of the title. */
function withoutTag(title: string): string {
  return title.replace(/ @[\w-]+$/, '');
}

/**
 * One sentence for each fault without a test, and for each id in a title that is not a fault.
 * @param others ids that these tests need not show
 */
export function complaints(tests: readonly FaultTest[], others: readonly string[] = []): string[] {
  const shown = new Set(tests.flatMap(({ ids }) => ids));
  return [
    ...Object.keys(faults)
      .filter((id) => !shown.has(id) && !(id in notApplicable) && !others.includes(id))
      .map((id) => `${id} has no test: ${faults[id] ?? ''}`),
    ...tests.flatMap(({ ids, file, title }) =>
      ids.filter((id) => !(id in faults)).map((id) => `${id} is not in test/faults.json: ${file}: ${title}`),
    ),
  ];
}

/** All tests of all suites, without running them. */
export function declaredTests(): ReportedTest[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'cemm-titles-'));
  try {
    const list = path.join(folder, 'tests');
    const mocha = require.resolve('mocha/bin/mocha.js');
    const { status, stderr } = spawnSync(process.execPath, [mocha, '--dry-run', 'test/**/*.test.ts'], {
      cwd: root,
      env: { ...process.env, CEMM_TESTS_PASSED: list, CEMM_TEST_SUMMARY: '' },
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
    if (status !== 0) throw new Error(`mocha --dry-run has failed: ${stderr}`);
    return readReport(list);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function readReport(file: string): ReportedTest[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as ReportedTest);
}

/** The page of the site with all faults and their tests. */
export function faultsPage(tests: readonly FaultTest[]): string {
  const ids = Object.keys(faults);
  const lines = [
    '# Faults',
    '',
    `${ids.length} things that can go wrong, and the tests that show what the package does then. ` +
      `${ids.length - Object.keys(notApplicable).length} are shown by tests, ${Object.keys(notApplicable).length} do not apply. ` +
      `${Object.keys(measuredByHand).length} are also measured by hand, because that takes too long for CI.`,
    '',
    'Made by `npm run docs` from `test/faults.json` and the titles of the tests, which begin with the ids of the ' +
      'faults that they show. The last step of `.ci/run` fails where a fault has no test that passed.',
  ];
  for (const [group, title] of Object.entries(groups)) {
    lines.push('', `## ${title}`, '', '| Id | Fault | Shown by |', '| --- | --- | --- |');
    for (const id of ids.filter((one) => groupOf(one) === group)) {
      lines.push(`| ${id} | ${cell(faults[id] ?? '')} | ${shownBy(id, tests)} |`);
    }
  }
  return `${lines.join('\n')}\n`;
}

export function groupOf(id: string): string {
  return id.replace(/\d+$/, '');
}

function shownBy(id: string, tests: readonly FaultTest[]): string {
  // File and outermost suite → title → the same after the titles of the inner suites, of the first test that has it.
  const found = new Map<string, Map<string, string>>();
  for (const { ids, file, suites, title } of tests) {
    if (!ids.includes(id)) continue;
    const [outer = '', ...inner] = suites;
    const place = `\`${file}\`: ${cell(outer)}`;
    const titles = found.get(place) ?? new Map<string, string>();
    if (!titles.has(title)) titles.set(title, cell([...inner, title].join(' ')));
    found.set(place, titles);
  }
  const parts = [...found].map(([place, titles]) => {
    const rest = titles.size > shownTitles ? `; and ${titles.size - shownTitles} more` : '';
    return `${place}: ${[...titles.values()].slice(0, shownTitles).join('; ')}${rest}`;
  });
  const campaign = measuredByHand[id];
  if (campaign !== undefined) parts.push(`By hand, \`${campaign.command}\`: ${cell(campaign.shows)}`);
  const reason = notApplicable[id];
  if (reason !== undefined) parts.push(`Does not apply: ${cell(reason)}`);
  return parts.join('<br>');
}

function cell(text: string): string {
  return text.replace(/[\\|*_<>[\]`]/g, (mark) => `\\${mark}`);
}

if (require.main === module) {
  const [, , command, file] = process.argv;
  if (command === 'page') {
    writeFileSync(path.join(root, faultsFile), faultsPage(faultTests(declaredTests())));
  } else if (command === 'titles') {
    const wrong = complaints(faultTests(declaredTests()));
    for (const complaint of wrong) console.log(complaint);
    process.exitCode = wrong.length === 0 ? 0 : 1;
  } else if (command === 'check' && file !== undefined) {
    const tests = faultTests(readReport(file));
    const wrong = complaints(tests, Object.keys(testedDaily));
    for (const complaint of wrong) console.log(complaint);
    for (const [id, campaign] of Object.entries(testedDaily))
      console.log(`tested once a day: ${id}: npm run campaign -- ${campaign}`);
    for (const [id, { command: byHand }] of Object.entries(measuredByHand))
      console.log(`measured by hand: ${id}: ${byHand}`);
    console.log(`${Object.keys(faults).length} faults, ${tests.length} tests of them have passed`);
    process.exitCode = wrong.length === 0 ? 0 : 1;
  } else {
    console.error('npx tsx scripts/docs/faults.ts page, titles, or check FILE');
    process.exitCode = 2;
  }
}

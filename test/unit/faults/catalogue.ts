/** The fault catalogue (test/faults.json): what can go wrong, and the test that shows what happens then. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

export const projectDir = resolve(__dirname, '../../..');

export interface NamedTest {
  /** From the root of the project. */
  readonly file: string;
  /** Titles of the suites and of the test, as mocha joins them. */
  readonly name: string;
}

export interface Fault {
  readonly id: string;
  readonly fault: string;
  readonly tests?: readonly NamedTest[];
  /** Why it cannot happen to this package, or nothing can be done about it. */
  readonly notHere?: string;
  /** What no test shows yet. */
  readonly open?: string;
  /** What takes longer than a run in CI may: measured by hand, before a release. */
  readonly campaign?: { readonly command: string; readonly shows: string };
}

/** Group → its title. */
export const groups: Readonly<Record<string, string>> = {
  WA: 'Deliveries: who sent them',
  WT: 'Deliveries: on the wire',
  WB: 'Deliveries: what they hold',
  RA: 'Remote API',
  LA: 'Local API',
  UD: 'Discovery',
  TD: 'Time and days',
  AE: 'Admin routes of the editor',
  CL: 'Credentials and logs',
  LC: 'Deploy and end',
  OV: 'Overload',
  ME: 'Memory',
};

export function readCatalogue(): Fault[] {
  return JSON.parse(readFileSync(resolve(projectDir, 'test/faults.json'), 'utf8')) as Fault[];
}

/** The page of the documentation that shows it. */
export function cataloguePage(faults: readonly Fault[]): string {
  const open = faults.filter((fault) => fault.open !== undefined).length;
  const notHere = faults.filter((fault) => fault.notHere !== undefined).length;
  const campaigns = faults.filter((fault) => fault.campaign !== undefined).length;
  const lines = [
    '# Faults',
    '',
    `${faults.length} things that can go wrong, and the test that shows what the package does then. ` +
      `${faults.length - open - notHere} are shown by tests, ${notHere} do not apply, ${open} are open in whole or in part. ` +
      `Of ${campaigns} a part takes longer than CI may and is measured by hand.`,
    '',
    'Made from `test/faults.json` by `npx tsx test/unit/faults/write-page.ts`; a unit test holds that every named test exists, ' +
      'and the last step of `.ci/run` that each of them has passed.',
  ];
  for (const [group, title] of Object.entries(groups)) {
    lines.push('', `## ${title}`, '', '| Id | Fault | Shown by |', '| --- | --- | --- |');
    for (const fault of faults.filter(({ id }) => groupOf(id) === group)) {
      lines.push(`| ${fault.id} | ${cell(fault.fault)} | ${shownBy(fault)} |`);
    }
  }
  return `${lines.join('\n')}\n`;
}

export function groupOf(id: string): string {
  return id.replace(/\d+$/, '');
}

function shownBy({ tests = [], notHere, open, campaign }: Fault): string {
  const byFile = new Map<string, string[]>();
  for (const { file, name } of tests) byFile.set(file, [...(byFile.get(file) ?? []), name]);
  const parts = [...byFile].map(([file, names]) => `\`${file}\`: ${names.map(cell).join('; ')}`);
  if (campaign !== undefined) parts.push(`By hand, \`${campaign.command}\`: ${cell(campaign.shows)}`);
  if (notHere !== undefined) parts.push(`Does not apply: ${cell(notHere)}`);
  if (open !== undefined) parts.push(`**Open:** ${cell(open)}`);
  return parts.join('<br>');
}

function cell(text: string): string {
  return text.replace(/[\\|*_<>[\]`]/g, (mark) => `\\${mark}`);
}

/** The samples of docs/dashboards.md about who can open the dashboard. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

const page = readFileSync(path.resolve(__dirname, '../../../docs/dashboards.md'), 'utf8');

/** The samples below a heading, in order. */
export function dashboardSamples(heading: string): string[] {
  const section = page.split(/^### /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  const samples = [...section.matchAll(/```\S+\n([^]*?)```/g)].map(([, sample = '']) => sample);
  if (samples.length === 0) throw new Error(`docs/dashboards.md has no sample below ${heading}`);
  return samples;
}

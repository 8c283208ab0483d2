/** Code blocks of a documentation page. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectDir } from '../node-red/installed-package';

export interface Snippet {
  /** Heading of its section. */
  readonly heading: string;
  readonly code: string;
}

/**
 * The blocks of any language below a heading such as `## nginx`, in order.
 * @throws {Error} if there is none
 */
export function samplesBelow(file: string, heading: string): string[] {
  const page = readFileSync(path.join(projectDir, file), 'utf8');
  const [level = ''] = heading.split(' ', 1);
  const section = page.split(new RegExp(`^(?=${level} )`, 'm')).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  const samples = [...section.matchAll(/```\S+\n([^]*?)```/g)].map(([, sample = '']) => sample);
  if (samples.length === 0) throw new Error(`${file} has no sample below ${heading}`);
  return samples;
}

/** The blocks of one language, in order. */
export function snippetsOf(page: string, language: string): Snippet[] {
  return page.split(/^## /m).flatMap((section) => {
    const heading = section.split('\n', 1)[0] ?? '';
    const blocks = section.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'));
    return [...blocks].map(([, code = '']) => ({ heading, code }));
  });
}

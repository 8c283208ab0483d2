// Every dashboard of an example or of a page keeps what its visitors send from all others.
import { isProtected } from '../../../nodes/lib/dashboard-base';
import { isRecord, type UnknownRecord } from '../../../src/checks/record';
import { faultAt, filesIn, readText, unless } from './text';

/** The flows in a file: the whole file, or each sample of a page that is a list. */
function flowsIn(file: string): string[] {
  const text = readText(file);
  if (file.endsWith('.json')) return [text];
  return [...text.matchAll(/^```\w*\n(\[[^]*?)^```/gm)].map(([, sample = '']) => sample);
}

function basesIn(file: string): UnknownRecord[] {
  return flowsIn(file).flatMap((text) => {
    const flow: unknown = text.includes('"ui-base"') ? JSON.parse(text) : [];
    return (Array.isArray(flow) ? flow : []).filter(isRecord).filter(({ type }) => type === 'ui-base');
  });
}

export function dashboardsAreProtected(): string[] {
  const files = [...filesIn('examples', '.json'), ...filesIn('docs', '.md')];
  const bases = files.flatMap((file) => basesIn(file).map((base) => ({ file, base })));
  const open = bases.filter(({ base }) => !isProtected(base));
  return [
    ...['examples/', 'docs/'].flatMap((place) =>
      unless(
        bases.some(({ file }) => file.startsWith(place)),
        'README.md',
        '',
        `no flow of ${place} has a dashboard`,
      ),
    ),
    ...open.map(({ file, base }) =>
      faultAt(
        file,
        '"ui-base"',
        `${String(base['id'])}: visitors can change templates for others (acceptsClientConfig, includeClientData)`,
      ),
    ),
  ];
}

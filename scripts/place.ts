// Says where a place of the package is in the source, such as the one that an unexpected error names:
// npx tsx scripts/place.ts lib/chunk-GXICRYF5.js:1:11404 (docs/decisions/few-files.md)
import { SourceMap, type SourceMapPayload } from 'node:module';
import path from 'node:path';
import { runtimeFiles, type RuntimeFile } from './build/runtime';

const root = path.resolve(__dirname, '..');

/** The place in the source; null if there is no such file or place. */
export function sourcePlace(files: readonly RuntimeFile[], place: string): string | null {
  const [, name = '', line, column] = /([\w./-]+\.js):(\d+):(\d+)/.exec(place) ?? [];
  const file = files.find((one) => name !== '' && `/${one.name}`.endsWith(`/${name.replace(/^.*dist\//, '')}`));
  if (file === undefined || file.map === null) return null;
  const found = new SourceMap(JSON.parse(file.map) as SourceMapPayload).findEntry(Number(line) - 1, Number(column) - 1);
  if (!('originalSource' in found)) return null;
  return `${found.originalSource.replace(/^(?:\.\.\/)+/, '')}:${found.originalLine + 1}:${found.originalColumn + 1}`;
}

if (require.main === module) {
  const [place = ''] = process.argv.slice(2);
  void runtimeFiles(root, true).then((files) => {
    const found = sourcePlace(files, place);
    console.log(
      found ?? 'This is no place of the package as the source here makes it. Check out the tag of its version.',
    );
    if (found === null) process.exitCode = 1;
  });
}

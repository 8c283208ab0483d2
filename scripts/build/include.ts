/** Replaces `<!-- include meter.html -->`, alone on a line, by the named file. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Language } from './catalogue';

/** The text of the file with all that it includes from `folder`. */
export function withIncluded(file: string, folder: string): string {
  return readFileSync(file, 'utf8').replace(/^[ \t]*<!-- include ([\w-]+\.html) -->\n/gm, (_line, name: string) =>
    withIncluded(path.join(folder, name), folder),
  );
}

/** The help page of a node type. Its examples are the same in every language, so each is one file of nodes/<type>/help. */
export function helpPage(root: string, type: string, language: Language): string {
  const folder = path.join(root, 'nodes', type);
  return withIncluded(path.join(folder, 'locales', `${language}.html`), path.join(folder, 'help'));
}

// Tests in a table of the documentation: `file` “title”.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { readText, root } from './text';

export interface NamedTest {
  readonly file: string;
  /** Undefined if the whole file is meant. */
  readonly title: string | undefined;
}

export function namedIn(cell: string): NamedTest[] {
  return [...cell.matchAll(/`([^`]+)`(?: “([^”]+)”)?/g)].map(([, file = '', title]) => ({ file, title }));
}

/** True if the file has a test or a group with this title, with or without fault ids in front. */
export function hasTest(file: string, title: string): boolean {
  if (!existsSync(path.join(root, file))) return false;
  const literal = title.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return new RegExp(`\\b(?:it|describe)\\(\\s*(['"\`])(?:[A-Z]{2}\\d+(?:, [A-Z]{2}\\d+)*: )?${literal}\\1`).test(
    readText(file),
  );
}

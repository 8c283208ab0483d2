/** Tests that a table of the documentation names: `file` “title”. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../../..');

export interface NamedTest {
  readonly file: string;
  /** None where the file as a whole is meant. */
  readonly title: string | undefined;
}

export function namedIn(cell: string): NamedTest[] {
  return [...cell.matchAll(/`([^`]+)`(?: “([^”]+)”)?/g)].map(([, file = '', title]) => ({ file, title }));
}

/** Whether the file has a test or a group of this title, with or without the ids of faults in front. */
export function hasTest(file: string, title: string): boolean {
  if (!existsSync(path.join(root, file))) return false;
  const literal = title.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return new RegExp(`\\b(?:it|describe)\\(\\s*(['"\`])(?:[A-Z]{2}\\d+(?:, [A-Z]{2}\\d+)*: )?${literal}\\1`).test(
    readFileSync(path.join(root, file), 'utf8'),
  );
}

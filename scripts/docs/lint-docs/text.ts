// The texts that lint:docs reads, and how it names a fault in one.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const root = path.resolve(__dirname, '../../..');
const changed = new Map<string, string>();

/** @param file relative to the project, as everywhere in this folder */
export function readText(file: string): string {
  return changed.get(file) ?? readFileSync(path.join(root, file), 'utf8');
}

/** The files of a folder and of the folders in it. */
export function filesIn(folder: string, ending: string): string[] {
  const names = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith(ending)).map((name) => `${folder}/${name.replaceAll('\\', '/')}`);
}

/** `docs/fields.md:12: …`, with the first line that has the snippet. */
export function faultAt(file: string, snippet: string, fault: string): string {
  const before = readText(file).split(snippet, 1)[0] ?? '';
  const line = before.length === readText(file).length ? 1 : before.split('\n').length;
  return `${file}:${line}: ${fault}`;
}

/** Nothing if a statement about a file is true. */
export function unless(isTrue: boolean, file: string, snippet: string, fault: string): string[] {
  return isTrue ? [] : [faultAt(file, snippet, fault)];
}

/** Entries that only one of the lists has, in words. */
export function differences(found: readonly string[], wanted: readonly string[], what: string): string[] {
  const missing = wanted.filter((one) => !found.includes(one)).map((one) => `${what} ${one} is missing`);
  return [...missing, ...found.filter((one) => !wanted.includes(one)).map((one) => `${what} ${one} is not known`)];
}

/** A fault in the first line that is not the generated one. */
export function generatedFaults(file: string, made: string, command: string): string[] {
  const [wanted, found] = [made.split('\n'), readText(file).split('\n')];
  const line = Array.from({ length: Math.max(wanted.length, found.length) }).findIndex(
    (_, at) => wanted[at] !== found[at],
  );
  return line < 0 ? [] : [`${file}:${line + 1}: is out of date: npx tsx scripts/docs/${command}`];
}

/** Runs a check as if the file had another text. For tests. */
export function checkWith(file: string, text: string, check: () => string[]): string[] {
  changed.set(file, text);
  try {
    return check();
  } finally {
    changed.delete(file);
  }
}

/** Searches everything that a Node-RED leaves behind for secrets, in every spelling of a log or an address. */
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { NodeRed } from './node-red';

/** Name → spelling; compared case-insensitively. */
function spellingsOf(secret: string): Map<string, string> {
  const bytes = Buffer.from(secret, 'utf8');
  const named = new Map([
    ['as it is', secret],
    ['as JSON', JSON.stringify(secret).slice(1, -1)],
    ['percent-encoded', encodeURIComponent(secret)],
    ['percent-encoded as a whole address', encodeURI(secret)],
    ['percent-encoded twice', encodeURIComponent(encodeURIComponent(secret))],
    ['as a form', new URLSearchParams({ k: secret }).toString().slice(2)],
    ['hex', bytes.toString('hex')],
    ['hex of UTF-16', Buffer.from(secret, 'utf16le').toString('hex')],
    ['as Latin-1', bytes.toString('latin1')],
  ]);
  // Inside a longer text, base64 has three forms; the bytes at its edges also encode their neighbours.
  for (const skip of [0, 1, 2]) {
    const part = bytes.subarray(skip, bytes.length - ((bytes.length - skip) % 3));
    named.set(`base64 from byte ${skip}`, part.toString('base64'));
    named.set(`base64url from byte ${skip}`, part.toString('base64url'));
  }
  return named;
}

/** The names of the spellings in which the text holds the secret. */
export function spellingsIn(text: string, secret: string): string[] {
  const lower = text.toLowerCase();
  return [...spellingsOf(secret)]
    .filter(([, spelling]) => lower.includes(spelling.toLowerCase()))
    .map(([name]) => name);
}

export interface SecretSearch {
  /** The searched places, including empty ones. */
  readonly places: ReadonlyMap<string, string>;
  /** Place and spelling of every find. */
  readonly found: readonly string[];
}

/** Searches the log, every file of the user directory except installed packages, and these pages of the admin API. */
export async function searchForSecrets(
  nodeRed: NodeRed,
  secrets: readonly string[],
  pages: readonly string[] = ['/flows', '/settings', '/nodes', '/diagnostics', '/context/global'],
): Promise<SecretSearch> {
  const places = new Map([['log', nodeRed.log], ...(await textsOf(nodeRed.userDir))]);
  for (const page of pages) places.set(page, await (await nodeRed.admin(page)).text());
  const found = [...places].flatMap(([place, text]) =>
    secrets.flatMap((secret) => spellingsIn(text, secret).map((name) => `${place}: ${name}`)),
  );
  return { places, found };
}

/** The text of each file, by its path. Files that a process renames meanwhile are listed again. */
async function textsOf(dir: string): Promise<[path: string, text: string][]> {
  try {
    return await Promise.all(
      (await filesOf(dir)).map(async (path): Promise<[string, string]> => {
        const bytes = await readFile(path);
        return [relative(dir, path), `${bytes.toString('utf8')}\n${bytes.toString('latin1')}`];
      }),
    );
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return textsOf(dir);
    throw error;
  }
}

async function filesOf(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !relative(dir, path).startsWith('node_modules'));
}

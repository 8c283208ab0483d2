/** Cases that failed once, stored as files. Every campaign runs them first. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { kinds, type HostileCase, type Kind } from './cases';

const folder = join(__dirname, 'regressions');

interface Stored {
  readonly why: string;
  readonly kind: Kind;
  readonly waits: boolean;
  readonly from: string;
  /** Base64. */
  readonly bytes: string;
  readonly body: string | null;
}

export function readRegressions(): { name: string; hostile: HostileCase }[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => {
      const { kind, waits, from, bytes, body } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Stored;
      if (!kinds.includes(kind)) throw new Error(`${name} is of no known kind`);
      const decoded = (text: string): Buffer => Buffer.from(text, 'base64');
      return {
        name,
        hostile: { kind, waits, from, bytes: decoded(bytes), body: body === null ? null : decoded(body) },
      };
    });
}

/** Returns the name of the file. */
export function storeRegression(name: string, { kind, waits, from, bytes, body }: HostileCase, why: string): string {
  const stored: Stored = {
    why,
    kind,
    waits,
    from,
    bytes: bytes.toString('base64'),
    body: body?.toString('base64') ?? null,
  };
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}.json`);
  writeFileSync(file, `${JSON.stringify(stored, null, 2)}\n`);
  return file;
}

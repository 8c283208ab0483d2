/**
 * Which alias selects which I/O. A local list says so; the remote one does not (spec.md, I/O record), and how its port
 * numbers map to the connections behind s01, s02 and s03 is not documented. So the smart meter and its gas meter are told
 * by their type, and for the rest endpoint 3 is asked per alias: its answer names the I/O, and 412 means "not there".
 */
import { CemmError } from '../clients/errors';
import type { IoRecord } from '../wire/answers';

/** The aliases that every remote endpoint takes (spec.md, Aliases of the remote API). */
const REMOTE_ALIASES = ['p1', 'p1-gas', 's01', 's02', 's03'] as const;

const BY_TYPE: ReadonlyMap<string, string> = new Map([
  ['p1', 'p1'],
  ['han', 'han'],
  ['gas', 'p1-gas'],
]);

export interface FoundAliases {
  /** One per record, in the order of the list; null where none selects it. */
  readonly aliases: readonly (string | null)[];
  /** False where an alias could not be asked for the moment: asking again may find more. */
  readonly complete: boolean;
}

/**
 * @param probe the I/Os behind an alias (endpoint 3)
 * @throws CemmError what `probe` rejects with, where that is about the connection and not about the alias
 */
export async function findAliases(
  records: readonly IoRecord[],
  probe: (alias: string) => Promise<readonly IoRecord[]>,
): Promise<FoundAliases> {
  const aliases = records.map(({ alias }) => alias);
  records.forEach(({ type }, index) => {
    const alias = type === null ? undefined : BY_TYPE.get(type);
    if (alias !== undefined && aliases[index] === null && !aliases.includes(alias)) aliases[index] = alias;
  });
  // One after the other: mostly the first or second answer leaves nothing more to ask.
  let complete = true;
  for (const alias of REMOTE_ALIASES) {
    if (!aliases.includes(null)) break;
    if (aliases.includes(alias)) continue;
    const behind = await probeOrSkip(alias, probe);
    if (behind === null) complete = false;
    const found = records.findIndex(
      ({ ioId }, index) =>
        aliases[index] === null && ioId !== null && behind?.some((record) => record.ioId === ioId) === true,
    );
    if (found >= 0) aliases[found] = alias;
  }
  return { aliases, complete };
}

/** Null where the question failed for now. */
async function probeOrSkip(
  alias: string,
  probe: (alias: string) => Promise<readonly IoRecord[]>,
): Promise<readonly IoRecord[] | null> {
  try {
    return await probe(alias);
  } catch (error) {
    if (!(error instanceof CemmError)) throw error;
    if (error.code === 'ALIAS') return [];
    if (error.code === 'AUTH' || error.code === 'CANCELLED' || error.code === 'DEADLINE') throw error;
    return null;
  }
}

/**
 * Which alias selects which I/O. A local list says so; the remote one does not (spec.md, I/O record), and how its port
 * numbers map to the connections behind s01, s02 and s03 is not documented. Only the smart meter is told by its type: of
 * the others, gas meters too, a monitor may have several, so endpoint 3 is asked per alias. Its answer names the I/O, and
 * 412 means "not there". An I/O that no answer names has no alias, and no alias the facts of an I/O that it may not be.
 */
import { CemmError } from '../clients/errors';
import type { IoRecord } from '../wire/answers';

/** The aliases that every remote endpoint takes (spec.md, Aliases of the remote API). */
const REMOTE_ALIASES = ['p1', 'p1-gas', 's01', 's02', 's03'] as const;

/** The smart meter, of which a monitor has one, on a connection of its own. */
const SMART_METERS: readonly string[] = ['p1', 'han'];

const TYPE_OF: ReadonlyMap<string, string> = new Map([
  ['p1', 'p1'],
  ['p1-gas', 'gas'],
]);

/** The I/Os behind each alias that was asked for. */
export type AskedAliases = Map<string, readonly IoRecord[]>;

export interface FoundAliases {
  /** One per record, in the order of the list; null where none selects it. */
  readonly aliases: readonly (string | null)[];
  /** Why an alias could not be asked for the moment, so that asking again may find more; null where all were. */
  readonly unanswered: CemmError | null;
}

/**
 * @param asked what was learned before from the same list; answers are added to it
 * @param probe the I/Os behind an alias (endpoint 3)
 * @throws CemmError what `probe` rejects with, where there is no time to go on
 */
export async function findAliases(
  records: readonly IoRecord[],
  asked: AskedAliases,
  probe: (alias: string) => Promise<readonly IoRecord[]>,
): Promise<FoundAliases> {
  const aliases = records.map(({ alias }) => alias);
  for (const type of SMART_METERS) {
    const [only, ...others] = records.flatMap((record, index) => (record.type === type ? [index] : []));
    if (only !== undefined && others.length === 0 && !aliases.includes(type)) aliases[only] ??= type;
  }
  let unanswered: CemmError | null = null;
  // One after the other: mostly the second or third answer leaves nothing more to ask.
  for (const alias of REMOTE_ALIASES) {
    if (!aliases.includes(null)) break;
    if (aliases.includes(alias)) continue;
    const behind = asked.get(alias) ?? (await probeOrSkip(alias, probe));
    if (behind instanceof CemmError) {
      unanswered ??= behind;
      continue;
    }
    asked.set(alias, behind);
    const ioId = idBehind(alias, behind);
    const found = records.findIndex((record, index) => aliases[index] === null && record.ioId === ioId);
    if (ioId !== null && found >= 0) aliases[found] = alias;
  }
  return { aliases, unanswered };
}

/** The one I/O that the alias selects; null where there is none or the answer leaves it open. */
function idBehind(alias: string, behind: readonly IoRecord[]): number | null {
  const [only, ...others] = behind.length > 1 ? behind.filter(({ type }) => type === TYPE_OF.get(alias)) : behind;
  return only === undefined || others.length > 0 ? null : only.ioId;
}

/** The failure, where the question cannot be answered for now. */
async function probeOrSkip(
  alias: string,
  probe: (alias: string) => Promise<readonly IoRecord[]>,
): Promise<readonly IoRecord[] | CemmError> {
  try {
    return await probe(alias);
  } catch (error) {
    if (!(error instanceof CemmError)) throw error;
    if (error.code === 'ALIAS') return [];
    if (error.code === 'CANCELLED' || error.code === 'DEADLINE') throw error;
    return error;
  }
}

/** Decides which modules that several files share are one file. A bundler makes one for each set of entries that share modules. */
import type { Metafile } from 'esbuild';
import type { MoreImports } from './on-demand';

/**
 * Modules that an entry of the first group shares with others become one file, then those of the second group, and so on:
 * each entry that needs one of the modules imports all of them. Loading a little more at once costs less than more files.
 * @param groups entries, as paths of sources without extension
 */
export function sharedTogether({ outputs }: Metafile, groups: readonly (readonly string[])[]): MoreImports {
  const entriesOf = entriesByModule(outputs);
  const more = new Map<string, string[]>();
  const isPlaced = new Set<string>();
  for (const group of groups) {
    const together = [...entriesOf].filter(
      ([module, entries]) =>
        !isPlaced.has(module) &&
        group.some((entry) => entries.has(entry)) &&
        entries.size > 1 &&
        (group === groups[0] || [...entries].some((entry) => !group.includes(entry))),
    );
    const needing = new Set(together.flatMap(([, entries]) => [...entries]));
    for (const entry of needing) more.set(entry, [...(more.get(entry) ?? []), ...together.map(([module]) => module)]);
    for (const [module] of together) isPlaced.add(module);
  }
  return more;
}

/** Module → the entries that need it. */
function entriesByModule(outputs: Metafile['outputs']): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const [name, { entryPoint }] of Object.entries(outputs)) {
    if (entryPoint === undefined) continue;
    for (const output of reachedFrom(name, outputs)) {
      for (const input of Object.keys(outputs[output]?.inputs ?? {})) {
        const entries = found.get(input) ?? new Set();
        found.set(input, entries.add(entryPoint.replace(/\.ts$/, '')));
      }
    }
  }
  return found;
}

function reachedFrom(name: string, outputs: Metafile['outputs'], seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return seen;
  seen.add(name);
  for (const { path, external } of outputs[name]?.imports ?? []) {
    if (external !== true) reachedFrom(path, outputs, seen);
  }
  return seen;
}

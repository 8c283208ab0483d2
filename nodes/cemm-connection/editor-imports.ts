/**
 * Warns about imported nodes from another version of this package. The editor silently drops unknown properties and fills
 * absent ones with their defaults.
 */
import { watchAddedNodes } from '../lib/editor/added-nodes';
import type { CatalogueText } from '../lib/editor/catalogue';
import type { AnyNode } from '../lib/editor/red';

type Age = 'older' | 'newer';

/** Null for a node of this version, of another package, or one that was not imported. */
function ageOf(node: AnyNode): Age | null {
  const { defaults } = RED.nodes.getType(node.type) ?? {};
  // The properties in the flow file; a node from the palette has none.
  const stored = node['_config'];
  if (!node.type.startsWith('cemm-') || defaults === undefined || typeof stored !== 'object' || stored === null)
    return null;
  const newest = Number(defaults['version']?.value);
  // The first version, 0.1.0, stored none (nodes/lib/stored/migrate.ts). A short node of this version leaves out defaults on purpose.
  const version = Number(Reflect.get(stored, 'version') ?? 1);
  if (version > newest) return 'newer';
  if (version === newest) return null;
  const isPlain = (property: string): boolean => property !== 'version';
  return Object.keys(defaults)
    .filter(isPlain)
    .some((property) => Reflect.get(stored, property) === undefined)
    ? 'older'
    : null;
}

/** Call once. */
export function watchImports(text: CatalogueText): void {
  let imported: Age[] = [];
  const notifyImports = (): void => {
    for (const age of ['newer', 'older'] as const) {
      const count = imported.filter((other) => other === age).length;
      if (count > 0) RED.notify(text(`imported.${age}`, { count }), 'warning');
    }
    imported = [];
  };
  watchAddedNodes((node) => {
    const age = ageOf(node);
    if (age === null) return;
    if (imported.length === 0) setTimeout(notifyImports);
    imported.push(age);
  });
}

/**
 * Brings the stored properties of a node to the version that this package stores. A node without a version is of the first
 * one, 0.1.0. The migrations of a type are in its migrations.ts.
 */
type Properties = Readonly<Record<string, unknown>>;

/** Version → what makes its properties out of those of the version before. Pure; a number is never used again. */
export type Migrations = Readonly<Record<number, (stored: Properties) => Properties>>;

/** What was added in a version, each with the value that stands for what the node did before. */
export function withAdded(added: Properties): (stored: Properties) => Properties {
  return (stored) => ({ ...added, ...present(stored) });
}

/** The editor holds what is not stored as undefined. */
function present(stored: object): Properties {
  return Object.fromEntries(Object.entries(stored).filter(([, value]) => value !== undefined));
}

/** The properties as the newest version has them. Those of a version that is not known yet stay as they are. */
export function migrated<Config extends { readonly version: number }>(
  defaults: Config,
  migrations: Migrations,
  stored: { readonly [property in keyof Config]?: unknown },
): Config & Properties {
  const { version } = stored;
  const from = typeof version === 'number' ? version : 1;
  const steps = Object.entries(migrations).filter(([to]) => Number(to) > from);
  const current = steps.reduce((properties, [, step]) => step(properties), present(stored));
  return { ...defaults, ...current, version: Math.max(from, defaults.version) };
}

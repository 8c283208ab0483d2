/**
 * Migrates the stored properties of a node to the current version. A node without a version has the first one, 0.1.0. The
 * migrations of a type are in its migrations.ts.
 */
type Properties = Readonly<Record<string, unknown>>;

/** Version → function that converts the properties of the version before. Pure; a number is never reused. */
export type Migrations = Readonly<Record<number, (stored: Properties) => Properties>>;

/** Properties that a version added, each with the value that keeps the old behaviour. */
export function withAdded(added: Properties): (stored: Properties) => Properties {
  return (stored) => ({ ...added, ...present(stored) });
}

/** The editor holds absent properties as undefined. */
function present(stored: object): Properties {
  return Object.fromEntries(Object.entries(stored).filter(([, value]) => value !== undefined));
}

/** The properties in the newest version. Properties of a later, unknown version are unchanged. */
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

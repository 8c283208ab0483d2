/**
 * Fills in and migrates the stored properties of a node. A property that is missing has its default: a flow of an older
 * release, or one written by hand, need not have all of them.
 */
type Properties = Readonly<Record<string, unknown>>;

/**
 * Version → function that converts the properties of the version before; for a property that is new, its default suffices. Pure;
 * a number is never reused. A node without a version has the first one, 0.1.0.
 */
export type Migrations = Readonly<Record<number, (stored: Properties) => Properties>>;

/** The editor holds absent properties as undefined; null stands for absent in flows that programs write. */
function dropAbsent(stored: object): Properties {
  return Object.fromEntries(Object.entries(stored).filter(([, value]) => value !== undefined && value !== null));
}

/** The properties in the newest version. Properties of a later, unknown version are unchanged. */
export function migrated<Config extends { readonly version: number }>(
  defaults: Config,
  stored: { readonly [property in keyof Config]?: unknown },
  migrations: Migrations = {},
): Config & Properties {
  const { version } = stored;
  const from = typeof version === 'number' ? version : 1;
  const steps = Object.entries(migrations).filter(([to]) => Number(to) > from);
  const current = steps.reduce((properties, [, step]) => step(properties), dropAbsent(stored));
  return { ...defaults, ...current, version: Math.max(from, defaults.version) };
}

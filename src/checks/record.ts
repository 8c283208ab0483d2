/** The first checks of values from outside. */
export type UnknownRecord = Readonly<Record<string, unknown>>;

/** True for an object with names; false for a list. */
export function isRecord(value: unknown): value is UnknownRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Keeps the type of the entries unknown; `Array.isArray` makes them `any`. */
export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

type MayBeAbsent<Value> = Extract<Value, null | undefined> extends never ? false : true;

/** The same parts; those that may be null or undefined are optional. */
type PresentParts<Parts> = {
  [Name in keyof Parts as MayBeAbsent<Parts[Name]> extends true ? never : Name]: Parts[Name];
} & { [Name in keyof Parts as MayBeAbsent<Parts[Name]> extends true ? Name : never]?: NonNullable<Parts[Name]> };

/** Leaves out the parts that are null or undefined, for objects with optional properties. */
export function presentParts<Parts extends object>(parts: Parts): PresentParts<Parts> {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => !isAbsent(value))) as PresentParts<Parts>;
}

/** A member of a value of any shape; undefined if it has none. */
export function readMember(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}

/** Undefined for a text that is not JSON. */
export function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

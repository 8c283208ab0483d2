/** The check of values from outside that may be objects. */
export type UnknownRecord = Readonly<Record<string, unknown>>;

/** True for an object with names; false for a list. */
export function isRecord(value: unknown): value is UnknownRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

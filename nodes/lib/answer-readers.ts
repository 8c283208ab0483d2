/**
 * Readers of the answers of admin routes. An answer is read member by member, because the server may have another version: unlike the
 * checks in src/checks/shape.ts, a reader leaves out what it cannot read. The type of an answer follows from its reader.
 */
import { readMember } from '../../src/checks/record';

/** Undefined for a value of another form. */
export type Reader<Value> = (value: unknown) => Value | undefined;

export type ReadBy<AnyReader> = AnyReader extends Reader<infer Value> ? Exclude<Value, undefined> : never;

export const text: Reader<string> = (value) => (typeof value === 'string' ? value : undefined);
export const number: Reader<number> = (value) => (typeof value === 'number' ? value : undefined);
export const flag: Reader<boolean> = (value) => value === true;

export function orElse<Value, Other>(reader: Reader<Value>, other: Other): Reader<Value | Other> {
  return (value) => reader(value) ?? other;
}

export function orNull<Value>(reader: Reader<Value>): Reader<Value | null> {
  return orElse(reader, null);
}

export function wordReader<Word extends string>(...words: readonly Word[]): Reader<Word> {
  return (value) => words.find((word) => word === value);
}

/** Entries of another form are left out. */
export function listReader<Value>(reader: Reader<Value>): (value: unknown) => readonly Value[] {
  return (value) => (Array.isArray(value) ? value.flatMap((entry: unknown) => reader(entry) ?? []) : []);
}

type Members = Readonly<Record<string, Reader<unknown>>>;

/** Undefined if a member is. */
export function objectReader<Shape extends Members>(
  shape: Shape,
): Reader<{ readonly [Name in keyof Shape]: ReadBy<Shape[Name]> }> {
  return (value) => {
    const members = Object.entries(shape).map(([name, reader]) => [name, reader(readMember(value, name))] as const);
    if (members.some(([, member]) => member === undefined)) return undefined;
    return Object.fromEntries(members) as { readonly [Name in keyof Shape]: ReadBy<Shape[Name]> };
  };
}

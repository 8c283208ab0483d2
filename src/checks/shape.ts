/** Checks of the shape of an external value, composed of smaller checks. */
import { isRecord } from './record';

export type Check = (value: unknown) => boolean;

export const isNumber: Check = (value) => typeof value === 'number' && Number.isFinite(value);
export const isText: Check = (value) => typeof value === 'string';

/** A list of two numbers, such as a time and a reading. */
export const isPair: Check = (value) => Array.isArray(value) && value.length === 2 && value.every(isNumber);

export const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);

export const orAbsent =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

export const oneOf =
  (...words: readonly string[]): Check =>
  (value) =>
    words.some((word) => word === value);

/** One of the keys: the compiler checks that the table has every word of the type. */
export const oneOfAll = <Word extends string>(words: Readonly<Record<Word, true>>): Check =>
  oneOf(...Object.keys(words));

export const list =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);

/** Checks every value of an object. */
export const each =
  (check: Check): Check =>
  (value) =>
    isRecord(value) && Object.values(value).every(check);

/** Checks the named values of an object; other values are allowed. */
export const shape =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isRecord(value) && Object.entries(checks).every(([name, check]) => check(value[name]));

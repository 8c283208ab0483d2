/**
 * Replaces single texts and numbers. Only known words, dates moved by whole weeks and what known fields hold stay, so nothing
 * personal can stay in a field that nobody thought of.
 */
import { isTimezone } from '../calendar/zone';
import { isInRange } from '../time/date-text';
import type { Field } from './known-fields';
import { StandIns } from './stand-ins';
import { isUnitWord, isVocabulary } from './vocabulary';

/** Replaces the parts of an answer. */
export interface Replacing {
  readonly text: (value: string, field: Field) => string;
  readonly number: (value: number, field: Field) => number;
  readonly flag: (value: boolean, field: Field) => boolean;
  /** Replaces the value of a channel that is not known, or that has no time. */
  readonly amount: (value: number) => number;
  readonly memberName: (name: string, isKnown: boolean) => string;
}

/** Leaves everything as it is. */
export const unchanged: Replacing = {
  text: (value) => value,
  number: (value) => value,
  flag: (value) => value,
  amount: (value) => value,
  memberName: (name) => name,
};

export interface ReplacerOptions {
  /** Milliseconds to add to each date: whole weeks. */
  readonly moveMs: number;
  /** Texts that never stay, such as the API key, even if they are known words. */
  readonly secrets: readonly string[];
}

const versionNames = /^(?:version|core|firmware)$/;
const timeNames = /(?:^|_)(?:time|timestamp|date|at|since|until|start|end|updated|changed|seen)(?:_|$)/;
const idNames = /(?:^|_)(?:id|ids|nr|no|number|serial|cemm|port|address|installation)$/;
const nameNames = /(?:^|_)(?:name|label|title|description|owner|icon)$/;
const secretNames = /token|secret|password|signature|promise/;

const defaultNames = /^CEMM(?: (?:Basic|Plus))?$/;
/** The first of four numbers has one digit: `10.11.12.13` is an address. */
const version = /^(?:\d{1,2}(?:\.\d{1,3}){1,2}|\d(?:\.\d{1,3}){3})$/;
/** The whole text is a date, with or without the time. */
const isoDate = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;
/** Known fields with a number that says nothing about the owner, and its largest value. */
const smallNumbers: ReadonlyMap<string, number> = new Map([
  ['port', 99],
  ['code', 999],
  ['status', 999],
]);

export class Replacer implements Replacing {
  readonly standIns = new StandIns();

  constructor(private readonly options: ReplacerOptions) {}

  readonly text = (value: string, { name, isKnown }: Field): string => {
    if (value === '') return value;
    if (this.isSecret(value) || secretNames.test(name)) return this.standIns.text(value, 'key');
    if (timeNames.test(name) && isoDate.test(value)) return this.movedDate(value);
    if (/^\d{1,15}$/.test(value) && (idNames.test(name) || timeNames.test(name)))
      return String(this.number(Number(value), { name, isKnown }));
    if (isKnown ? isHarmless(value, name) : isVocabulary(value, { numbers: false })) return value;
    return this.standIns.text(value, nameNames.test(name) ? 'name' : name === 'key' ? 'key' : 'text');
  };

  readonly number = (value: number, { name, isKnown }: Field): number => {
    if (value === 0) return value;
    const moved = movedTime(value, name, (time) => time + this.options.moveMs);
    if (moved !== null) return moved;
    if (isKnown && value > 0 && value <= (smallNumbers.get(name) ?? 0) && Number.isInteger(value)) return value;
    if (idNames.test(name)) return this.standIns.number(value, name === 'cemm' ? 'id' : name);
    return this.standIns.number(value, 'number') + 1000;
  };

  readonly flag = (value: boolean, { isKnown }: Field): boolean => isKnown && value;

  /** The sign and the power of ten: 52.4 → 10. */
  readonly amount = (value: number): number => {
    if (value === 0) return value;
    const power = Number(`1e${String(Math.floor(Math.log10(Math.abs(value))))}`);
    return value < 0 ? -power : power;
  };

  readonly memberName = (name: string, isKnown: boolean): string => {
    if (!this.isSecret(name) && isVocabulary(name, { numbers: isKnown })) return name;
    return this.standIns.text(name, 'key');
  };

  private isSecret(text: string): boolean {
    return this.options.secrets.some((secret) => secret !== '' && text.includes(secret));
  }

  private movedDate(text: string): string {
    const day = Date.parse(text.slice(0, 10));
    const moved = new Date(day + this.options.moveMs);
    return !isInRange(day) || Number.isNaN(moved.getTime())
      ? this.standIns.text(text, 'text')
      : moved.toISOString().slice(0, 10) + text.slice(10);
  }
}

/** Unix ms to Unix ms. */
export type MoveTime = (time: number) => number;

/** A time in ms or s in a member with the name of a time; null for any other number. */
export function movedTime(value: number, name: string, move: MoveTime): number | null {
  if (!timeNames.test(name)) return null;
  if (isInRange(value)) return move(value);
  return isInRange(value * 1000) ? Math.round(move(value * 1000) / 1000) : null;
}

function isHarmless(value: string, name: string): boolean {
  if (versionNames.test(name) && version.test(value)) return true;
  if (name === 'timezone') return isTimezone(value);
  if (name === 'name') return defaultNames.test(value);
  return isUnitWord(value) || isVocabulary(value, { numbers: true });
}

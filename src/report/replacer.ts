/**
 * Replaces single texts and numbers. Only known words, dates moved by whole weeks and small numbers stay, so nothing personal can
 * stay in a field that nobody thought of.
 */
import { isTimezone } from '../calendar/zone';
import { isInRange } from '../limits';
import { StandIns } from './stand-ins';
import { isUnit, isVocabulary } from './vocabulary';

/** Replaces the parts of an answer. */
export interface Replacing {
  /** @param name of the member that holds the text, or of the list it is in */
  readonly text: (value: string, name: string) => string;
  readonly number: (value: number, name: string) => number;
  readonly memberName: (name: string) => string;
}

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
const version = /^\d{1,2}(?:\.\d{1,3}){1,3}$/;
const isoDate = /^\d{4}-\d{2}-\d{2}(?=$|[T ])/;
/** Numbers of unknown fields with at most this many digits stay. */
const mostDigits = 3;
const mostPorts = 99;

export class Replacer implements Replacing {
  readonly standIns = new StandIns();

  constructor(private readonly options: ReplacerOptions) {}

  readonly text = (value: string, name: string): string => {
    if (value === '') return value;
    if (this.isSecret(value) || secretNames.test(name)) return this.standIns.text(value, 'key');
    if (timeNames.test(name) && isoDate.test(value)) return this.movedDate(value);
    if (/^\d{1,15}$/.test(value) && (idNames.test(name) || timeNames.test(name)))
      return String(this.number(Number(value), name));
    if (isHarmless(value, name)) return value;
    return this.standIns.text(value, nameNames.test(name) ? 'name' : name === 'key' ? 'key' : 'text');
  };

  readonly number = (value: number, name: string): number => {
    if (value === 0) return value;
    const moved = movedTime(value, name, (time) => time + this.options.moveMs);
    if (moved !== null) return moved;
    if (idNames.test(name)) {
      if (name === 'port' && value > 0 && value <= mostPorts) return value;
      return this.standIns.number(value, name === 'cemm' ? 'id' : name);
    }
    return digitsOf(value) <= mostDigits ? value : this.standIns.number(value, 'number') + 1000;
  };

  readonly memberName = (name: string): string => {
    if (!this.isSecret(name) && isVocabulary(name)) return name;
    return this.standIns.text(name, 'key');
  };

  private isSecret(text: string): boolean {
    return this.options.secrets.some((secret) => secret !== '' && text.includes(secret));
  }

  private movedDate(text: string): string {
    const moved = new Date(Date.parse(text.slice(0, 10)) + this.options.moveMs);
    return Number.isNaN(moved.getTime())
      ? this.standIns.text(text, 'text')
      : moved.toISOString().slice(0, 10) + text.slice(10);
  }
}

/** Unix ms to Unix ms. */
export type MoveTime = (time: number) => number;

/** A time in ms, or in s in a member with the name of a time; null for any other number. */
export function movedTime(value: number, name: string, move: MoveTime): number | null {
  if (isInRange(value)) return move(value);
  return timeNames.test(name) && isInRange(value * 1000) ? Math.round(move(value * 1000) / 1000) : null;
}

function isHarmless(value: string, name: string): boolean {
  if (versionNames.test(name) && version.test(value)) return true;
  if (name === 'timezone') return isTimezone(value);
  if (name === 'name') return defaultNames.test(value);
  return isUnit(value) || isVocabulary(value);
}

function digitsOf(value: number): number {
  return String(value).replace(/\D/g, '').replace(/^0+/, '').length;
}

/** Stand-ins: the same original has the same stand-in in the whole report, and nothing leads back from it. */
import { isIP } from 'node:net';
import { getOrSet } from '../checks/get-or-set';
import { macDigits } from '../checks/limits';

/** Kinds of replaced originals, which the report counts. */
export type Replaced = 'mac' | 'address' | 'name' | 'key' | 'number' | 'text' | 'reading' | 'date';

/** Has the form of a MAC address that no manufacturer assigns (locally administered). */
const firstMac = 0x02_00_00_00_00_00;

export class StandIns {
  private readonly texts = new Map<string, string>();
  private readonly numbers = new Map<string, number>();
  private readonly counts = new Map<string, number>();
  /** Different originals of each kind. */
  readonly replaced = new Map<Replaced, number>();

  /** Keeps the form: a MAC address stays one in its spelling, digits stay digits, and an address stays an address. */
  text(original: string, kind: Replaced): string {
    const mac = macDigits(original);
    if (mac !== null) return spelledLike(original, this.mac(mac));
    return getOrSet(this.texts, original, () => this.newText(original, kind));
  }

  /** Numbers of one kind count from 1. */
  number(original: number, kind: string): number {
    return getOrSet(this.numbers, `${kind} ${original}`, () => {
      this.seen('number');
      return this.next(kind);
    });
  }

  seen(kind: Replaced): void {
    this.replaced.set(kind, (this.replaced.get(kind) ?? 0) + 1);
  }

  private mac(digits: string): string {
    return getOrSet(this.texts, digits, () => {
      this.seen('mac');
      return (firstMac + this.next('mac')).toString(16).padStart(12, '0');
    });
  }

  private newText(original: string, kind: Replaced): string {
    const host = /^(?:https?:\/\/)?([^/]+)/i.exec(original)?.[1] ?? '';
    if (/^https?:\/\//i.test(original)) return this.address(`http://host-${this.next('host')}.invalid/`);
    if (isIP(original) === 4) return this.address(`192.0.2.${this.next('ip')}`);
    if (isIP(original) === 6) return this.address(`2001:db8::${this.next('ip').toString(16)}`);
    if (isIP(host.replace(/:\d+$/, '')) === 4) return this.address(`192.0.2.${this.next('ip')}`);
    this.seen(kind);
    if (/^\d+$/.test(original)) return String(this.next('digits')).padStart(Math.min(original.length, 20), '0');
    if (/^[0-9a-f]{16,}$/i.test(original))
      return this.next('hex').toString(16).padStart(Math.min(original.length, 128), '0');
    return `${kind}-${this.next(kind)}`;
  }

  private address(standIn: string): string {
    this.seen('address');
    return standIn;
  }

  private next(kind: string): number {
    const count = (this.counts.get(kind) ?? 0) + 1;
    this.counts.set(kind, count);
    return count;
  }
}

/** `D8-80-39-46-22-B5` and `020000000001` → `02-00-00-00-00-01`; upper or lower case as the original. */
function spelledLike(original: string, digits: string): string {
  const separator = /[^0-9a-f]/i.exec(original.trim())?.[0] ?? '';
  const joined = digits.replace(/..(?=.)/g, `$&${separator}`);
  return /[A-F]/.test(original) || !/[a-f]/.test(original) ? joined.toUpperCase() : joined;
}

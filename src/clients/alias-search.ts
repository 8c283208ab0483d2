/**
 * Finds the meters of a monitor that does not list its I/Os, by requesting one alias after the other. The 247 Modbus
 * addresses are requested in order until 24 in a row are absent. Found meters are kept; when a user requests the list,
 * the search continues where it stopped.
 */

/** http://developer.cemm.nl/local-open-api/; `emucs-gas` is not documented, but devices use it. */
const fixedAliases: readonly string[] = [
  ...['p1', 'p1-usb', 'emucs', 'emucs-usb', 'han', 'dlms-usb', 'p1-gas', 'emucs-gas'],
  ...['s01', 's02', 's03', 'pulse-1', 'pulse-2', 'pulse-3'],
  'usage',
];
const lastAddress = 247;
/** Meters are usually set up at the first addresses, or from 10 or 20 on. */
const absentRun = 24;
/** Further addresses per request of a user: about ten seconds. */
const moreAddresses = 32;

export interface SearchTurn {
  readonly exists: (alias: string) => Promise<boolean>;
  /** A user requested the list. */
  readonly continueSearch: boolean;
  /** False: returns what is known, and requests the rest the next time. */
  readonly hasTime: () => boolean;
}

export class AliasSearch {
  private readonly found = new Set<string>();
  /** Aliases without an address that are not requested yet. */
  private pending: string[] = [];
  private nextAddress = 1;
  /** Number of absent addresses in a row. */
  private absent = 0;

  /** Adds a meter that was read by its alias. */
  remember(alias: string): void {
    if (fixedAliases.includes(alias) || readModbusAddress(alias) !== null) this.found.add(alias);
  }

  /** Returns the existing aliases. Rejects as `exists` does; the next run then continues there. */
  async run({ exists, continueSearch, hasTime }: SearchTurn): Promise<readonly string[]> {
    // An empty list would mean that the monitor has no meter.
    const mayGoOn = (): boolean => this.found.size === 0 || hasTime();
    for (const alias of [...this.found]) {
      if (mayGoOn() && !(await exists(alias))) this.found.delete(alias);
    }
    if (this.pending.length === 0) this.pending = fixedAliases.filter((alias) => !this.found.has(alias));
    for (let [alias] = this.pending; alias !== undefined && mayGoOn(); [alias] = this.pending) {
      if (await exists(alias)) this.found.add(alias);
      this.pending.shift();
    }
    if (this.pending.length === 0) await this.askAddresses(exists, continueSearch, mayGoOn);
    return [...this.found].sort(byPlace);
  }

  private async askAddresses(
    exists: SearchTurn['exists'],
    continueSearch: boolean,
    mayGoOn: () => boolean,
  ): Promise<void> {
    if (continueSearch && this.nextAddress > lastAddress) {
      this.nextAddress = 1;
      this.absent = 0;
    }
    let more = continueSearch && this.absent >= absentRun ? moreAddresses : 0;
    while (this.nextAddress <= lastAddress && (this.absent < absentRun || more > 0) && mayGoOn()) {
      const alias = `mb${this.nextAddress}`;
      const isThere = this.found.has(alias) || (await exists(alias));
      if (isThere) this.found.add(alias);
      this.absent = isThere ? 0 : this.absent + 1;
      this.nextAddress += 1;
      more -= 1;
    }
  }
}

/** Modbus address, 1 to 247. */
function readModbusAddress(alias: string): number | null {
  const address = Number(/^mb([1-9]\d{0,2})$/.exec(alias)?.[1] ?? NaN);
  return address <= lastAddress ? address : null;
}

/** The order of fixedAliases, then by address. */
function byPlace(one: string, other: string): number {
  return rankAlias(one) - rankAlias(other);
}

function rankAlias(alias: string): number {
  const address = readModbusAddress(alias);
  return address === null ? fixedAliases.indexOf(alias) : fixedAliases.length + address;
}

/** A contract in the fields of the dialog, and as it is stored. */
import { isRecord, parseJsonText } from '../../src/checks/record';

export interface ContractTexts {
  readonly name: string;
  readonly from: string;
  readonly until: string;
  readonly pricesType: 'json' | 'global';
  /** The JSON of the prices, or the name of the global context. */
  readonly prices: string;
}

/** A row of a flow file, also one by hand with an object of prices. */
export function contractTexts(stored: unknown): ContractTexts {
  const row = isRecord(stored) ? stored : {};
  const text = (member: string): string => {
    const value = row[member];
    return typeof value === 'string' ? value : '';
  };
  const { prices } = row;
  return {
    name: text('name'),
    from: text('from'),
    until: text('until'),
    pricesType: row['pricesType'] === 'global' ? 'global' : 'json',
    prices: isRecord(prices) ? JSON.stringify(prices) : text('prices'),
  };
}

/** Null for a row in which nothing is entered. */
export function writtenContract({ name, from, until, pricesType, prices }: ContractTexts): object | null {
  if ([name, from, until, prices].every((text) => text.trim() === '')) return null;
  return {
    name: name.trim(),
    ...(from !== '' && { from }),
    ...(until !== '' && { until }),
    prices,
    ...(pricesType === 'global' && { pricesType }),
  };
}

/** The law ends netting with 2026: it is suggested for a contract of the house that ends or runs in that year. */
export function mayNet({ from, until }: Pick<ContractTexts, 'from' | 'until'>): boolean {
  return (from !== '' || until !== '') && from < '2027' && (until === '' || until >= '2026');
}

/** True if the prices say that export is netted. */
export function isNetting(json: string): boolean {
  const prices = parseJsonText(json);
  return isRecord(prices) && prices['netting'] === true;
}

/** The JSON with netting or without it; the same text if it is so already, or no object. */
export function withNetting(json: string, netted: boolean): string {
  const prices = parseJsonText(json);
  if (!isRecord(prices) || netted === isNetting(json)) return json;
  return JSON.stringify({ ...prices, netting: netted ? true : undefined });
}

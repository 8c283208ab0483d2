/** Prices as a user or a flow gives them: their names, their type, and prices that look like cents. Also runs in a browser. */
import { isRecord } from '../../checks/record';

/** The prices per kWh or m³. Only energy has tariffs. */
export const unitPrices = {
  import: { per: 'kWh', hasTariffs: true },
  export: { per: 'kWh', hasTariffs: true },
  export_fee: { per: 'kWh', hasTariffs: true },
  gas: { per: 'm³', hasTariffs: false },
  water: { per: 'm³', hasTariffs: false },
} as const;
export type UnitPriceName = keyof typeof unitPrices;

export const unitPriceNames = ['import', 'export', 'export_fee', 'gas', 'water'] as const satisfies UnitPriceName[];

/** Amounts that do not depend on use. They may be negative. */
export const fixedPriceNames = ['per_day', 'per_year'] as const;

/** All names that an object of prices may have. */
export const priceNames = ['currency', ...unitPriceNames, ...fixedPriceNames, 'peak', 'netting', 'example'] as const;

/** A code such as `EUR`, or a sign. */
export function isCurrency(currency: unknown): currency is string {
  return typeof currency === 'string' && /^\S{1,8}$/.test(currency);
}

/** One price, or one per tariff. */
export type PriceValueInput = number | { readonly t1: number; readonly t2: number };

export interface PriceEntryInput {
  /** ISO 8601 text, epoch seconds or ms, or a Date; without an offset it is local time. */
  readonly start: string | number | Date;
  /** Exclusive. Absent: valid until the next entry; in a list by the hour or quarter hour for that long at most. */
  readonly end?: string | number | Date | null;
  readonly value: PriceValueInput;
}

/** Each value of a list × `times` + `plus`: for market prices with taxes and the supplier's own charge. */
export interface PriceListInput {
  readonly list: readonly PriceEntryInput[];
  /** Default 1. */
  readonly times?: number | null;
  /** Default 0. */
  readonly plus?: number | null;
  /** `1h`: the mean of each clock hour, for a contract by the hour on a list of quarter hours. */
  readonly every?: '1h' | null;
}

export const mostZones = 50;

/** A price at some hours of some days of some months; what is absent stands for all. */
export interface PriceZoneInput {
  /** Such as `Nov-Mar` or `Jan,Jul`. */
  readonly months?: string | null;
  /** Such as `Mon-Fri,Sun`. */
  readonly days?: string | null;
  /** Such as `17-22` or `17:30-22,22-6`; the end is exclusive. */
  readonly hours?: string | null;
  readonly value: number;
}

/** A price by the clock of the house: the first zone that matches, otherwise `value`, otherwise none. */
export interface ZonedPriceInput {
  readonly value?: number | null;
  /** 1 to 50. */
  readonly zones: readonly PriceZoneInput[];
}

/** The price of gas and water has no tariffs and no zones. */
export type UnitPriceInput = PriceValueInput | readonly PriceEntryInput[] | PriceListInput | ZonedPriceInput;

/** Any other name is an error. An absent price counts as none: that part of the cost is null. */
export interface PricesInput {
  /** Such as `EUR`: 1 to 8 characters. */
  readonly currency: string;
  /** Per kWh from the grid. */
  readonly import?: UnitPriceInput | null;
  /** Per kWh to the grid, as income. */
  readonly export?: UnitPriceInput | null;
  /** Per kWh to the grid, as a cost. */
  readonly export_fee?: UnitPriceInput | null;
  /** Per m³. */
  readonly gas?: UnitPriceInput | null;
  /** Per m³. */
  readonly water?: UnitPriceInput | null;
  readonly per_day?: number | null;
  /** Spread over the days of each calendar year. */
  readonly per_year?: number | null;
  /** The capacity tariff of Flanders: a month costs `per_kw_year` / 12 × its quarter-hour peak, at least `at_least_kw`. */
  readonly peak?: { readonly per_kw_year: number; readonly at_least_kw?: number | null } | null;
  /**
   * For a contract with dates: until the end of 2026, export is subtracted from import in `due`, as in the Netherlands. Default false; without
   * effect in other countries.
   */
  readonly netting?: boolean | null;
  /** True: prices of an example; `cost` repeats it. */
  readonly example?: boolean | null;
}

/** EUR per kWh. A higher price is probably in cents. */
export const mostUsualPrice = 2;

/** The prices per kWh that are higher than usual, such as `import.t1` or `export[3].value`; only of prices in EUR. For a warning. */
export function unusualPrices(input: unknown): string[] {
  if (!isRecord(input) || (input['currency'] !== 'EUR' && input['currency'] !== '€')) return [];
  return unitPriceNames
    .filter((name) => unitPrices[name].per === 'kWh')
    .flatMap((name) => unusualIn(input[name], name, 1, 0));
}

function unusualIn(price: unknown, path: string, times: number, plus: number): string[] {
  if (typeof price === 'number') return Math.abs(price * times + plus) > mostUsualPrice ? [path] : [];
  if (Array.isArray(price)) {
    return price.flatMap((entry: unknown, index) =>
      isRecord(entry) ? unusualIn(entry['value'], `${path}[${index}].value`, times, plus) : [],
    );
  }
  if (!isRecord(price)) return [];
  if ('list' in price) {
    const number = (value: unknown, absent: number): number => (typeof value === 'number' ? value : absent);
    return unusualIn(price['list'], `${path}.list`, number(price['times'], 1), number(price['plus'], 0));
  }
  if (Array.isArray(price['zones'])) {
    const zones: readonly unknown[] = price['zones'];
    return [
      ...unusualIn(price['value'], `${path}.value`, times, plus),
      ...zones.flatMap((zone, index) =>
        unusualIn(isRecord(zone) ? zone['value'] : null, `${path}.zones[${index}].value`, times, plus),
      ),
    ];
  }
  return ['t1', 't2'].flatMap((tariff) => {
    const value = price[tariff];
    return typeof value === 'number' ? unusualIn(value, `${path}.${tariff}`, times, plus) : [];
  });
}

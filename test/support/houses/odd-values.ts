/** Rules 3, 4 and 6: old values, invalid numbers and percentages, and alarms. */
import type { BalancePayload } from '../../../src/model/payload';

/**
 * Rule 3 for this moment: a power with a too old time is not shown.
 * @param timeOf time of the power of each role as reported by the monitor; null: it has none
 */
export function oldIn(
  { values, ts }: BalancePayload,
  timeOf: Readonly<Partial<Record<'grid' | 'production', number | null>>>,
  now: number,
  intervalMs: number,
): string[] {
  const most = Math.max(60_000, 3 * intervalMs);
  const isOld = (time: number | null | undefined): boolean => typeof time === 'number' && now - time > most;
  const broken: string[] = [];
  const shows = (field: string): boolean => (values[field] ?? null) !== null;
  const checkOddFields = (isTooOld: boolean, fields: readonly string[]): void => {
    for (const name of fields) {
      const field = `power_${name}_w`;
      if (isTooOld && shows(field)) broken.push(`rule 3: ${field} is ${values[field] ?? 'null'} and too old`);
    }
  };
  checkOddFields(isOld(timeOf.grid), ['import', 'export', 'house', 'self_consumed']);
  checkOddFields(isOld(timeOf.production), ['production', 'house', 'self_consumed']);
  if (Object.values(values).some((value) => value !== null) && isOld(ts))
    broken.push(`rule 3: powers of ${ts} at ${now}`);
  return broken;
}

const ratios = { self_consumption: 'energy_production_kwh', self_sufficiency: 'energy_house_kwh' } as const;

/** Rule 4, for a payload and for the output of a format. */
export function oddIn(payload: BalancePayload): string[] {
  const broken = oddNumbers(payload);
  for (const [ratio, divisor] of Object.entries(ratios)) {
    const value = payload.values[ratio] ?? null;
    if (value === null) continue;
    if (value < 0 || value > 1) broken.push(`rule 4: ${ratio} is ${value}`);
    const whole = payload.values[divisor] ?? null;
    if (whole === null || whole <= 0) broken.push(`rule 4: ${ratio} is ${value} of ${whole ?? 'nothing'}`);
  }
  return broken;
}

/** Rule 4: no negative zero and no NaN anywhere. */
export function oddNumbers(value: unknown, path = ''): string[] {
  if (typeof value === 'number') {
    if (Object.is(value, -0)) return [`rule 4: ${path} is -0`];
    return Number.isFinite(value) ? [] : [`rule 4: ${path} is ${value}`];
  }
  if (typeof value === 'string') return oddText(value).map((found) => `${found} (${path})`);
  if (Array.isArray(value)) return value.flatMap((entry, index) => oddNumbers(entry, `${path}[${index}]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, entry]) => oddNumbers(entry, `${path}.${name}`));
}

/** Rule 4 for texts. */
export function oddText(text: string): string[] {
  const broken: string[] = [];
  const odd = /NaN|Infinity|undefined|\[object/.exec(text);
  if (odd !== null) broken.push(`rule 4: "${text}" has ${odd[0]}`);
  if (/(?<![\d.,\w-])[-−](?:€ ?)?0(?:[.,]0+)?(?![\d.,:-]*\d)/.test(text))
    broken.push(`rule 4: "${text}" has a negative zero`);
  for (const [, percent = ''] of text.matchAll(/(-?\d+(?:[.,]\d+)?)\s?%/g)) {
    const value = Number(percent.replace(',', '.'));
    if (value < 0 || value > 100) broken.push(`rule 4: "${text}" has ${percent} %`);
  }
  return broken;
}

export interface Alarm {
  readonly name: string;
  readonly at: number;
}

/** Rule 6: each alarm during its fault, and no other. */
export function wrongAlarms(
  sent: readonly Alarm[],
  faults: readonly { readonly name: string; readonly from: number; readonly to: number }[],
): string[] {
  const broken = faults.flatMap(({ name, from, to }) =>
    sent.some((alarm) => alarm.name === name && alarm.at >= from && alarm.at <= to)
      ? []
      : [`rule 6: no alarm ${name} from ${new Date(from).toISOString()} to ${new Date(to).toISOString()}`],
  );
  for (const { name, at } of sent) {
    if (!faults.some((fault) => fault.name === name && at >= fault.from && at <= fault.to)) {
      broken.push(`rule 6: an alarm ${name} at ${new Date(at).toISOString()} without its fault`);
    }
  }
  return broken;
}

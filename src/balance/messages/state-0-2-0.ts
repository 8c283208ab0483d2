/**
 * Reads states of version 0.2.0, which had counters by role. The counter of production was already without the own use, as the net
 * energy is; amounts had the sign of their role. This file goes with version 1.0.
 */
import { isRecord } from '../../checks/record';
import { type BalanceRole } from '../meters/amounts';
import { balanceRoles } from '../meters/choice';
import { counterFields } from '../meters/readings';

/** Null for anything but a state of version 0.2.0. Its parts are unchecked. */
export function readFirstVersion(value: unknown): unknown {
  if (!isRecord(value) || value['version'] !== 1 || !isRecord(value['meters'])) return null;
  const { newest, delivered, peaks, meters } = value;
  const all = Object.entries(meters);
  const grid = all.filter(([, meter]) => isRecord(meter) && meter['role'] === 'grid');
  const converted = all.map(([name, meter]) => {
    const role = isRecord(meter) ? balanceRoles.find((one) => one === meter['role']) : undefined;
    if (!isRecord(meter) || role === undefined) return [name, meter];
    const isOnlyGrid = grid.length === 1 && role === 'grid';
    return [name, { ...convertedMeter(meter, role), ...(isOnlyGrid && peaks !== undefined && { peaks }) }];
  });
  return {
    version: 2,
    newest,
    meters: Object.fromEntries(converted) as unknown,
    ...(delivered !== undefined && { delivered }),
  };
}

function convertedMeter(meter: Readonly<Record<string, unknown>>, role: BalanceRole): object {
  const { title, offersExport, latest, quarters, midnights, breaks, fields } = meter;
  const borders = (list: unknown): unknown => mapped(list, convertedReadings);
  return {
    role,
    offers: [],
    latest: convertedReadings(latest),
    quarters: borders(quarters),
    midnights: borders(midnights),
    ...(title !== undefined && { title }),
    ...(offersExport !== undefined && { offersExport }),
    ...(breaks !== undefined && { breaks: borders(breaks) }),
    fields: isRecord(fields)
      ? Object.fromEntries(
          Object.entries(fields).map(([field, windows]) => {
            const isNegative = role === 'production' && field === 'energy_import_kwh';
            return [field, isNegative ? mapped(windows, (list) => mapped(list, withoutSign)) : windows];
          }),
        )
      : fields,
  };
}

function convertedReadings(readings: unknown): unknown {
  if (!isRecord(readings)) return readings;
  return Object.fromEntries(
    Object.entries(readings).map(([name, reading]) => {
      const [, field = name] = Object.entries(counterFields).find(([counter]) => counter === name) ?? [];
      return [name === 'production' ? 'energy_net_kwh' : field, reading];
    }),
  );
}

/** A window, or counted windows, with the other sign. */
function withoutSign(one: unknown): unknown {
  if (Array.isArray(one)) {
    const [end, amount] = one as unknown[];
    return [end, typeof amount === 'number' ? 0 - amount : amount];
  }
  return isRecord(one) && typeof one['sum'] === 'number' ? { ...one, sum: 0 - one['sum'] } : one;
}

function mapped(value: unknown, convert: (one: unknown) => unknown): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, convert(one)]));
}

/**
 * The faults of the simulator, switched on by name (`--fault NAME`). Several can be active, and they can change while it runs.
 */
export const faults = {
  slow: 'answers after 3 seconds',
  silent: 'accepts the connection and never answers',
  reset: 'resets the connection in the middle of the body',
  truncated: 'ends the JSON in the middle, with a matching length',
  html: 'answers an HTML page with status 200',
  'wrong-monitor': 'another monitor (another MAC) answers at this address',
  'clock-off': 'the monitor believes it is two hours earlier',
  'utc-days': 'the local monitor thinks in UTC: it answers the UTC day, month or year that holds `time`',
  'mostly-missing': 'a day has entries from 08:00 to 08:10 and from 12:00 to 12:05 only',
  'volume-counter': 'series of gas and water in m³ show the counter at each moment, not what was used',
  'promise-forever': 'the remote service answers 202 and never has the data',
  'meter-reset': 'the registers start again at zero at noon of the current day',
  'stuck-register': 'the registers do not move although power flows',
  'missing-minutes': 'some minutes of a day have no entry',
  'old-readings': 'the last meter readings are those of 20:00 yesterday',
  'lagging-meter': 'the meters report their readings every 11 minutes',
  'p1-pulled': 'the P1 cable is pulled: realtime goes on with the last values of p1 and their time',
  'totals-of-today': 'the remote service gives the meter readings of today, whatever day is asked for',
  'single-counter': 'production meters have one counter and offer no second tariff',
  'text-numbers': 'values are texts: "12.5"',
  'null-values': 'values are null, with a time',
  'water-leak': 'water runs all the time, 0.3 litres a minute',
  'rising-standby': 'the household uses 12 W more in each week of its measurements',
  'no-sun': 'the inverters produce nothing on the current day',
  overload: 'the household uses 12 kW more from 18:00 to 18:15',
  'switch-on': 'switch is [0, 1]: a value without a time',
  forbidden: 'the remote service answers 403',
  timeout: 'the remote service answers 408',
  'alias-unsupported': 'the remote service answers 412 for every alias',
  'monitor-forbidden': 'the remote service answers 403 for the last monitor of the key, and lists it',
  'bad-gateway': 'the remote service answers 502',
  'pulse-gas': 'a pulse gas meter (I/O 4; s02 over remote, pulse-3 on the monitor) is listed before all others',
  'no-p1-gas': 'the smart meter has no gas meter',
  'no-io': 'the local monitor has no I/O list (404)',
  'no-access': 'the local role of the monitor is "no access": its public API answers 403',
  'no-public-api': 'a monitor of before 3.0: no public API (404)',
  'no-open-api': 'a CEMM 3.0: no Local Open API (404)',
  'series-by-channel': 'a public delivery has the series of each channel under its name',
  'reserved-name': 'a delivery also has a meter that is called __proto__',
} as const;

export type FaultName = keyof typeof faults;

export function isFaultName(name: string): name is FaultName {
  return Object.hasOwn(faults, name);
}

/** The JSON of a response or delivery, with the faults `text-numbers` and `null-values`. `[0, 0]` is not changed. */
export function stringify(body: unknown, faults: ReadonlySet<FaultName>): string {
  const changed = faults.has('text-numbers') ? String : faults.has('null-values') ? () => null : null;
  if (changed === null) return JSON.stringify(body);
  return JSON.stringify(body, function (this: unknown, key: string, value: unknown) {
    return typeof value === 'number' && isValue(this, key) ? changed(value) : value;
  });
}

/** True for the value of a measurement `[time, value]` and of a value record of a delivery. */
function isValue(holder: unknown, key: string): boolean {
  return Array.isArray(holder) ? holder.length === 2 && key === '1' && holder[0] !== 0 : key === 'value';
}

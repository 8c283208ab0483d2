/** The arguments of the public functions of the simulator. */
import { isIP } from 'node:net';
import { CemmError } from '../errors';
import {
  callback,
  checkArgument,
  checkOptions,
  described,
  either,
  flag,
  type Kind,
  needed,
  object,
  oneOf,
  type OptionTable,
  port,
  text,
  texts,
  wholeNumber,
} from '../checks/options';
import { millis as toMillis, type Millis } from '../time/units';
import { isRecord } from '../checks/record';
import { faults } from './faults';
import type { House } from './house';
import { houses } from './houses';
import type { SimulatedClockOptions } from './simulated-clock';
import type { SimulatorOptions, WebhookOptions } from './simulator';

const number: Kind = {
  expected: 'a number',
  accepts: (value) => typeof value === 'number' && Number.isFinite(value),
};
const notNegative: Kind = {
  expected: 'a number from 0',
  accepts: (value) => number.accepts(value) && Number(value) >= 0,
};
const faultNames = oneOf(Object.keys(faults));
const list: Kind = { expected: 'a list of objects', accepts: (value) => Array.isArray(value) && value.every(isRecord) };

const ofSimulator: OptionTable<SimulatorOptions> = {
  localPort: port,
  remotePort: port,
  udpPort: port,
  timezone: text,
  apiKey: text,
  address: { expected: 'an IP address', accepts: (value) => typeof value === 'string' && isIP(value) !== 0 },
  house: { ...either(oneOf(Object.keys(houses)), object), words: Object.keys(houses), type: 'string' },
  clock: {
    expected: 'a clock of createSimulatedClock()',
    accepts: (value) => isRecord(value) && typeof value['now'] === 'function',
  },
  seed: number,
  since: described(number, 'a number: Unix ms'),
  monitors: wholeNumber(1, 10_000),
  promiseMs: notNegative,
  promiseRenews: flag,
  promiseBody: oneOf(['string', 'number', 'object', 'empty']),
  monotonic: callback,
  dsmr: oneOf([4, 5]),
  modbus: wholeNumber(1, 247),
  webhook: described(object, "an object, such as { url: 'http://127.0.0.1:1880/cemm' }"),
  faults: {
    expected: 'a list of names of faults',
    accepts: (value) => Array.isArray(value) && value.every((name) => faultNames.accepts(name)),
  },
  log: callback,
};

const ofWebhook: OptionTable<WebhookOptions> = {
  hmacKey: text,
  headers: texts,
  everySeconds: number,
  topics: texts,
  publicRequest: text,
  url: needed(text),
  count: { expected: 'a number', accepts: (value) => typeof value === 'number' },
  type: oneOf(['post', 'public']),
};

const ofClock: OptionTable<SimulatedClockOptions> = {
  start: described(number, 'a number: Unix ms'),
  speed: notNegative,
};

const ofHouse: Pick<OptionTable<House>, 'about' | 'meters' | 'events'> = {
  about: needed(text),
  meters: list,
  events: list,
};

/** @throws {CemmError} CONFIG `option_missing`, `option_type`, `option_unknown` */
export function checkSimulatorOptions(options: SimulatorOptions): void {
  checkOptions('CONFIG', options, ofSimulator);
  if (options.webhook !== undefined) checkOptions('CONFIG', options.webhook, ofWebhook, 'webhook');
  if (isRecord(options.house)) {
    for (const [name, kind] of Object.entries(ofHouse))
      checkArgument('CONFIG', `house.${name}`, options.house[name], kind);
  }
}

/** @throws {CemmError} CONFIG `option_type`, `option_unknown` */
export function checkClockOptions(options: SimulatedClockOptions): void {
  checkOptions('CONFIG', options, ofClock);
}

/** @throws {CemmError} CONFIG `option_missing`, `option_type` */
export function checkNumber(name: string, value: unknown): void {
  checkArgument('CONFIG', name, value, needed(number));
}

/** @throws {CemmError} CONFIG `option_missing`, `option_type` */
export function checkLocalTime(value: unknown): void {
  const isTime = (time: unknown): boolean => typeof time === 'string' && /^\d{1,2}:\d{2}$/.test(time);
  checkArgument('CONFIG', 'localTime', value, needed({ expected: "a time, such as '18:00'", accepts: isTime }));
}

/**
 * Marks a number as Unix milliseconds.
 * @throws {CemmError} CONFIG `option_missing`, `option_type`
 */
export function millis(value: number): Millis {
  checkNumber('value', value);
  return toMillis(value);
}

/** A RangeError of a part says what to write. */
export function optionError(error: unknown): unknown {
  if (!(error instanceof RangeError)) return error;
  return new CemmError('CONFIG', { reason: 'simulator', params: { sentence: error.message } });
}

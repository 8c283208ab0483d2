/** Parses the command line of `cemm-simulator` into validated options. */
import { readFileSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import { parseArgs } from 'node:util';
import { parseDate } from '../calendar/dates';
import { CalendarError, isTimezone } from '../calendar/zone';
import { presentParts } from '../checks/record';
import type { Millis } from '../time/units';
import { createSimulatedClock } from './simulated-clock';
import { isFaultName, type FaultName } from './faults';
import { defaultTimezone, type House } from './house';
import { chooseHouse } from './houses';
import type { SimulatorOptions, WebhookOptions } from './simulator';
import type { StartReplayOptions } from './start-replay';
import { CommandLineError } from '../report/cli-options';
import { readReport, ReportError } from '../report/read-report';
import type { ReplayOptions } from './replayed-monitor';
import { checkWebhook } from './webhook-call';

export type Command =
  | { readonly kind: 'help' }
  | { readonly kind: 'run'; readonly options: SimulatorOptions }
  | { readonly kind: 'replay'; readonly options: Omit<StartReplayOptions, 'log'> };

const definitions = {
  'local-port': { type: 'string' },
  'remote-port': { type: 'string' },
  'udp-port': { type: 'string' },
  address: { type: 'string' },
  house: { type: 'string' },
  replay: { type: 'string' },
  today: { type: 'boolean' },
  timezone: { type: 'string' },
  now: { type: 'string' },
  speed: { type: 'string' },
  seed: { type: 'string' },
  dsmr: { type: 'string' },
  modbus: { type: 'string' },
  monitors: { type: 'string' },
  'api-key': { type: 'string' },
  promise: { type: 'string' },
  webhook: { type: 'string' },
  'webhook-type': { type: 'string' },
  'webhook-request': { type: 'string' },
  'hmac-key': { type: 'string' },
  header: { type: 'string', multiple: true },
  every: { type: 'string' },
  count: { type: 'string' },
  fault: { type: 'string', multiple: true },
  help: { type: 'boolean', short: 'h' },
} as const;

type OptionValues = ReturnType<typeof parseArgs<{ options: typeof definitions }>>['values'];

/** @throws {CommandLineError} */
export function parseCommandLine(args: readonly string[]): Command {
  const values = split(args);
  if (values.help) return { kind: 'help' };
  const house = checked(() => chooseHouse(values.house));
  const timezone = zoneOf(values.timezone ?? house.timezone ?? defaultTimezone);
  const speed = number(values.speed, '--speed', 0, 86_400) ?? 1;
  const webhook = webhookOf(values, house);
  const ports = {
    localPort: whole(values['local-port'], '--local-port', 0, 65_535),
    remotePort: whole(values['remote-port'], '--remote-port', 0, 65_535),
    udpPort: whole(values['udp-port'], '--udp-port', 0, 65_535),
  };
  const served = Object.values(ports).some((port) => port !== undefined);
  if (!served && !webhook) {
    throw new CommandLineError('Nothing to do: give --local-port, --remote-port, --udp-port or --webhook.');
  }
  if (webhook && speed === 0 && ports.localPort === undefined) {
    throw new CommandLineError(
      'A frozen clock sends no webhook by itself: add --local-port and POST /webhook/run-now there, or raise --speed.',
    );
  }
  const clock = createSimulatedClock(presentParts({ start: parseNow(values.now, timezone), speed }));
  const common = presentParts({
    ...ports,
    address: parseAddress(values.address),
    apiKey: parseApiKey(values['api-key']),
  });
  const replay = replayOf(values);
  if (replay !== null) return { kind: 'replay', options: presentParts({ ...common, ...replay, clock, webhook }) };
  return {
    kind: 'run',
    options: presentParts({
      ...common,
      house: values.house === undefined ? undefined : house,
      timezone,
      clock,
      seed: whole(values.seed, '--seed', 0, Number.MAX_SAFE_INTEGER),
      monitors: whole(values.monitors, '--monitors', 1, 100),
      promiseMs: whole(values.promise, '--promise', 0, 3_600_000),
      modbus: whole(values.modbus, '--modbus', 1, 247),
      dsmr: choice(values.dsmr, '--dsmr', { 4: 4, 5: 5 } as const),
      webhook,
      faults: (values.fault ?? []).map(faultOf),
    }),
  };
}

function replayOf({ replay, today = false }: OptionValues): ReplayOptions | null {
  if (replay !== undefined) return { report: readFile(replay), toNow: today };
  if (today) throw new CommandLineError('--today is about a report: add --replay FILE.');
  return null;
}

function readFile(file: string): ReplayOptions['report'] {
  try {
    return readReport(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new CommandLineError(error instanceof ReportError ? error.message : 'The file of --replay cannot be read.');
  }
}

function split(args: readonly string[]): OptionValues {
  try {
    return parseArgs({ args: [...args], options: definitions, strict: true, allowPositionals: false }).values;
  } catch (error) {
    throw new CommandLineError(`${parseFailure(error, args)} See cemm-simulator --help.`);
  }
}

/** Sentences of this package, because those of parseArgs quote the arguments, which can be keys. */
function parseFailure(error: unknown, args: readonly string[]): string {
  const code = error instanceof TypeError && 'code' in error ? error.code : null;
  const names: readonly string[] = Object.keys(definitions);
  const typed = args.filter((arg) => /^--[a-z-]+(=|$)/.test(arg)).map((arg) => arg.slice(2).split('=', 1)[0] ?? '');
  const unknown = typed.find((name) => !names.includes(name));
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' && unknown) return `There is no option --${unknown}.`;
  if (code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL') return 'Every value needs its option in front of it.';
  if (code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE') {
    return 'An option lacks its value; write --name=value where the value begins with a dash.';
  }
  return 'The options cannot be read.';
}

const webhookOptions = ['webhook-type', 'webhook-request', 'hmac-key', 'header', 'every', 'count'] as const;

function webhookOf(values: OptionValues, house: House): WebhookOptions | undefined {
  const kind = values['webhook-type'] ?? values['webhook-request'];
  if (values.replay !== undefined && kind !== undefined) {
    throw new CommandLineError(
      'The deliveries of a report are of the kind that was recorded: leave --webhook-type out.',
    );
  }
  if (values.webhook === undefined) {
    const lonely = webhookOptions.find((name) => name in values);
    if (lonely) throw new CommandLineError(`--${lonely} is about a webhook: add --webhook URL.`);
    return undefined;
  }
  const webhook: WebhookOptions = presentParts({
    url: values.webhook,
    hmacKey: values['hmac-key'],
    headers: values.header,
    everySeconds: whole(values.every, '--every', 1, 86_400),
    count: whole(values.count, '--count', 1, Number.MAX_SAFE_INTEGER),
    type: choice(values['webhook-type'], '--webhook-type', { post: 'post', public: 'public' } as const),
    publicRequest: values['webhook-request'],
  });
  checked(() => checkWebhook(webhook, house));
  return webhook;
}

/** A RangeError says what to write. */
function checked<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (error instanceof RangeError) throw new CommandLineError(error.message);
    throw error;
  }
}

function zoneOf(text: string): string {
  if (isTimezone(text)) return text;
  throw new CommandLineError('--timezone must be an IANA zone, such as Europe/Amsterdam.');
}

/** A time without an offset is in the time zone of the simulator. */
function parseNow(text: string | undefined, zone: string): Millis | undefined {
  if (text === undefined) return undefined;
  try {
    return parseDate(text, zone);
  } catch (error) {
    if (!(error instanceof CalendarError)) throw error;
  }
  throw new CommandLineError('--now must be a date and time of 2010 to 2099, such as 2026-10-25T12:00:00Z.');
}

function parseAddress(text: string | undefined): string | undefined {
  if (text === undefined || isIPv4(text)) return text;
  throw new CommandLineError('--address must be an IPv4 address of this machine, such as 127.0.0.1.');
}

function parseApiKey(text: string | undefined): string | undefined {
  if (text === '') throw new CommandLineError('--api-key must not be empty: leave it out for the key demo.');
  return text;
}

function faultOf(name: string): FaultName {
  if (isFaultName(name)) return name;
  throw new CommandLineError('There is no fault of that name: cemm-simulator --help lists them.');
}

function number(text: string | undefined, option: string, least: number, most: number): number | undefined {
  if (text === undefined) return undefined;
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : NaN;
  if (value >= least && value <= most) return value;
  throw new CommandLineError(`${option} must be a number from ${least} to ${most}.`);
}

function whole(text: string | undefined, option: string, least: number, most: number): number | undefined {
  const value = number(text, option, least, most);
  if (value === undefined || Number.isInteger(value)) return value;
  throw new CommandLineError(`${option} must be a whole number.`);
}

function choice<T>(text: string | undefined, option: string, choices: Readonly<Record<string, T>>): T | undefined {
  if (text === undefined) return undefined;
  const chosen = Object.hasOwn(choices, text) ? choices[text] : undefined;
  if (chosen !== undefined) return chosen;
  throw new CommandLineError(`${option} must be ${Object.keys(choices).join(' or ')}.`);
}

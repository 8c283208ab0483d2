/** Parses the command line of `cemm-report` into a connection and a file. */
import { parseArgs } from 'node:util';
import { isTimezone } from '../calendar/zone';
import type { CheckedConnection } from '../diagnostics/check-target';
import { toMonitorId } from '../protocol/mac';

export interface ReportCommand {
  /** A connection, or a port at which deliveries are recorded. */
  readonly target: CheckedConnection | Listening;
  readonly timezone: string;
  readonly withDays: boolean;
  /** `-` is standard output. */
  readonly output: string;
}

interface Listening {
  readonly mode: 'webhook';
  readonly port: number;
  readonly address: string;
}

/** The command line is invalid. The message says what to write, and does not quote values, which can be keys. */
export class CommandLineError extends Error {
  override readonly name = 'CommandLineError';
}

const options = {
  host: { type: 'string' },
  generation: { type: 'string' },
  mac: { type: 'string' },
  'base-url': { type: 'string' },
  listen: { type: 'string' },
  address: { type: 'string' },
  timezone: { type: 'string' },
  days: { type: 'boolean' },
  'allow-loopback': { type: 'boolean' },
  output: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];

/**
 * @returns `help` for `--help`
 * @throws {CommandLineError}
 */
export function parseReportCommand(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): ReportCommand | 'help' {
  const values = split(args);
  if (values.help === true) return 'help';
  const { timezone = 'Europe/Amsterdam', days = false, output } = values;
  if (!isTimezone(timezone)) throw new CommandLineError('--timezone must be an IANA zone, such as Europe/Amsterdam.');
  if (output === undefined || output === '') throw new CommandLineError('Add --output FILE.');
  return { target: targetOf(values, env), timezone, withDays: days, output };
}

/** A sentence of the library with the options of this command instead of its own: `allowLoopback` is --allow-loopback. */
export function replaceOptionNames(sentence: string): string {
  return sentence.replace(/`([A-Za-z]+)`/g, (quoted, name: string) => {
    const option = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    return Object.hasOwn(options, option) ? `--${option}` : quoted;
  });
}

function split(args: readonly string[]): Values {
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values;
  } catch {
    throw new CommandLineError('The options cannot be read. See cemm-report --help.');
  }
}

function targetOf(values: Values, env: Readonly<Record<string, string | undefined>>): ReportCommand['target'] {
  const { host, mac, listen, generation = '2' } = values;
  const baseUrl = values['base-url'];
  if ([host, baseUrl, listen].filter((way) => way !== undefined).length !== 1)
    throw new CommandLineError('Give one of --host, --base-url and --listen.');
  if (listen !== undefined) return { mode: 'webhook', port: portOf(listen), address: values.address ?? '0.0.0.0' };
  if (host === undefined) return { mode: 'remote', baseUrl: baseUrl ?? '', apiKey: readApiKey(env) };
  if (generation !== '2' && generation !== '3') throw new CommandLineError('--generation must be 2 or 3.');
  const monitor = toMonitorId(mac);
  if (mac !== undefined && monitor === null) throw new CommandLineError('--mac must be a MAC address.');
  const mode = generation === '3' ? 'public' : 'local';
  return { mode, host, mac: monitor, allowLoopback: values['allow-loopback'] === true };
}

function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (port <= 65_535) return port;
  throw new CommandLineError('--listen must be a port from 0 to 65535.');
}

function readApiKey({ CEMM_API_KEY: key = '' }: Readonly<Record<string, string | undefined>>): string {
  if (key.trim() !== '') return key;
  throw new CommandLineError('Put the API key into the environment variable CEMM_API_KEY.');
}

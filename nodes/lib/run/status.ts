/** Statuses of a node: colour, shape and text in one table, shortened, and shown at most twice a second. */
import type { NodeStatus } from 'node-red';
import type { CemmError } from '../../../src/errors';
import type { AvailabilityPayload, RealtimePayload } from '../../../src/model/payload';
import { faultField } from './fault-field';
import type { TextParams, Translate } from './translate';

export const mostStatusCharacters = 32;
const statusPauseMs = 500;

export interface StatusLine {
  show(status: NodeStatus): void;
  /** Clears the status that the editor still shows from before the deploy, unless this line has shown one. Delays no other status. */
  clear(): void;
  /** No status is sent after this. */
  close(): void;
}

export function createStatusLine(set: (status: NodeStatus) => void): StatusLine {
  let shown = '';
  let next: NodeStatus | null = null;
  let timer: NodeJS.Timeout | null = null;
  let closed = false;

  function release(): void {
    timer = null;
    if (next === null) return;
    const status = next;
    next = null;
    put(status);
  }

  function put(status: NodeStatus): void {
    const text = JSON.stringify(status);
    if (text === shown) return;
    shown = text;
    set(status);
    timer = setTimeout(release, statusPauseMs);
  }

  return {
    show(status) {
      if (closed) return;
      const short = shorten(status);
      if (timer === null) put(short);
      else next = short;
    },
    clear() {
      if (!closed && shown === '') set({});
    },
    close() {
      closed = true;
      next = null;
      if (timer !== null) clearTimeout(timer);
      timer = null;
    },
  };
}

function shorten(status: NodeStatus): NodeStatus {
  const characters = Array.from(status.text ?? '');
  if (characters.length <= mostStatusCharacters) return status;
  return { ...status, text: `${characters.slice(0, mostStatusCharacters - 1).join('')}…` };
}

const states = {
  idle: {},
  connecting: { fill: 'yellow', shape: 'ring' },
  asking: { fill: 'blue', shape: 'ring' },
  reading: { fill: 'green', shape: 'dot' },
  progress: { fill: 'blue', shape: 'dot' },
  sent: { fill: 'green', shape: 'dot' },
  period: { fill: 'green', shape: 'dot' },
  up_to_date: { fill: 'green', shape: 'ring' },
  stopped: { fill: 'grey', shape: 'ring' },
  other_shard: { fill: 'grey', shape: 'ring' },
  offline: { fill: 'red', shape: 'ring' },
  stale: { fill: 'yellow', shape: 'ring' },
} as const satisfies Record<string, NodeStatus>;

type StateName = keyof typeof states;

/** A state with its text; `idle` clears the status. */
export function stateStatus(state: StateName, translate: Translate, words: TextParams = {}): NodeStatus {
  if (state === 'idle') return {};
  return { ...states[state], text: translate(`status.${state}`, words) ?? state };
}

/** `12 / 31`, the same in every language. */
export function progressStatus(done: number, all: number): NodeStatus {
  return { ...states.progress, text: `${done} / ${all}` };
}

/** Number of messages, all sent, and the time. */
export function finishedStatus(all: number, at: number, timezone: string): NodeStatus {
  return { ...states.sent, text: `${all} / ${all} · ${clockTime(at, timezone)}` };
}

/** The field with the problem, or the kind of failure in a few words. The error itself contains the sentence. */
export function errorStatus(error: CemmError, translate: Translate): NodeStatus {
  if (error.code === 'CANCELLED') return stateStatus('stopped', translate);
  const fill = error.retryable ? ('yellow' as const) : ('red' as const);
  const exact = error.reason === null ? null : translate(`status.${error.code}_${error.reason}`, error.params);
  const field = exact === null ? faultField(error, translate) : null;
  const text = exact ?? (field === null ? null : translate('status.field', { field }));
  return { fill, shape: 'ring', text: text ?? translate(`status.${error.code}`) ?? error.code };
}

/** Null if it is online. */
export function availabilityStatus(
  { state, since }: Pick<AvailabilityPayload, 'state' | 'since'>,
  timezone: string,
  translate: Translate,
): NodeStatus | null {
  return state === 'online' ? null : stateStatus(state, translate, { time: clockTime(since, timezone) });
}

/** Current reading in a readable unit, and its time. */
function readingStatus(payload: RealtimePayload, timezone: string, translate: Translate): NodeStatus {
  const text = [headline(payload, translate), clockTime(payload.ts, timezone)].filter(Boolean).join(' · ');
  return { ...states.reading, text: withName(payload.meter.name, text) };
}

/** A long name is cut, so that the reading stays. */
function withName(name: string | undefined, text: string): string {
  if (name === undefined || name.trim() === '') return text;
  const most = mostStatusCharacters - Array.from(text).length - 2;
  const characters = Array.from(name);
  const short = characters.length <= most ? name : `${characters.slice(0, Math.max(1, most - 1)).join('')}…`;
  return `${short}: ${text}`;
}

/** Number of meters, if a response has several. */
export function readingsStatus(
  payloads: readonly RealtimePayload[],
  timezone: string,
  translate: Translate,
): NodeStatus {
  const [first] = payloads;
  if (first === undefined) return stateStatus('up_to_date', translate);
  if (payloads.length === 1) return readingStatus(first, timezone, translate);
  const grid = payloads.find((payload) => payload.meter.role === 'grid') ?? first;
  const count = translate('status.meters', { count: payloads.length }) ?? `${payloads.length}`;
  return { ...states.reading, text: `${headline(grid, translate)} · ${count}` };
}

function headline({ values, meter }: RealtimePayload, translate: Translate): string {
  const shown = numbersIn(translate);
  const kilowatts = (key: string, watts: number): string =>
    translate(`status.${key}`, { power: shown(watts / 1000, 2) }) ?? `${key} ${shown(watts / 1000, 2)} kW`;

  const { power_w: power, power_import_w: imported, power_export_w: exported, power_battery_w: stored } = values;
  if (isMeasuredValue(exported) && exported > 0) return kilowatts('export', exported);
  if (isMeasuredValue(imported)) return kilowatts('import', imported);
  if (isMeasuredValue(stored)) return kilowatts('battery', stored);
  if (isMeasuredValue(power)) return kilowatts(meter.role === 'production' ? 'solar' : 'power', power);
  const volume = values['gas_m3'] ?? values['water_m3'] ?? values['volume_m3'];
  return isMeasuredValue(volume) ? `${shown(volume, 3)} m³` : '';
}

/** Numbers as the language of the node writes them. */
export function numbersIn(translate: Translate): (value: number, digits: number) => string {
  return (value, digits) => numberFormat(translate('status.numbers') ?? 'en-US', digits).format(value);
}

/** Cached: creating one takes longer than all other work for a reading. */
const formats = new Map<string, Intl.NumberFormat>();

function numberFormat(language: string, digits: number): Intl.NumberFormat {
  const key = `${language} ${digits}`;
  const format =
    formats.get(key) ??
    new Intl.NumberFormat(language, {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
      // An inverter uses a few watts at night: 0.00 kW, not -0.00 kW.
      signDisplay: 'negative',
    });
  formats.set(key, format);
  return format;
}

function isMeasuredValue(value: number | null | undefined): value is number {
  return typeof value === 'number';
}

/**
 * Does not use the calendar, which Node-RED would load at its start with this file. An invalid time zone counts as the machine's own.
 */
export function clockTime(ms: number, timezone: string): string {
  const format = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  try {
    return new Intl.DateTimeFormat('en-GB', { ...format, timeZone: timezone }).format(ms);
  } catch {
    return new Intl.DateTimeFormat('en-GB', format).format(ms);
  }
}

/** The period of the response. */
export function periodStatus(label: string, translate: Translate): NodeStatus {
  return stateStatus('period', translate, { period: label });
}

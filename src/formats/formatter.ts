import type { Payload } from '../model/payload';
import { createChart } from './chart';
import { birthOf, createHomeAssistant } from './home-assistant';
import { influxOf } from './influx';
import { readPayload } from './read-payload';
import { rowsOf } from './rows';
import { senmlOf } from './senml';
import { valuesOf } from './values';

/** One message that leaves a format. What is not named here the node takes from the message that came in. */
export interface Formatted {
  readonly topic: string;
  readonly payload: unknown;
  /** Chart only: what Dashboard 2 does with the points that are there already. */
  readonly action?: 'replace' | 'append';
  /** Home Assistant only: for a core `mqtt out` node. */
  readonly retain?: true;
  readonly qos?: 1;
}

/**
 * Why a payload cannot become what a destination wants. `INPUT`: what came in is not (whole) what this package sends;
 * `UNSUPPORTED`: it is, but the format has no place for it.
 */
const SENTENCES = {
  INPUT: {
    not_a_payload: 'not a payload of this package',
    other_version: 'a payload of another version than cemm/1',
    no_monitor: 'the payload names neither a monitor nor an installation',
  },
  UNSUPPORTED: {
    nothing_measured: 'a found monitor or meter has no values',
    many_points: 'a series has many points and no single value',
    unknown_delivery: 'nothing of the delivery could be interpreted',
    not_current: 'only current values can be sent there',
    not_a_state: 'a refused or missed delivery is no state of a monitor',
  },
} as const;

export type FormatErrorCode = keyof typeof SENTENCES;
export type FormatErrorReason = { [Code in FormatErrorCode]: keyof (typeof SENTENCES)[Code] }[FormatErrorCode];

/** Thrown by this folder, and nothing else is. */
export class FormatError extends Error {
  override readonly name = 'FormatError';

  private constructor(
    readonly code: FormatErrorCode,
    readonly reason: FormatErrorReason,
    sentence: string,
    /** Values for the sentence in the user's language. */
    readonly params: Readonly<Record<string, string>>,
  ) {
    super(sentence);
  }

  /** The message or its payload is at fault. */
  static input(reason: keyof (typeof SENTENCES)['INPUT'], params: Readonly<Record<string, string>> = {}): FormatError {
    return new FormatError('INPUT', reason, SENTENCES.INPUT[reason], params);
  }

  /** The format has no place for it. */
  static unsupported(
    reason: keyof (typeof SENTENCES)['UNSUPPORTED'],
    params: Readonly<Record<string, string>> = {},
  ): FormatError {
    return new FormatError('UNSUPPORTED', reason, SENTENCES.UNSUPPORTED[reason], params);
  }
}

// The six formats behind one call.

export type FormatName = 'values' | 'rows' | 'chart' | 'influx' | 'senml' | 'homeassistant';

/** The parts of a Node-RED message that a format looks at. */
export interface FormatInput {
  readonly payload: unknown;
  readonly topic?: unknown;
  /** Place in a sequence; its `index` is read. */
  readonly parts?: unknown;
}

/** What leaves, in order; nothing where there is nothing to say. @throws FormatError */
export type Formatter = (message: FormatInput) => Formatted[];

/** `chart` and `homeassistant` remember what they sent, so every node needs a formatter of its own. */
export function createFormatter(format: FormatName): Formatter {
  return formatters[format]();
}

const formatters: Readonly<Record<FormatName, () => Formatter>> = {
  values: plain(valuesOf),
  rows: plain(rowsOf),
  influx: plain(influxOf),
  senml: plain(senmlOf),
  chart: () => {
    const chart = createChart();
    return ({ payload, parts }) => chart(readPayload(payload), positionIn(parts)).map(ownCopy);
  },
  homeassistant: () => {
    const homeAssistant = createHomeAssistant();
    return (message) => {
      const birth = birthOf({ payload: message.payload, topic: message.topic });
      if (birth === 'offline') return [];
      const messages = birth === null ? homeAssistant.payload(readPayload(message.payload)) : homeAssistant.announced();
      return messages.map(ownCopy);
    };
  },
};

function plain(format: (payload: Payload) => Formatted[]): () => Formatter {
  return () => (message) => format(readPayload(message.payload));
}

/** A flow may change what it gets; what is remembered must not change with it. */
function ownCopy(message: Formatted): Formatted {
  return structuredClone(message);
}

function positionIn(parts: unknown): number {
  const index: unknown = typeof parts === 'object' && parts !== null ? Reflect.get(parts, 'index') : undefined;
  return typeof index === 'number' ? index : 0;
}

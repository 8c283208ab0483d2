/** The six formats behind one call. */
import type { Payload } from '../model/payload';
import { createChart } from './chart';
import type { Formatted } from './formatted';
import { birthOf, createHomeAssistant } from './home-assistant';
import { influxOf } from './influx';
import { readPayload } from './read-payload';
import { rowsOf } from './rows';
import { senmlOf } from './senml';
import { valuesOf } from './values';

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

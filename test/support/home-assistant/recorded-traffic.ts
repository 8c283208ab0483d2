/** Answers of Home Assistant's websocket, to compare the real one with the one of the long tests. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isRecord, type UnknownRecord } from '../../../src/checks/record';
import { CommandSocket } from '../real-home-assistant/websocket';

export const recordedFile = path.resolve(__dirname, '../../recorded/home-assistant-websocket.json');

/** Commands that node-red-contrib-home-assistant-websocket sends when it connects, and the fields of the result that are compared. */
const startRequests: readonly (readonly [request: UnknownRecord, fields: readonly string[]])[] = [
  [{ type: 'auth/current_user' }, ['id', 'name', 'is_owner', 'is_admin', 'credentials', 'mfa_modules']],
  [{ type: 'get_config' }, ['components', 'state', 'version', 'time_zone']],
  [{ type: 'get_services' }, ['homeassistant']],
  ...['area', 'device', 'entity', 'floor', 'label'].map(
    (name) => [{ type: `config/${name}_registry/list` }, []] as const,
  ),
  [{ type: 'subscribe_events', event_type: 'nothing_of_this_name' }, []],
  [{ type: 'subscribe_entities' }, []],
  // After it, several messages can come at once.
  [{ type: 'supported_features', features: { coalesce_messages: 1 } }, []],
];

const [id, other] = ['cemm:02e21e370000_energy_import_kwh', 'cemm:02e21e370000_gas_m3'];

const energy = {
  mean_type: 0,
  has_sum: true,
  name: 'CEMM Import',
  source: 'cemm',
  statistic_id: id,
  unit_class: 'energy',
  unit_of_measurement: 'kWh',
};
const gas = { ...energy, name: 'CEMM Gas', statistic_id: other, unit_class: 'volume', unit_of_measurement: 'm³' };
const cost = { ...energy, statistic_id: 'cemm:cost', unit_class: null, unit_of_measurement: 'EUR' };

const hour = (number: number, sum: number): UnknownRecord => {
  return { start: new Date(Date.UTC(2025, 0, 1, number)).toISOString(), state: 1000 + sum, sum };
};
const imports = (metadata: UnknownRecord, ...stats: UnknownRecord[]): UnknownRecord => {
  return { type: 'recorder/import_statistics', metadata, stats };
};
const asks = (fields: UnknownRecord = {}): UnknownRecord => ({
  type: 'recorder/statistics_during_period',
  statistic_ids: [id],
  period: 'hour',
  types: ['sum'],
  start_time: '2025-01-01T00:00:00Z',
  end_time: '2025-01-02T00:00:00Z',
  ...fields,
});

const statisticsRequests: readonly UnknownRecord[] = [
  asks(),
  imports(energy, hour(0, 0.25), hour(1, 0.5), hour(3, 1.75)),
  asks(),
  // From the first moment, and up to the last one.
  asks({ start_time: '2025-01-01T01:00:00Z', end_time: '2025-01-01T03:00:00Z' }),
  asks({ start_time: '2025-01-01T02:30:00+01:00', end_time: '2025-01-01T05:30:00+01:00' }),
  // The same hour again, and one before it.
  imports(energy, hour(3, 2.5), hour(2, 1)),
  asks(),
  imports(energy),
  imports(gas, hour(0, 0.25)),
  imports(cost, hour(0, 0.25)),
  asks({ statistic_ids: [id, other, 'cemm:unknown'] }),
  asks({ statistic_ids: ['cemm:unknown'] }),
  { type: 'recorder/clear_statistics', statistic_ids: [other, 'cemm:unknown'] },
  asks({ statistic_ids: [id, other, 'cemm:cost'] }),
];

interface Exchange {
  readonly request: UnknownRecord;
  readonly result: unknown;
}

/** The results of `statisticsRequests`, and the forms of those of `startRequests`. */
export interface Traffic {
  readonly start: readonly Exchange[];
  readonly statistics: readonly Exchange[];
}

export function recordedTraffic(): unknown {
  return JSON.parse(readFileSync(recordedFile, 'utf8'));
}

/** @param stored is called before each question, until what was imported before it is there */
export async function trafficOf(url: string, token: string, stored: () => Promise<void>): Promise<Traffic> {
  const socket = await CommandSocket.connect(url, token);
  const ask = ({ type, ...fields }: UnknownRecord): Promise<unknown> => socket.command(String(type), fields);
  const statistics: Exchange[] = [];
  for (const request of statisticsRequests) {
    if (request['type'] === 'recorder/statistics_during_period') await stored();
    statistics.push({ request, result: await ask(request) });
  }
  const start: Exchange[] = [];
  for (const [request, fields] of startRequests) start.push({ request, result: formOf(await ask(request), fields) });
  socket.close();
  return { start, statistics };
}

/** One exchange a line. */
export function asText({ start, statistics }: Traffic): string {
  const lines = (list: readonly unknown[]): string => `[\n${list.map((one) => JSON.stringify(one)).join(',\n')}\n]`;
  return `{\n"start": ${lines(start)},\n"statistics": ${lines(statistics)}\n}\n`;
}

/** The kinds of these fields of a result. */
function formOf(result: unknown, fields: readonly string[]): unknown {
  if (!isRecord(result)) return nameJsonType(result);
  return Object.fromEntries(fields.map((field) => [field, nameJsonType(result[field])]));
}

function nameJsonType(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value;
}

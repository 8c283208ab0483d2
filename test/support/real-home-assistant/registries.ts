/** What Home Assistant knows of devices, entities and their states. */
import { isRecord, type UnknownRecord } from '../../../src/checks/record';
import type { RealHomeAssistant } from './real-home-assistant';

/** A list of objects from Home Assistant. */
export function recordsOf(answer: unknown): UnknownRecord[] {
  return Array.isArray(answer) ? answer.filter(isRecord) : [];
}

export async function ourDevices(homeAssistant: RealHomeAssistant, manufacturer: string): Promise<UnknownRecord[]> {
  const all = recordsOf(await homeAssistant.command('config/device_registry/list'));
  return all.filter((device) => device['manufacturer'] === manufacturer);
}

/** Entities of an integration: unique id → what the registry has. */
export async function entitiesOf(
  homeAssistant: RealHomeAssistant,
  platform: string,
): Promise<Map<string, UnknownRecord>> {
  const all = recordsOf(await homeAssistant.command('config/entity_registry/list'));
  const ids = all.filter((one) => one['platform'] === platform).map(({ entity_id: id }) => String(id));
  // The list is short: the options of an entity, such as its precision, are only in its own entry.
  const entries = await homeAssistant.command('config/entity_registry/get_entries', { entity_ids: ids });
  const found = isRecord(entries) ? Object.values(entries).filter(isRecord) : [];
  return new Map(found.map((entity) => [String(entity['unique_id']), entity]));
}

/** Entity id → state with its attributes. */
export async function statesOf(homeAssistant: RealHomeAssistant): Promise<Map<string, UnknownRecord>> {
  const all = recordsOf(await homeAssistant.command('get_states'));
  return new Map(all.map((state) => [String(state['entity_id']), state]));
}

export async function stateOf(homeAssistant: RealHomeAssistant, entityId: string): Promise<string | null> {
  const state = (await statesOf(homeAssistant)).get(entityId)?.['state'];
  return typeof state === 'string' ? state : null;
}

/** As a user who presses Submit in each step of *Add integration*: one list of answers a step. */
export async function addIntegration(
  homeAssistant: RealHomeAssistant,
  handler: string,
  steps: readonly UnknownRecord[],
): Promise<string> {
  const path = '/api/config/config_entries/flow';
  let answer = await homeAssistant.request(path, { handler, show_advanced_options: false });
  for (const step of steps) {
    if (!isRecord(answer)) break;
    answer = await homeAssistant.request(`${path}/${String(answer['flow_id'])}`, step);
  }
  if (!isRecord(answer) || !isRecord(answer['result'])) throw new Error(`${handler}: ${JSON.stringify(answer)}`);
  return String(answer['result']['entry_id']);
}

/** Enables every entity of an integration. Home Assistant sets the integration up again half a minute later. */
export async function enableAll(homeAssistant: RealHomeAssistant, platform: string): Promise<void> {
  for (const { entity_id, disabled_by } of (await entitiesOf(homeAssistant, platform)).values()) {
    if (disabled_by === null) continue;
    await homeAssistant.command('config/entity_registry/update', { entity_id, disabled_by: null });
  }
}

/** Diagnostic data of the device in Home Assistant: time and delay of the last values, and a button that requests them. */
import type { DeliveryInfo, SourceInfo } from '../../model/payload';
import type { ChosenFields } from '../chosen-fields';
import type { ComponentOf, HaButton, HaContext, HaMoment, HaSensor } from './discovery';
import { entityId } from './names';
import { haTopics, plainName } from './topics';

export interface Contact {
  /** Unix ms. */
  readonly at: number;
  /** Duration of a request, or age of a delivery, in ms. */
  readonly delayMs: number | null;
}

/** Shortest time between two messages of a time that changes with each message. */
export const contactPauseMs = 60_000;

/** Properties that a flow may have removed from the payload. */
interface Told {
  readonly source?: Partial<SourceInfo>;
  readonly delivery?: Partial<DeliveryInfo>;
}

export function contactOf({ source, delivery }: Told): Contact | null {
  if (source?.fetchedAt === undefined) return null;
  return { at: source.fetchedAt, delayMs: delivery?.ageMs ?? source.latencyMs ?? null };
}

/** The state on the topic `contact`. */
export function contactState({ at, delayMs }: Contact): object {
  return { last_contact: new Date(at).toISOString(), ...(delayMs !== null && { delay_ms: delayMs }) };
}

/** Key in `components` → configuration. Both are available while the monitor is not. */
export function contactSensors(fields: ChosenFields): ReadonlyMap<string, ComponentOf> {
  const all: readonly (readonly [string, ComponentOf])[] = [
    ['last_contact', lastContact],
    ['delay_ms', delaySensor(fields !== null)],
  ];
  return new Map(all.filter(([field]) => fields === null || fields.has(field)));
}

const lastContact: ComponentOf = (context): HaMoment => ({
  platform: 'sensor',
  ...sameOf(context, 'sensor', 'last_contact'),
  entity_category: 'diagnostic',
  device_class: 'timestamp',
  state_topic: haTopics(context.monitor).contact,
  value_template: "{{ value_json['last_contact'] }}",
});

/** It changes with each message, so it is hidden at first. */
function delaySensor(isShown: boolean): ComponentOf {
  return (context): HaSensor => ({
    platform: 'sensor',
    ...sameOf(context, 'sensor', 'delay_ms'),
    entity_category: 'diagnostic',
    device_class: 'duration',
    state_class: 'measurement',
    unit_of_measurement: 'ms',
    suggested_display_precision: 0,
    ...(!isShown && { enabled_by_default: false }),
    state_topic: haTopics(context.monitor).contact,
    value_template: "{{ value_json['delay_ms'] | default('') }}",
  });
}

/** Message for a flow on the topic `fetch`. The button also works while the monitor is offline. */
export const fetchButton: ComponentOf = (context): HaButton => ({
  platform: 'button',
  ...sameOf(context, 'button', 'fetch'),
  command_topic: haTopics(context.monitor).fetch,
  payload_press: 'fetch',
  qos: 1,
});

function sameOf(
  { monitor, device, names }: HaContext,
  platform: 'sensor' | 'button',
  word: 'last_contact' | 'delay_ms' | 'fetch',
): Pick<HaButton, 'unique_id' | 'name' | 'default_entity_id'> {
  return {
    unique_id: `cemm_${plainName(monitor)}_${word}`,
    name: names.word(word),
    default_entity_id: entityId(platform, device, word.replace('_ms', '')),
  };
}

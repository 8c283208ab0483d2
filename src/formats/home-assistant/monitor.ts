/**
 * The messages that were sent about one monitor: its device with all sensors, availability, and the last states. A message is
 * sent when its content changes.
 */
import { createHash } from 'node:crypto';
import { findFieldKind } from '../../model/fields';
import type { AvailabilityPayload, MonitorInfo } from '../../model/payload';
import type { ChosenFields } from '../chosen-fields';
import { type DataPoint, dataPointName } from '../data-points';
import type { HomeAssistantMessage } from '../formatted';
import type { HouseState } from './balance';
import { type Contact, contactPauseMs, contactSensors, contactState, fetchButton } from './contact';
import { type ComponentOf, deviceName, discoveryOf, type HaContext, sensorKey, sensorOf } from './discovery';
import { isEnabled } from './enabled';
import type { HaNames } from './names';
import { type KnownDataPoint, SentValues } from './sent-values';
import { haTopics, plainName } from './topics';

/** Per monitor. A monitor has some tens of fields, and brokers reject very large discovery messages. */
const mostSensors = 500;
/** For names of meters and values: the limit of a removal, and more than the name of any monitor. */
const longestName = 128;

type State = 'online' | 'offline';

/** Properties of a payload besides its values. */
export interface About {
  readonly info: MonitorInfo;
  /** Meter → name that a user chose. */
  readonly labels: ReadonlyMap<string, string>;
  readonly contact: Contact | null;
  /** True if a node read it now, at an interval of seconds. */
  readonly isLive: boolean;
}

export interface HomeAssistantOptions {
  /** Fields that become sensors; null: all. Availability is always sent. */
  readonly fields: ChosenFields;
  readonly names: HaNames;
  /** Seconds without a message after which sensors of realtime values become unavailable; null: never. */
  readonly expireAfter: number | null;
  /** Announces a button; the flow handles its messages. */
  readonly fetchButton: boolean;
}

/** Stores the sent messages of one monitor, so that only changes are sent. */
export class HaMonitor {
  private info: MonitorInfo = { id: null };
  private readonly sensors = new Map<string, ComponentOf>();
  /** Keys of the sent components, the newest first. */
  private order: readonly string[] = [];
  /** Hash of the last discovery message. */
  private announced = '';
  /** True if nothing that the message depends on has changed since. */
  private isAnnounced = false;
  private readonly labels = new Map<string, string>();
  /** At most `mostSensors`. Data of further meters are ignored, because their names may be invented. */
  private readonly meters = new Set<string>();
  /** State topics of nodes that read at their own interval. */
  private readonly live = new Set<string>();
  private contactAt = -Infinity;
  private readonly availability = new Map<string, State>();
  /** Grid meter → time of its last power, while it sends no new one. */
  private readonly stale = new Map<string, number>();
  private readonly sent = new SentValues();
  /** Topic → the last state message. */
  private readonly states = new Map<string, HomeAssistantMessage>();
  /** Topic → time of the last state of the house. */
  private readonly houseTimes = new Map<string, number>();

  constructor(
    private readonly id: string,
    private readonly options: HomeAssistantOptions,
  ) {}

  /** Discovery if it has changed, then changes of availability, then one state per meter. */
  readings(about: About, named: readonly string[], dataPoints: readonly DataPoint[]): HomeAssistantMessage[] {
    const topics = haTopics(this.id);
    const meters = named.filter((meter) => this.takes(meter));
    const known = dataPoints.filter(isKnownPoint).filter((point) => this.meters.has(point.meter));
    const fresh = this.sent.listFresh(known, (point) => this.learn(point, dataPoints));
    if (about.isLive) for (const meter of meters) this.note(this.live, topics.state(meter));
    return [
      ...this.discovery(about),
      ...this.changeAvailability(topics.availability, 'online'),
      ...meters.flatMap((meter) =>
        this.isStale(meter, dataPoints) ? [] : this.changeAvailability(topics.meterAvailability(meter), 'online'),
      ),
      ...this.contact(about.contact),
      ...meters.flatMap((meter) =>
        this.state(
          meter,
          fresh.filter((point) => point.meter === meter),
        ),
      ),
    ];
  }

  /** Sent even without a change. If a meter is online, its monitor is online, too. */
  available(meter: string | null, reported: AvailabilityPayload['state'], since: number): HomeAssistantMessage[] {
    const { availability, meterAvailability } = haTopics(this.id);
    const state = reported === 'online' ? reported : 'offline';
    if (meter !== null && !this.takes(meter)) return [];
    if (meter !== null && reported === 'stale') this.stale.set(meter, since);
    else this.stale.delete(meter ?? '');
    if (meter === null) return this.changeAvailability(availability, state, true);
    return [
      ...(state === 'online' ? this.changeAvailability(availability, state) : []),
      ...this.changeAvailability(meterAvailability(meter), state, true),
    ];
  }

  /** A meter that answers may still have no new power. */
  private isStale(meter: string, dataPoints: readonly DataPoint[]): boolean {
    const since = this.stale.get(meter);
    if (since === undefined) return false;
    const isNew = dataPoints.some(
      (point) => point.meter === meter && isGridPower(point) && point.value !== null && point.ts > since,
    );
    if (isNew) this.stale.delete(meter);
    return !isNew;
  }

  /** Discovery if it has changed, then the state. Nothing for a balance that is older than the previous one. */
  house(about: About, { part, topic, ts, sensors, isAnswering, state }: HouseState): HomeAssistantMessage[] {
    if (ts < (this.houseTimes.get(topic) ?? -Infinity)) return [];
    this.houseTimes.set(topic, ts);
    for (const [key, sensor] of sensors) this.add(key, sensor);
    if (part === 'now') this.note(this.live, topic);
    const { availability } = haTopics(this.id);
    const messages = [
      ...this.discovery(about),
      // A balance may be of readings from before an outage, so it never ends one.
      ...(isAnswering && !this.availability.has(availability) ? this.changeAvailability(availability, 'online') : []),
      ...this.contact(about.contact),
    ];
    // A field without any value has no sensor.
    if (sensors.size === 0 && !this.states.has(topic)) return messages;
    const message = retained({ topic, payload: state });
    this.states.set(topic, message);
    return [...messages, message];
  }

  /** Repeats all messages, for Home Assistant after its start. */
  allMessages(): HomeAssistantMessage[] {
    return [
      ...(this.announced === '' ? [] : [this.announcement()]),
      ...[...this.availability].map(([topic, payload]) => retained({ topic, payload })),
      ...this.states.values(),
    ];
  }

  /** The topics of all messages that were sent and retained. */
  topics(): string[] {
    return [...this.availability.keys(), ...this.states.keys()];
  }

  /** Number of stored sensors and meters. */
  get size(): number {
    return this.sensors.size + this.meters.size;
  }

  private takes(meter: string): boolean {
    if (this.meters.has(meter)) return true;
    if (this.sensors.size >= mostSensors || this.meters.size >= mostSensors || meter.length > longestName) return false;
    this.meters.add(meter);
    return true;
  }

  /** False if the limit of sensors is reached. */
  private learn(point: KnownDataPoint, together: readonly DataPoint[]): boolean {
    const key = sensorKey(point.meter, point);
    if (this.sensors.has(key)) return true;
    if (point.field.length > longestName || this.sensors.size >= mostSensors) return false;
    const hasGasOf = (meter: string): boolean => this.sensors.has(sensorKey(meter, { field: 'gas_m3', topic: null }));
    const isShown = this.options.fields !== null || isEnabled(point.meter, point, together, hasGasOf);
    this.add(key, sensorOf(point.meter, point, isShown));
    return true;
  }

  private add(key: string, sensor: ComponentOf): void {
    if (!this.sensors.has(key) && this.sensors.size >= mostSensors) return;
    this.sensors.set(key, sensor);
    this.isAnnounced = false;
  }

  private note(topics: Set<string>, topic: string): void {
    if (topics.has(topic)) return;
    topics.add(topic);
    this.isAnnounced = false;
  }

  private discovery({ info, labels }: About): HomeAssistantMessage[] {
    // A delivery has fewer properties of the monitor than its local interface, so both are merged.
    const merged = { ...this.info, ...info };
    if (JSON.stringify(merged) !== JSON.stringify(this.info)) this.isAnnounced = false;
    this.info = merged;
    for (const [meter, label] of labels) {
      if (this.labels.get(meter) === label || !this.meters.has(meter)) continue;
      this.labels.set(meter, label);
      this.isAnnounced = false;
    }
    if (this.sensors.size === 0 || this.isAnnounced) return [];
    this.isAnnounced = true;
    const message = this.announcement();
    const hash = createHash('sha256').update(JSON.stringify(message.payload)).digest('base64');
    if (hash === this.announced) return [];
    this.announced = hash;
    return [message];
  }

  private announcement(): HomeAssistantMessage {
    const { fields, names, expireAfter } = this.options;
    const labels = [...this.labels.values()];
    const context: HaContext = {
      monitor: this.id,
      device: deviceName(this.id, this.info),
      names,
      labelOf: (meter) => {
        const label = this.labels.get(meter);
        // Two meters with the same name could not be distinguished.
        return label === undefined || labels.filter((other) => other === label).length > 1 ? meter : label;
      },
      expiry: (topic) => (expireAfter === null || !this.live.has(topic) ? {} : { expire_after: expireAfter }),
    };
    const components = new Map([
      ...this.sensors,
      ...contactSensors(fields),
      ...(this.options.fetchButton ? ([['fetch', fetchButton]] as const) : []),
    ]);
    const described = this.newestFirst(components).map(([key, componentOf]) => [key, componentOf(context)] as const);
    return retained(discoveryOf(this.id, this.info, Object.fromEntries(described)));
  }

  /**
   * The components that were not in the previous message come first. Home Assistant skips every component that follows one that it is
   * still setting up (`async_discovery_message_received` in `homeassistant/components/mqtt/discovery.py` of 2026.11), so a new sensor
   * behind a known one would be missing until its next start.
   */
  private newestFirst(components: ReadonlyMap<string, ComponentOf>): (readonly [string, ComponentOf])[] {
    const known = new Set(this.order);
    this.order = [...[...components.keys()].filter((key) => !known.has(key)), ...this.order];
    return this.order.flatMap((key) => {
      const component = components.get(key);
      return component === undefined ? [] : [[key, component] as const];
    });
  }

  private contact(contact: Contact | null): HomeAssistantMessage[] {
    const isDue = contact !== null && Math.abs(contact.at - this.contactAt) >= contactPauseMs;
    if (!isDue || this.sensors.size === 0 || contactSensors(this.options.fields).size === 0) return [];
    this.contactAt = contact.at;
    const message = retained({ topic: haTopics(this.id).contact, payload: contactState(contact) });
    this.states.set(message.topic, message);
    return [message];
  }

  private changeAvailability(topic: string, state: State, always = false): HomeAssistantMessage[] {
    if (!always && this.availability.get(topic) === state) return [];
    this.availability.set(topic, state);
    return [retained({ topic, payload: state })];
  }

  private state(meter: string, dataPoints: readonly KnownDataPoint[]): HomeAssistantMessage[] {
    const values = new Map(dataPoints.map((point) => [plainName(dataPointName(point)), point.value]));
    if (values.size === 0) return [];
    const message = retained({ topic: haTopics(this.id).state(meter), payload: Object.fromEntries(values) });
    this.states.set(message.topic, message);
    return [message];
  }
}

/** The power of the house remains up to date with that of the inverters. */
function isGridPower({ field }: DataPoint): boolean {
  return findFieldKind(field) === 'power' && field !== 'home_power_w';
}

function isKnownPoint(point: DataPoint): point is KnownDataPoint {
  return point.value !== null && point.meter !== null;
}

/** Retained, because Home Assistant subscribes to a state after it has read the discovery message. */
export function retained({ topic, payload }: Pick<HomeAssistantMessage, 'topic' | 'payload'>): HomeAssistantMessage {
  return { topic, payload, retain: true, qos: 1 };
}

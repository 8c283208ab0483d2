/**
 * Format `homeassistant`: messages for an `mqtt out` node without topic, QoS and retain. Per monitor: a discovery message if
 * a field has a value for the first time, a property of the device changes or Home Assistant starts; then availability; then
 * one state per meter.
 */
import { compareReadings } from '../model/totals';
import type { MonitorInfo, Payload } from '../model/payload';
import { type ChosenFields, isChosen } from './chosen-fields';
import { type DataPoint, dataPointName, dataPointsOf, requiredOrigin } from './data-points';
import { FormatError, type Formatted } from './formatter';
import { type HouseState, houseStateOf } from './home-assistant-balance';
import { isEnabled } from './home-assistant-enabled';
import { discoveryOf, type HaSensor, haTopics, plainName, sensorKey, sensorOf } from './home-assistant-discovery';
import { meterName } from '../model/identity';

/** Per monitor. A monitor has some tens of fields; brokers reject very large discovery messages. */
const mostSensors = 500;

type State = 'online' | 'offline';
interface KnownDataPoint extends DataPoint {
  readonly meter: string;
  readonly value: number;
}

interface SentState {
  readonly ts: number;
  readonly value: number;
}

/** What was sent about one monitor, so that only changes are sent. */
class HaMonitor {
  private info: MonitorInfo = { id: null };
  private readonly sensors = new Map<string, HaSensor>();
  private announced = '';
  private readonly availability = new Map<string, State>();
  /** Meter → field → what was sent last. */
  private readonly sent = new Map<string, Map<string, SentState>>();
  /** Topic → the last state message. */
  private readonly states = new Map<string, Formatted>();
  /** Topic → moment of the last state of the house. */
  private readonly houseTimes = new Map<string, number>();

  /** @param areChosen the user chose the fields, so all of them are shown at first */
  constructor(
    private readonly id: string,
    private readonly areChosen: boolean,
  ) {}

  /** Discovery if it has changed, then changes of availability, then one state per meter. */
  readings(info: MonitorInfo, meters: readonly string[], dataPoints: readonly DataPoint[]): Formatted[] {
    const fresh = this.freshOf(dataPoints);
    for (const point of fresh) this.learn(point, dataPoints);
    return [
      ...this.discovery(info),
      ...this.change(haTopics(this.id).availability, 'online'),
      ...meters.flatMap((meter) => this.change(haTopics(this.id).meterAvailability(meter), 'online')),
      ...meters.flatMap((meter) =>
        this.state(
          meter,
          fresh.filter((point) => point.meter === meter),
        ),
      ),
    ];
  }

  /** Sent even if it has not changed. If a meter is online, its monitor is, too. */
  available(meter: string | null, state: State): Formatted[] {
    const { availability, meterAvailability } = haTopics(this.id);
    if (meter === null) return this.change(availability, state, true);
    return [
      ...(state === 'online' ? this.change(availability, state) : []),
      ...this.change(meterAvailability(meter), state, true),
    ];
  }

  /** Discovery if it has changed, then the state. Nothing for a balance that is older than the last one. */
  house(info: MonitorInfo, { topic, ts, sensors, state }: HouseState): Formatted[] {
    if (ts < (this.houseTimes.get(topic) ?? -Infinity)) return [];
    this.houseTimes.set(topic, ts);
    for (const [key, sensor] of sensors) {
      if (this.sensors.has(key) || this.sensors.size < mostSensors) this.sensors.set(key, sensor);
    }
    const discovery = this.discovery(info);
    // A field that never had a value has no sensor.
    if (sensors.size === 0 && !this.states.has(topic)) return discovery;
    const message = retained({ topic, payload: state });
    this.states.set(topic, message);
    return [...discovery, message];
  }

  /** All messages again, for Home Assistant after its start. */
  allMessages(): Formatted[] {
    return [
      ...(this.announced === '' ? [] : [retained(discoveryOf(this.id, this.info, this.sensors))]),
      ...[...this.availability].map(([topic, payload]) => retained({ topic, payload })),
      ...this.states.values(),
    ];
  }

  private learn(point: KnownDataPoint, together: readonly DataPoint[]): void {
    const key = sensorKey(point.meter, point);
    if (this.sensors.has(key) || this.sensors.size >= mostSensors) return;
    const hasGasOf = (meter: string): boolean => this.sensors.has(sensorKey(meter, { field: 'gas_m3', topic: null }));
    const shown = this.areChosen || isEnabled(point.meter, point, together, hasGasOf);
    this.sensors.set(key, sensorOf(this.id, point.meter, point, shown));
  }

  private discovery(info: MonitorInfo): Formatted[] {
    // A delivery has fewer properties of the monitor than its local interface, so both are merged.
    this.info = { ...this.info, ...info };
    if (this.sensors.size === 0) return [];
    const message = discoveryOf(this.id, this.info, this.sensors);
    const text = JSON.stringify(message.payload);
    if (text === this.announced) return [];
    this.announced = text;
    return [retained(message)];
  }

  private change(topic: string, state: State, always = false): Formatted[] {
    if (!always && this.availability.get(topic) === state) return [];
    this.availability.set(topic, state);
    return [retained({ topic, payload: state })];
  }

  private state(meter: string, dataPoints: readonly KnownDataPoint[]): Formatted[] {
    const values = new Map(
      dataPoints
        .filter((point) => this.sensors.has(sensorKey(meter, point)))
        .map((point) => [plainName(dataPointName(point)), point.value]),
    );
    if (values.size === 0) return [];
    const message = retained({ topic: haTopics(this.id).state(meter), payload: Object.fromEntries(values) });
    this.states.set(message.topic, message);
    return [message];
  }

  /**
   * Without null values, values older than the one sent last (deliveries can arrive in another order), and a counter that
   * falls to 0: a monitor sends 0 for a moment after a restart, and Home Assistant would count the whole counter again.
   */
  private freshOf(dataPoints: readonly DataPoint[]): KnownDataPoint[] {
    return dataPoints.filter(isKnown).filter((point) => {
      const sent = this.sent.get(point.meter) ?? new Map<string, SentState>();
      this.sent.set(point.meter, sent);
      const { ts, value } = point;
      const name = dataPointName(point);
      const before = sent.get(name);
      if (before !== undefined) {
        if (ts < before.ts) return false;
        // compareReadings ignores values with a window (`this_day_…`), which start at 0 each time.
        const resets = compareReadings({ [name]: before.value }, { [name]: value });
        if (resets.some(({ kind }) => kind === 'zero')) return false;
      }
      sent.set(name, { ts, value });
      return true;
    });
  }
}

function isKnown(point: DataPoint): point is KnownDataPoint {
  return point.value !== null && point.meter !== null;
}

/** Retained by the broker, because Home Assistant subscribes to a state after it has read the discovery message. */
function retained({ topic, payload }: Pick<Formatted, 'topic' | 'payload'>): Formatted {
  return { topic, payload, retain: true, qos: 1 };
}

/** The least recently used monitor is removed. Its next reading announces it again. */
const mostMonitors = 1000;

interface HomeAssistant {
  /**
   * @throws {FormatError} as dataPointsOf; INPUT: `no_monitor`; UNSUPPORTED: `not_current` for a series and for the readings
   *   of a past day, `not_a_state` for a rejected or missed delivery
   */
  payload(payload: Payload): Formatted[];
  /** All messages of all monitors, for Home Assistant after its start. */
  allMessages(): Formatted[];
}

/** @param fields those that become sensors; null: all. Availability is always sent. */
export function createHomeAssistant(fields: ChosenFields): HomeAssistant {
  const monitors = new Map<string, HaMonitor>();

  function monitorOf(id: string): HaMonitor {
    const monitor = monitors.get(id) ?? new HaMonitor(id, fields !== null);
    monitors.delete(id);
    monitors.set(id, monitor);
    const [oldest] = monitors.keys();
    if (monitors.size > mostMonitors && oldest !== undefined) monitors.delete(oldest);
    return monitor;
  }

  return {
    payload(payload) {
      if (payload.kind === 'problem') throw FormatError.unsupported('not_a_state');
      if (payload.kind === 'balance') {
        const origin = requiredOrigin(dataPointsOf(payload));
        return monitorOf(origin).house(payload.monitor, houseStateOf(origin, payload, fields));
      }
      const dataPoints = dataPointsOf(payload);
      const { about, all } = dataPoints;
      const isPast = payload.kind === 'totals' && payload.period.final;
      if (about === 'series' || isPast) throw FormatError.unsupported('not_current');
      const monitor = monitorOf(requiredOrigin(dataPoints));
      if (payload.kind === 'availability') {
        return monitor.available(payload.meter === undefined ? null : meterName(payload.meter), payload.state);
      }
      const asked = payload.kind === 'realtime' || payload.kind === 'totals' ? [meterName(payload.meter)] : [];
      const meters = new Set([...asked, ...all.flatMap(({ meter }) => (meter === null ? [] : [meter]))]);
      return monitor.readings(
        payload.monitor,
        [...meters],
        all.filter((point) => isChosen(fields, point)),
      );
    },
    allMessages: () => [...monitors.values()].flatMap((monitor) => monitor.allMessages()),
  };
}

/**
 * The birth or will message of Home Assistant (topic `homeassistant/status`); null for other messages. Messages with a topic
 * of this package are ignored, so that its own `online`, wired back into the node, does not send all messages again.
 */
export function statusMessage(message: {
  readonly payload: unknown;
  readonly topic: unknown;
}): 'online' | 'offline' | null {
  if (typeof message.topic === 'string' && message.topic.startsWith('cemm/')) return null;
  const { payload } = message;
  const text = Buffer.isBuffer(payload) && payload.length < 20 ? payload.toString() : payload;
  return text === 'online' || text === 'offline' ? text : null;
}

/** What was told to Home Assistant about one monitor, so that only what is new or different is told again. */
import { compareReadings } from '../model/totals';
import type { MonitorInfo, Payload } from '../model/payload';
import { type DataPoint, dataPointName, dataPointsOf, requiredOrigin } from './data-points';
import { FormatError, type Formatted } from './formatter';
import { discoveryOf, type HaSensor, haTopics, plainName, sensorKey, sensorOf } from './home-assistant-discovery';
import { meterName } from '../model/identity';

/** A payload beyond this would only be refused by brokers; a monitor has some tens of fields. */
const MOST_SENSORS = 500;

type State = 'online' | 'offline';
interface KnownDataPoint extends DataPoint {
  readonly meter: string;
  readonly value: number;
}

interface SentState {
  readonly ts: number;
  readonly value: number;
}

class HaMonitor {
  private info: MonitorInfo = { id: null };
  private readonly sensors = new Map<string, HaSensor>();
  private announced = '';
  private readonly availability = new Map<string, State>();
  /** Meter → field → what was told last. */
  private readonly sent = new Map<string, Map<string, SentState>>();
  /** By topic. */
  private readonly states = new Map<string, Formatted>();

  constructor(private readonly id: string) {}

  /** Discovery where it is due, then what became available, then one state per meter. */
  readings(info: MonitorInfo, meters: readonly string[], dataPoints: readonly DataPoint[]): Formatted[] {
    const fresh = this.freshOf(dataPoints);
    for (const point of fresh) this.learn(point);
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

  /** Told whether it changed or not. A meter that is online has a monitor that is, too. */
  available(meter: string | null, state: State): Formatted[] {
    const { availability, meterAvailability } = haTopics(this.id);
    if (meter === null) return this.change(availability, state, true);
    return [
      ...(state === 'online' ? this.change(availability, state) : []),
      ...this.change(meterAvailability(meter), state, true),
    ];
  }

  /** Everything again: Home Assistant has just started. */
  everything(): Formatted[] {
    return [
      ...(this.announced === '' ? [] : [retained(discoveryOf(this.id, this.info, this.sensors))]),
      ...[...this.availability].map(([topic, payload]) => retained({ topic, payload })),
      ...this.states.values(),
    ];
  }

  private learn(point: KnownDataPoint): void {
    const key = sensorKey(point.meter, point);
    if (this.sensors.has(key) || this.sensors.size >= MOST_SENSORS) return;
    this.sensors.set(key, sensorOf(this.id, point.meter, point));
  }

  private discovery(info: MonitorInfo): Formatted[] {
    // A webhook knows less of the monitor than its local interface; neither takes back what the other said.
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
   * Without what is null, what is older than what was told already (deliveries may overtake each other), and a counter
   * that reads 0 after it read more: a monitor says that for a moment after a restart, and Home Assistant would book the
   * whole counter once more.
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
        // Windows (`this_day_…`) start at 0 every time and are not among the counters that are compared.
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

/** Kept by the broker: Home Assistant subscribes to a state only after it has read the discovery, and after its restart. */
function retained({ topic, payload }: Pick<Formatted, 'topic' | 'payload'>): Formatted {
  return { topic, payload, retain: true, qos: 1 };
}

// Format `homeassistant`: messages for a core `mqtt out` node whose topic, QoS and retain are left blank. Per monitor one
// discovery message when a field is first seen with a value, when something about the device changes, or when Home
// Assistant says that it is there; then availability, then one state per meter.

/** The longest unused one is forgotten; with its next reading it is announced again. */
const MOST_MONITORS = 1000;

interface HomeAssistant {
  /**
   * @throws FormatError as dataPointsOf; INPUT `no_monitor`; UNSUPPORTED `not_current` for a series and for the readings of a
   * day that is over, `not_a_state` for a refused or missed delivery
   */
  payload(payload: Payload): Formatted[];
  /** Home Assistant announced itself: everything it has to know, again. */
  announced(): Formatted[];
}

export function createHomeAssistant(): HomeAssistant {
  const monitors = new Map<string, HaMonitor>();

  function monitorOf(id: string): HaMonitor {
    const monitor = monitors.get(id) ?? new HaMonitor(id);
    monitors.delete(id);
    monitors.set(id, monitor);
    const [oldest] = monitors.keys();
    if (monitors.size > MOST_MONITORS && oldest !== undefined) monitors.delete(oldest);
    return monitor;
  }

  return {
    payload(payload) {
      if (payload.kind === 'problem') throw FormatError.unsupported('not_a_state');
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
      return monitor.readings(payload.monitor, [...meters], all);
    },
    announced: () => [...monitors.values()].flatMap((monitor) => monitor.everything()),
  };
}

/**
 * What Home Assistant says on its status topic (`homeassistant/status`), where the message is that. Texts on topics of
 * this package are not: wired back into the node, its own `online` must not start everything again.
 */
export function birthOf(message: { readonly payload: unknown; readonly topic: unknown }): 'online' | 'offline' | null {
  if (typeof message.topic === 'string' && message.topic.startsWith('cemm/')) return null;
  const { payload } = message;
  const text = Buffer.isBuffer(payload) && payload.length < 20 ? payload.toString() : payload;
  return text === 'online' || text === 'offline' ? text : null;
}

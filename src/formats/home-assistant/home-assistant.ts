/**
 * Format `homeassistant`: messages for an `mqtt out` node without topic, QoS and retain. Per monitor: a discovery message if a
 * field gets its first value, a property of the device changes or Home Assistant starts; then availability; then one state per
 * meter.
 */
import { CemmError } from '../../errors';
import type { Payload } from '../../model/payload';
import { isChosen } from '../chosen-fields';
import { dataPointsOf, measuredAt, requiredOrigin } from '../data-points';
import type { HomeAssistantMessage } from '../formatted';
import { houseStateOf } from './balance';
import { contactOf } from './contact';
import { type About, HaMonitor, type HomeAssistantOptions, retained } from './monitor';
import { type Removal, removedTopics } from './removal';
import { meterName } from '../../model/identity';
import { titlesIn } from '../titles';

/** The least recently used monitor is removed; its next reading announces it again. */
const mostMonitors = 1000;
/** Sensors and meters of all monitors together: 1,000 real monitors have fewer, but invented names could fill each of them. */
const mostKept = 60_000;

export class HomeAssistant {
  private readonly monitors = new Map<string, HaMonitor>();
  private kept = 0;

  constructor(private readonly options: HomeAssistantOptions) {}

  /**
   * @throws {CemmError} as dataPointsOf; INPUT: `no_monitor`; UNSUPPORTED: `not_current` for a series and for the readings
   *   of a past day, `not_a_state` for a rejected or missed delivery
   */
  payload(payload: Payload): HomeAssistantMessage[] {
    if (payload.kind === 'problem') throw new CemmError('UNSUPPORTED', { reason: 'not_a_state' });
    const about = aboutOf(payload);
    const dataPoints = dataPointsOf(payload);
    if (payload.kind === 'balance') {
      const origin = requiredOrigin(dataPoints);
      const state = houseStateOf(origin, payload, this.options.fields);
      return this.withMonitor(origin, (monitor) => monitor.house(about, state));
    }
    const isPast = payload.kind === 'totals' && payload.period.final;
    if (dataPoints.about === 'series' || isPast) throw new CemmError('UNSUPPORTED', { reason: 'not_current' });
    const origin = requiredOrigin(dataPoints);
    if (payload.kind === 'availability') {
      const { meter, state, since } = payload;
      const name = meter === undefined ? null : meterName(meter);
      return this.withMonitor(origin, (monitor) => monitor.available(name, state, since));
    }
    const asked = payload.kind === 'realtime' || payload.kind === 'totals' ? [meterName(payload.meter)] : [];
    const meters = new Set([...asked, ...dataPoints.all.flatMap(({ meter }) => (meter === null ? [] : [meter]))]);
    // The clock of a monitor that is ahead is set back at some time, and later readings must not be older.
    const chosen = dataPoints.all
      .filter((point) => isChosen(this.options.fields, point))
      .map((point) => ({ ...point, ts: measuredAt(payload, point.ts) }));
    return this.withMonitor(origin, (monitor) => monitor.readings(about, [...meters], chosen));
  }

  /** All messages of all monitors, for Home Assistant after its start. */
  allMessages(): HomeAssistantMessage[] {
    return [...this.monitors.values()].flatMap((monitor) => monitor.allMessages());
  }

  /** Empty messages, which delete the retained messages of a broker. The next reading announces the monitor again. */
  remove(removal: Removal): HomeAssistantMessage[] {
    const sent = this.monitors.get(removal.monitor)?.topics() ?? [];
    this.forgetMonitor(removal.monitor);
    return [...removedTopics(removal, sent)].map((topic) => retained({ topic, payload: '' }));
  }

  /** Adds data of a payload to a monitor, and removes the oldest monitors above the limit. */
  private withMonitor(id: string, use: (monitor: HaMonitor) => HomeAssistantMessage[]): HomeAssistantMessage[] {
    const monitor = this.monitors.get(id) ?? new HaMonitor(id, this.options);
    this.forgetMonitor(id);
    this.monitors.set(id, monitor);
    try {
      return use(monitor);
    } finally {
      this.kept += monitor.size;
      while (this.monitors.size > 1 && (this.monitors.size > mostMonitors || this.kept > mostKept)) {
        const [oldest = ''] = this.monitors.keys();
        this.forgetMonitor(oldest);
      }
    }
  }

  private forgetMonitor(id: string): void {
    this.kept -= this.monitors.get(id)?.size ?? 0;
    this.monitors.delete(id);
  }
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

function aboutOf(payload: Payload): About {
  return {
    info: payload.monitor,
    labels: collectMeterLabels(payload),
    contact: contactOf(payload),
    isLive: payload.kind === 'realtime',
  };
}

function collectMeterLabels(payload: Payload): ReadonlyMap<string, string> {
  const meter = 'meter' in payload ? payload.meter : undefined;
  const named = [
    ...(meter === undefined ? [] : [[meterName(meter), meter.label] as const]),
    ...(payload.kind === 'webhook'
      ? payload.readings.map(({ meter, meterLabel }) => [meter, meterLabel] as const)
      : []),
    ...titlesIn(payload),
  ];
  return new Map(
    named.flatMap(([meter, label = '']) => (label.trim() === '' ? [] : [[meter, label.trim().slice(0, 64)] as const])),
  );
}

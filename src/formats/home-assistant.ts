/**
 * Format `homeassistant`: messages for a core `mqtt out` node whose topic, QoS and retain are left blank. Per monitor one
 * discovery message when a field is first seen with a value, when something about the device changes, or when Home
 * Assistant says that it is there; then availability, then one state per meter.
 */
import { meterName } from '../model/identity';
import type { Payload } from '../model/payload';
import { factsOf, requiredOrigin } from './facts';
import { FormatError } from './format-error';
import type { Formatted } from './formatted';
import { HaMonitor } from './ha-monitor';

/** The longest unused one is forgotten; with its next reading it is announced again. */
const MOST_MONITORS = 1000;

export interface HomeAssistant {
  /**
   * @throws FormatError as factsOf; INPUT `no_monitor`; UNSUPPORTED `not_current` for a series and for the readings of a
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
      const facts = factsOf(payload);
      const { about, all } = facts;
      const isPast = payload.kind === 'totals' && payload.period.final;
      if (about === 'series' || isPast) throw FormatError.unsupported('not_current');
      const monitor = monitorOf(requiredOrigin(facts));
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

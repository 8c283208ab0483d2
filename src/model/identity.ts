/** Who and what a payload is about: monitor, meter, id and topic (contract.md section 2). */
import type { IoRecord, MonitorRecord } from '../wire/answers';
import type { MeterInfo, MonitorInfo, PayloadKind, Role } from './payload';
import { roleOf } from './roles';

/** `rt` realtime, `sr` series, `tt` totals, `wh` webhook, `mo` monitor, `me` meter, `av` availability, `pr` problem. */
export type IdPrefix = 'rt' | 'sr' | 'tt' | 'wh' | 'mo' | 'me' | 'av' | 'pr';

/**
 * `<prefix>:<monitor>:<part>:…`. It holds nothing of the request (no time of fetching, no count), so the same reading
 * fetched twice has the same id.
 */
export function idOf(prefix: IdPrefix, monitor: MonitorInfo, ...parts: readonly (string | number)[]): string {
  return [prefix, monitorName(monitor), ...parts].join(':');
}

/**
 * `cemm/<monitor id or cemm number>/<alias or key>/<kind>`; without the third level where the payload is about the
 * monitor as a whole. What MQTT reserves (`/ + #`) and control characters become `_`: meter keys come from outside.
 */
export function topicOf(payload: { kind: PayloadKind; monitor: MonitorInfo; meter?: MeterInfo }): string {
  const meter = payload.meter === undefined ? [] : [meterName(payload.meter)];
  return ['cemm', monitorName(payload.monitor), ...meter, payload.kind].map(topicLevel).join('/');
}

/** The monitor's id, else the number that webhooks carry. */
export function monitorName(monitor: MonitorInfo): string {
  return monitor.id ?? (monitor.cemm === undefined ? 'unknown' : String(monitor.cemm));
}

/** The meter's alias, else the key that webhooks carry. */
export function meterName(meter: MeterInfo): string {
  return meter.alias ?? meter.key ?? 'unknown';
}

/** A monitor as its root or the remote list describes it; what is not known is left out. */
export function describeMonitor(record: MonitorRecord, host?: string): MonitorInfo {
  return {
    id: record.id,
    ...(record.name !== null && { name: record.name }),
    ...(host !== undefined && { host }),
    ...(record.type !== null && { type: record.type }),
    ...(record.version !== null && { version: record.version }),
    ...(record.core !== null && { core: record.core }),
  };
}

/** A meter by its alias and, where it is known, its I/O record. Role `auto`: from both. */
export function describeMeter(alias: string, io: IoRecord | null, role: Role | 'auto' = 'auto'): MeterInfo {
  const meter: MeterInfo = { alias, role: role === 'auto' ? roleOf(alias, io?.type ?? null) : role };
  if (io === null) return meter;
  return {
    ...meter,
    ...(io.ioId !== null && { ioId: io.ioId }),
    ...(io.port !== null && { port: io.port }),
    ...(io.type !== null && { type: io.type }),
    ...(io.portOption !== null && { portOption: io.portOption }),
    ...(io.fullId !== null && { fullId: io.fullId }),
  };
}

function topicLevel(text: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  return text.replace(/[/+#\u0000-\u001f\u007f]/g, '_') || '_';
}

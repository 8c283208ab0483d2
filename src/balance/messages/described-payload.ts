/** A payload of another node with roles and names of the connection's meters, as if a node of this connection had read it. */
import { roleOf } from '../../model/identity';
import type { MonitorRows } from '../../model/meter-table';
import { describeDelivered } from '../../model/delivered-meters';
import type { MeterInfo } from '../../model/payload';
import type { EnergyPayload } from './add-message';

/** Null if its meter is no part of the house. */
export function describedPayload(payload: EnergyPayload, rows: MonitorRows): EnergyPayload | null {
  if (rows.all.length === 0) return payload;
  if (payload.kind === 'webhook') return describeDelivered(payload, rows);
  const { meter } = payload;
  const described = rows.describe(meter);
  // A role that is not the monitor's own is the choice of the node that read the meter.
  const role = isOwnRole(meter) ? described.role : meter.role;
  if (isOwnRole(meter) && rows.isLeftOut(meter.alias ?? meter.key ?? '')) return null;
  return { ...payload, meter: { ...described, role } };
}

function isOwnRole({ alias, key, type, role }: MeterInfo): boolean {
  return role === null || role === roleOf(alias ?? key ?? '', type ?? null);
}

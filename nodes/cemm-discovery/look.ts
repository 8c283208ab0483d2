/** The two looks at a connection: its monitors, and the meters of one of them. */
import type { Ask, Installation } from '../../src/installation/installation';
import type { Sightings } from '../../src/discovery/sightings';
import { meterPayload, monitorPayload } from '../../src/model/inventory';
import type { MeterPayload, MonitorPayload } from '../../src/model/payload';

/** @throws CemmError as Installation.listMonitors */
export async function findMonitors(
  installation: Installation,
  sightings: Sightings,
  ask: Ask,
): Promise<MonitorPayload[]> {
  const { monitors, source } = await installation.listMonitors(ask);
  // Of the monitors of a key the service speaks; any other has answered itself.
  const verified = installation.transport !== 'remote';
  return sightings
    .update(monitors.map((monitor) => ({ monitor, verified })))
    .map((change) => monitorPayload({ ...change, source }));
}

/** @throws CemmError as Installation.listMeters */
export async function findMeters(installation: Installation, wanted: string | null, ask: Ask): Promise<MeterPayload[]> {
  const { monitor, meters, source } = await installation.listMeters(wanted, ask);
  return meters.map((meter) => meterPayload({ monitor, meter, source }));
}

/** The page for Prometheus of a thousand monitors: its processor time in the node and its size. */
import type * as Connect from '../src/library/connect';
import type * as Formatters from '../src/formats/formatter';
import type { RealtimePayload } from '../src/model/payload';
import { median } from './support/interleaved';
import { shipped } from './support/shipped';
import { rounded, type Table } from './support/table';

const { connect } = shipped<typeof Connect>('library/connect');
const { createFormatter } = shipped<typeof Formatters>('formats/formatter');

const monitors = 1000;
const runs = 15;

/** All meters of the simulated house, once for each monitor. */
async function fleet(): Promise<RealtimePayload[]> {
  const cemm = await connect({ demo: true });
  const meters = await cemm.realtime();
  await cemm.close();
  return Array.from({ length: monitors }, (_, index) => {
    const id = index.toString(16).padStart(12, '0');
    return meters.map((reading) => ({ ...reading, monitor: { ...reading.monitor, id } }));
  }).flat();
}

export async function metrics(): Promise<Table> {
  const payload = await fleet();
  const req = { headers: { accept: 'application/openmetrics-text' } };
  const format = createFormatter('openmetrics');
  const page = (): string => String(format({ payload, req })[0]?.payload);
  const bytes = Buffer.byteLength(page());
  const times = Array.from({ length: runs }, () => {
    const before = process.cpuUsage();
    page();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  const cpuMs = median(times);
  const samples = page().match(/^cemm/gm)?.length ?? 0;
  return {
    name: 'metrics',
    rows: [{ monitors, samples, 'CPU ms': rounded(cpuMs, 1), MB: rounded(bytes / 1e6) }],
    goals: [
      { what: 'page of 1000 monitors, CPU ms', value: cpuMs, limit: 200 },
      { what: 'page of 1000 monitors, MB', value: bytes / 1e6, limit: 5 },
    ],
  };
}

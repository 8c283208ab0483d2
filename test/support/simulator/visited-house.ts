/** A simulated household with both interfaces, for tests of its row. */
import type { HouseName } from '../../../src/simulator/houses';
import { buildDelivery } from '../../../src/simulator/webhook-payload';
import { momentOf, type Channels, type Sample, seconds, type Series, settableClock, startInterfaces } from './requests';

export const testNow = '2026-06-15T19:00:00+02:00';
export const today = '2026-06-15T00:00:00+02:00';
export const yesterday = '2026-06-14T00:00:00+02:00';

export async function visit(house: HouseName, iso = testNow) {
  const clock = settableClock(iso);
  const running = await startInterfaces({ house, clock, since: momentOf('2026-06-08T12:00:00+02:00') });
  const [monitor] = running.simulator.monitors;
  if (monitor === undefined) throw new Error('no monitor');
  const { household } = monitor;
  const uid = running.uid();
  const remote = (path: string) => running.remote(`cemm/${uid}/${path}`);
  const data = ({ body }: { body: unknown }) => (body as { data: unknown }).data;
  return {
    clock,
    household,
    local: running.local,
    remote,
    truth: running.simulator.truth,
    origin: running.simulator.local ?? '',
    realtime: async (alias: string) => data(await running.local(`/${alias}/realtime/`)) as Channels,
    /** `totals` of the local response. */
    totals: async (alias: string) => ((await running.local(`/${alias}/realtime/`)).body as { totals: Channels }).totals,
    /** The last readings of a day, from the remote API. */
    readings: async (alias: string, day: string) =>
      data(await remote(`${alias}/totals/?time=${seconds(day)}`)) as Channels,
    day: async (alias: string) => data(await running.local(`/${alias}/data/day/`)) as Series,
    month: async (alias: string) => data(await running.local(`/${alias}/data/month/`)) as Series,
    ios: async () => data(await running.local('/io')) as { alias: string; type: string }[],
    webhook: () => buildDelivery(household, 1, clock.now(), ['realtime', 'reading']).data,
    end: () => running.simulator.close(),
  };
}

type House = Awaited<ReturnType<typeof visit>>;

export function inHouse(house: HouseName, title: string, look: (house: House) => unknown, iso?: string): void {
  it(`${house}: ${title}`, async () => {
    const visited = await visit(house, iso);
    try {
      await look(visited);
    } finally {
      await visited.end();
    }
  });
}

export const value = (sample: Sample | undefined): number => sample?.[1] ?? NaN;
export const readDayAmount = (series: Sample[] | undefined, day: string): number =>
  value(series?.find(([time]) => time === momentOf(day)));

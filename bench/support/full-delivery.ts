/** Enough that none of them sends more within ten minutes than one that sends every minute. */
const monitors = 5000;

/**
 * A `basic-v1` delivery of 5 kB: seven meters with five channels of three topics each; another seed gives other values and
 * another monitor.
 */
export function fullDelivery(seed: number): object {
  const time = Math.floor(Date.now() / 1000);
  const channels = ['electric_power', 'electric_energy_import', 'electric_energy_export', 'voltage', 'gas'];
  const topics = ['realtime', 'reading', 'this/day'];
  const measured = (index: number): object => ({ time, value: seed + index / 8 });
  const meter = (): object =>
    Object.fromEntries(
      channels.map((channel) => [channel, Object.fromEntries(topics.map((topic, at) => [topic, measured(at)]))]),
    );
  const data = Object.fromEntries(Array.from({ length: 7 }, (_, index) => [`meter${index}`, meter()]));
  return { format: 'basic-v1', cemm: 24000001 + (seed % monitors), time, data };
}

/**
 * Sends deliveries with invented names through a format, and prints the growth of the heap in MB. Run in its own process: `node
 * --expose-gc --import tsx test/support/formats/invented-meters.ts <format> <names> <new monitors: yes or no>`.
 */
import { createFormatter, type FormatName } from '../../../src/formats/formatter';
import { webhook } from './payloads';

const [, , format = 'homeassistant', count = '500000', invents = 'no'] = process.argv;
const perDelivery = 50;
const convert = createFormatter(format as FormatName);
const [reading] = webhook.readings;
if (reading === undefined) throw new Error('no reading');

function heapMb(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1e6;
}

let sent = 0;

function deliver(from: number): void {
  const readings = Array.from({ length: perDelivery }, (_, index) => ({
    ...reading,
    // Names as long as allowed, and longer ones.
    meter: `m${from + index}`.padEnd(from % 1000 === 0 ? 5000 : 64, 'x'),
    meterLabel: `Meter ${from + index}`,
    field: index % 2 === 0 ? 'power_w' : `channel_${from + index}`,
  }));
  const monitor = { id: null, cemm: invents === 'yes' ? from : 1 };
  sent += convert({ payload: { ...webhook, monitor, readings } }).length;
}

// The first half fills everything that is bounded.
const names = Number(count);
for (let from = 0; from < names / 2; from += perDelivery) deliver(from);
const before = heapMb();
const early = sent;
for (let from = names / 2; from < names; from += perDelivery) deliver(from);
process.stdout.write(`${JSON.stringify({ grown: heapMb() - before, early, late: sent - early })}\n`);

/** Results of a run as a table: rates, waiting times, processor time, and the growth from the small fleet to the large one. */
import type { FleetResult } from './fleet-run';

export function reportOf(results: readonly FleetResult[]): string {
  const lines: (readonly string[])[] = [
    ['', ...results.map(({ plan }) => `${plan.monitors} monitors`)],
    ['clock', ...results.map(({ plan }) => `${plan.minutes} min at ${plan.speed}x`)],
    ['deliveries per second', ...results.map((result) => perSecond(result.sent.length, result))],
    ['answered within the 5 s of a monitor', ...results.map(({ sent }) => answered(sent))],
    [
      'half of the answers within, 99 % within',
      ...results.map(({ sent }) => `${within(sent, 0.5)}, ${within(sent, 0.99)}`),
    ],
    ['messages per second at the broker', ...results.map((result) => perSecond(messages(result), result))],
    ['questions per second to the service', ...results.map((result) => perSecond(result.requests, result))],
    [
      'minutes in the store as delivered',
      ...results.map(({ delivered }) => `${delivered.right} of ${delivered.expected}`),
    ],
    [
      'the same, after losses and repair',
      ...results.map(({ repaired }) => `${repaired.right} of ${repaired.expected}`),
    ],
    ['messages out of order', ...results.map(({ latest }) => String(latest.late))],
    ...processes(results),
    ['receivers, CPU ms per delivery', ...results.map((result) => perDelivery(result, /^receiver/))],
    ['workers, CPU ms per delivery and its share of jobs', ...results.map((result) => perDelivery(result, /^worker/))],
    ['all but the simulator, CPU ms per delivery', ...results.map((result) => perDelivery(result, /^(?!simulator)/))],
  ];
  const widths = lines.reduce<number[]>(
    (found, line) => line.map((cell, i) => Math.max(found[i] ?? 0, cell.length)),
    [],
  );
  return lines.map((line) => line.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ')).join('\n');
}

type Sent = FleetResult['sent'];

function perSecond(count: number, { seconds }: FleetResult): string {
  return (count / seconds).toFixed(1);
}

function answered(sent: Sent): string {
  return `${sent.filter(({ status }) => status === 200).length} of ${sent.length}`;
}

function within(sent: Sent, part: number): string {
  const sorted = sent.map(({ ms }) => ms).sort((a, b) => a - b);
  return `${Math.round(sorted[Math.floor(sorted.length * part)] ?? 0)} ms`;
}

function messages({ latest }: FleetResult): number {
  return [...latest.counts.values()].reduce((sum, count) => sum + count, 0);
}

function processes(results: readonly FleetResult[]): string[][] {
  const names = [...new Set(results.flatMap(({ cpu }) => [...cpu.keys()]))].sort();
  return names.map((name) => [
    `CPU of ${name}`,
    ...results.map(({ cpu, seconds }) => `${((cpu.get(name) ?? 0) / (seconds * 10)).toFixed(1)} %`),
  ]);
}

function perDelivery({ cpu, sent }: FleetResult, which: RegExp): string {
  const ms = [...cpu].reduce((sum, [name, used]) => sum + (which.test(name) ? used : 0), 0);
  return (ms / sent.length).toFixed(2);
}

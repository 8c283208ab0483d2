/** The result of the campaign as a table, and its goals. */
import type { CampaignResult } from './campaign';
import type { SentDelivery } from './monitors';

/** Parts of the cost of a delivery, in the order of its path. */
const stations: readonly (readonly [string, RegExp])[] = [
  ['HAProxy', /^haproxy/],
  ['receivers', /^receiver/],
  ['Mosquitto', /^mosquitto/],
  ['writers', /^writer/],
  ['InfluxDB', /^influxd/],
];

export interface Goal {
  readonly what: string;
  readonly value: string;
  readonly isMet: boolean;
}

export function tableOf(result: CampaignResult): string {
  const { plan, sent, seconds, burst, delivered, repaired, looks } = result;
  const calm = sent.filter(({ slot }) => slot !== burst);
  const rows: (readonly [string, string])[] = [
    ['monitors, minutes', `${plan.monitors}, ${plan.minutes}`],
    ['deliveries, a second', `${sent.length}, ${(sent.length / (plan.minutes * 60)).toFixed(1)}`],
    ['within 30 s of a minute: half, 99 %, 99.9 % within', waits(calm)],
    ['within 5 s of a minute: half, 99 %, 99.9 % within', waits(sent.filter(({ slot }) => slot === burst))],
    ['not answered 200 within 5 s', misses(sent)],
    ['latest start of a call', `${Math.round(result.senderLateMs)} ms`],
    ['minutes in the store as delivered', `${delivered.right} of ${delivered.expected}`],
    ['after repair, looks into the store', `${repaired.right} of ${repaired.expected}, ${looks}`],
    ...[...result.cpu].map(([name, ms]) => [`${name}, of one core`, percent(ms, seconds)] as const),
    ...stations.map(
      ([name, which]) => [`${name}, processor time a delivery`, `${costOf(result, which).toFixed(2)} ms`] as const,
    ),
    ['from balancer to store', `${balancerToStore(result).toFixed(2)} ms`],
    ['everything but the monitors', `${costOf(result, /^(?!simulator)/).toFixed(2)} ms`],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n');
}

export function goalsOf(result: CampaignResult): Goal[] {
  const { sent, repaired, openDoors, complaints } = result;
  const inTime = sent.filter(({ status }) => status === 200).length / sent.length;
  const cost = balancerToStore(result);
  const flaws = repaired.missing.length + repaired.wrong.length + repaired.surplus.length;
  return [
    { what: 'doors that an attacker found open', value: openDoors.join(', ') || 'none', isMet: openDoors.length === 0 },
    { what: 'minutes missing, wrong or doubled', value: String(flaws), isMet: flaws === 0 },
    { what: 'answered within 5 s, at least 99.9 %', value: `${(inTime * 100).toFixed(3)} %`, isMet: inTime >= 0.999 },
    { what: 'processor time a delivery, at most 4 ms', value: `${cost.toFixed(2)} ms`, isMet: cost <= 4 },
    {
      what: 'errors and warnings in logs',
      value: complaints.slice(0, 5).join('\n') || 'none',
      isMet: complaints.length === 0,
    },
  ];
}

function balancerToStore(result: CampaignResult): number {
  return stations.reduce((sum, [, which]) => sum + costOf(result, which), 0);
}

function costOf({ cpu, sent }: CampaignResult, which: RegExp): number {
  return [...cpu].reduce((sum, [name, ms]) => sum + (which.test(name) ? ms : 0), 0) / sent.length;
}

function waits(sent: readonly SentDelivery[]): string {
  const sorted = sent.map(({ ms }) => ms).sort((a, b) => a - b);
  const within = (part: number): string => `${Math.round(sorted[Math.floor(sorted.length * part)] ?? NaN)} ms`;
  return sorted.length === 0 ? 'none' : [0.5, 0.99, 0.999].map(within).join(', ');
}

/** Status → number of deliveries. */
function misses(sent: readonly SentDelivery[]): string {
  const counts = new Map<string, number>();
  for (const { status } of sent) {
    const name = status === null ? 'no answer' : String(status);
    if (status !== 200) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => `${name}: ${count}`).join(', ') || 'none';
}

function percent(ms: number, seconds: number): string {
  return `${(ms / (seconds * 10)).toFixed(1)} %`;
}

/** Reads many random houses one after the other, and collects the findings. */
import { canDeliver, deliverHouse } from './deliver-house';
import { randomHouse, type HouseTime } from './random-house';
import { type Finding, readHouse } from './read-house';

/** Local midnight in the Netherlands, for two periods with a clock change in each: forty days, a year. */
const starts = {
  spring: Date.parse('2026-03-09T23:00:00Z'),
  autumn: Date.parse('2026-09-29T22:00:00Z'),
  year: Date.parse('2025-12-31T23:00:00Z'),
  leapYear: Date.parse('2027-12-31T23:00:00Z'),
};

export function timeOf(seed: number, days: number): HouseTime {
  const isOdd = seed % 2 === 1;
  const start = days > 100 ? (isOdd ? starts.leapYear : starts.year) : isOdd ? starts.autumn : starts.spring;
  return { start, days };
}

export interface Campaign {
  readonly houses: number;
  readonly balances: number;
  /** Houses that broke a rule. */
  readonly failed: readonly number[];
  readonly findings: readonly Finding[];
  /** Of the failed houses. */
  readonly stories: ReadonlyMap<number, string>;
  /** Seconds of processor time. */
  readonly seconds: number;
}

export interface CampaignPlan {
  readonly seeds: readonly number[];
  readonly days: number;
  readonly looks: number;
  readonly daysBack: number;
  /** As in HouseTime. */
  readonly isPlain?: boolean;
  readonly onHouse?: (done: number, failed: number) => void;
}

export async function readByChance(plan: CampaignPlan): Promise<Campaign> {
  const { seeds, days, looks, daysBack, isPlain = false, onHouse } = plan;
  const before = process.cpuUsage();
  const failed: number[] = [];
  const findings: Finding[] = [];
  const stories = new Map<number, string>();
  let balances = 0;
  for (const [index, seed] of seeds.entries()) {
    const house = randomHouse(seed, { ...timeOf(seed, days), isPlain });
    const asked = await readHouse(house, { looks, daysBack });
    // Deliveries are pruned within days, so a few houses show the same as many.
    const delivered = canDeliver(house) && seed % 3 === 0 ? deliverHouse(house, 12) : null;
    balances += asked.balances + (delivered?.balances ?? 0);
    const found = [...asked.findings, ...(delivered?.findings ?? [])];
    if (found.length > 0) {
      failed.push(seed);
      stories.set(seed, house.story);
    }
    findings.push(...found);
    onHouse?.(index + 1, failed.length);
  }
  const { user, system } = process.cpuUsage(before);
  return { houses: seeds.length, balances, failed, findings, stories, seconds: (user + system) / 1e6 };
}

/** Stories of the failed houses, up to a limit. */
export function describeFailedHouses({ failed, findings, stories }: Campaign, most: number): string {
  return failed
    .slice(0, most)
    .map((seed) => {
      const own = findings.filter((one) => one.seed === seed);
      const lines = own.slice(0, 6).map(({ period, now, broken }) => `  ${period} at ${now}: ${broken}`);
      const more = own.length > lines.length ? [`  and ${own.length - lines.length} more`] : [];
      return [`house ${seed}: ${stories.get(seed) ?? ''}`, ...lines, ...more].join('\n');
    })
    .join('\n');
}

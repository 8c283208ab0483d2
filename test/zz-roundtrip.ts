import { mkdtempSync } from 'node:fs'; import { join } from 'node:path'; import { tmpdir } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import { Balances } from '../src/balance/balances';
import { everyMeter } from '../src/balance/meters/choice';
import { periodContaining } from '../src/calendar/periods';
import { createOpenApiConnection } from '../src/connection/open-api-connection';
import { millis } from '../src/protocol/time';
import { PastDays } from '../src/store/past-days';
import { FakeMonitor } from './support/houses/fake-monitor';
import { randomHouse } from './support/houses/random-house';
import { timeOf } from './support/houses/by-chance';
import { StillClock } from './support/houses/still-clock';
void (async () => {
  let compared = 0, differ = 0, requests = [0, 0];
  const [from, to] = process.argv.slice(2).map(Number);
  for (let seed = from!; seed <= to!; seed++) {
    const house = randomHouse(seed, timeOf(seed, 40));
    const now = house.end + 12 * 3600e3;
    const folder = mkdtempSync(join(tmpdir(), 'past-'));
    const clock = new StillClock(now);
    const open = () => { const monitor = new FakeMonitor(house, () => now); const past = new PastDays({ folder, clock, onProblem: (p, path) => console.log(p, path) });
      const connection = createOpenApiConnection({ client: monitor, timezone: house.timezone, transport: house.kind, deadlineMs: 25000, clock, random: () => .5 });
      return { monitor, past, balances: new Balances({ reader: connection, clock, past }) }; };
    const results: any[][] = [];
    for (const round of [0, 1]) {
      const { monitor, past, balances } = open(); const list: any[] = [];
      for (const [unit, day, step] of [['day', 3, 'PT15M'], ['day', 20, 'PT1H'], ['day', 19, 'PT1H'], ['month', 2, 'P1D'], ['month', 25, 'P1D']] as const) {
        const period = periodContaining(unit, house.timezone, millis(house.start + day * 86400e3 + 7200e3));
        try { const p = await balances.read({ monitor: null, meters: everyMeter, period, step, prices: null, wantsPeak: true, counters: null }, { signal: new AbortController().signal });
          const { source, ...rest } = p as any; list.push(rest); } catch (e) { list.push(String(e)); }
      }
      requests[round]! += monitor.requests; await past.close(); balances.close(); results.push(list);
    }
    results[0]!.forEach((one, i) => { compared++; const other = results[1]![i]; if (!isDeepStrictEqual(one, other)) { differ++; 
       for (const k of Object.keys(one)) if (!isDeepStrictEqual(one[k], other[k])) { const a = JSON.stringify(one[k]), b = JSON.stringify(other[k]); let j = 0; while (a[j] === b[j]) j++; console.log(seed, i, k, a.slice(Math.max(0, j - 60), j + 40), '|', b.slice(Math.max(0, j - 10), j + 40)); } } });
  }
  console.log({ compared, differ, requests });
})();

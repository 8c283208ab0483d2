import should from 'should';
import { runFleet, type FleetResult } from './fleet-run';

const plan = {
  monitors: Number(process.env['CEMM_FLEET_MONITORS'] ?? 100),
  minutes: Number(process.env['CEMM_FLEET_MINUTES'] ?? 20),
  speed: Number(process.env['CEMM_FLEET_SPEED'] ?? 12),
  jobSeconds: 60,
};

describe('fleet', function () {
  this.timeout(900_000);
  let result: FleetResult;
  before(async function () {
    result = await runFleet(this, plan);
  });
  it('runs', () => {
    const { delivered, sent, cpu, seconds, latest } = result;
    const bad = sent.filter(({ status }) => status !== 200);
    console.log({
      seconds,
      sent: sent.length,
      bad: bad.length,
      statuses: [...new Set(bad.map(({ status }) => status))],
      expected: delivered.expected,
      right: delivered.right,
      missing: delivered.missing.length,
      wrong: delivered.wrong.slice(0, 5),
      surplus: delivered.surplus.slice(0, 5),
      cpu,
      repaired: [
        result.repaired.right,
        result.repaired.missing.length,
        result.repaired.wrong.slice(0, 4),
        result.repaired.surplus.length,
      ],
      requests: result.requests,
      counts: latest.counts,
      late: latest.late,
      maxMs: Math.max(...sent.map(({ ms }) => ms)),
    });
    const mins = new Map<number, number>();
    for (const { start } of delivered.missing) mins.set(start, (mins.get(start) ?? 0) + 1);
    console.log([...mins].map(([k, v]) => `${new Date(k).toISOString()} ${v}`));
    should(
      (result.logs.match(/\[(?:error|warn)\].*/g) ?? []).filter(
        (line) => !/Projects disabled|Encrypted cred/.test(line),
      ),
    ).be.empty();
  });
});

/**
 * `npm run campaign -- fleet --monitors 10000 --minutes 15 [--calm] [--profiles FOLDER]`: the fleet at its real pace, see
 * campaign.ts; prints a table and exits with 1 if a goal is missed. Without --monitors: the fleets of fleet.test.ts.
 */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runCampaign } from './campaign';
import { goalsOf, tableOf } from './campaign-report';

const { values } = parseArgs({
  options: {
    monitors: { type: 'string' },
    minutes: { type: 'string' },
    calm: { type: 'boolean', default: false },
    profiles: { type: 'string' },
  },
});

async function main(): Promise<number> {
  if (values.monitors === undefined) {
    const mocha = resolve(__dirname, '../../../node_modules/.bin/mocha');
    const config = ['--config', 'test/support/installed.mocharc.json'];
    return spawnSync(mocha, [...config, 'test/campaigns/fleet/fleet.test.ts'], { stdio: 'inherit' }).status ?? 1;
  }
  const [monitors, minutes] = [Number(values.monitors), Number(values.minutes ?? 15)];
  if (!(monitors > 0 && minutes > 0)) throw new RangeError('--monitors and --minutes are numbers above 0');
  const result = await runCampaign({ monitors, minutes, isCalm: values.calm, profiles: values.profiles });
  const goals = goalsOf(result);
  console.log(`\n${tableOf(result)}\n`);
  for (const { what, value, isMet } of goals) console.log(`${isMet ? 'met   ' : 'MISSED'}  ${what}: ${value}`);
  return goals.every(({ isMet }) => isMet) ? 0 : 1;
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);

/**
 * Tests that take too long for every change: `npm run campaign -- soak --minutes 30`. Without a name it lists them. Options go to
 * each command of the campaign.
 */
import { spawnSync } from 'node:child_process';

interface Campaign {
  /** One line for the list. */
  readonly what: string;
  /** Run one after the other, until one fails. */
  readonly commands: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const build = 'npm run --silent build';
const mocha = 'mocha --config test/support/installed.mocharc.json';
const nodeRed5 = 'node scripts/with-node-red-5.mjs';

/** The files of a campaign on the oldest Node-RED, then those with the tag on Node-RED 5. */
function onBoth(files: string, options = ''): string[] {
  return [`${mocha}${options} ${files}`, `${nodeRed5} ${mocha}${options} --grep @node-red-5 ${files}`];
}

const smoke = `${mocha} test/campaigns/versions/*.test.ts`;

/** With the Node.js that the package `node` of the npm registry brings. */
const onNode = (version: string): string => `npx --yes --package node@${version} -- ${smoke}`;

const onNodeWith5 = (version: string): string => `npx --yes --package node@${version} -- ${nodeRed5} ${smoke}`;

/** The first minutes of a day, a month and a year, a day of one digit, and changes of the clocks. */
const moments = [
  '2026-12-15T23:00Z',
  '2026-12-31T23:00Z',
  '2027-02-05T10:00Z',
  '2027-03-28T00:58Z',
  '2027-10-31T00:58Z',
];

export const campaigns: Readonly<Record<string, Campaign>> = {
  matrix: {
    what: 'every household of the simulator around a change of the clocks and a new year, in every format',
    commands: ['mocha --parallel --jobs 2 test/campaigns/houses/*.test.ts test/unit/report/monitors.test.ts'],
  },
  years: {
    what: 'bills of twenty years, a year of every interface and in Home Assistant, and houses that failed once',
    commands: ['mocha --parallel --jobs 2 test/campaigns/years/*.test.ts'],
  },
  houses: {
    what: 'random houses with random events, a year each',
    commands: ['tsx test/campaigns/houses/run.ts'],
  },
  fresh: {
    what: 'the two lines of README.md on a new Debian, with the oldest Node.js and the newest with long-term support',
    commands: ['20', '26'].map((version) => `node scripts/fresh/run.mjs --node ${version}`),
  },
  busy: {
    what: '`npm test` twenty times on a new Debian beside six busy loops',
    commands: ['node scripts/fresh/busy.mjs'],
  },
  moments: {
    what: '`npm test` and the campaign `processes` as if it were New Year, a change of the clocks and other moments, with faketime',
    commands: [
      build,
      ...moments.flatMap((moment) =>
        ['test', 'processes'].map((suite) => `faketime ${moment} mocha --config test/support/${suite}.mocharc.cjs`),
      ),
    ],
  },
  coverage: {
    what: 'how much of the source the unit and flow tests run',
    commands: [
      'c8 mocha --config test/support/coverage.mocharc.json --parallel --jobs 3 test/unit/**/*.test.ts test/flow/**/*.test.ts',
    ],
  },
  contracts: {
    what: 'bills of 2,000 random contracts in random houses, beside a slow, independent program',
    commands: ['mocha test/unit/balance/random-contracts.test.ts'],
    env: { CEMM_CONTRACTS: '2000' },
  },
  planners: {
    what: 'the newest Power Saver switches a load by the prices',
    commands: [build, `${mocha} test/campaigns/planners/*.test.ts`],
  },
  'past-days': {
    what: 'random houses with faults of both clocks, of the memory and the address of the monitor, restarts and kills',
    commands: [
      'node --require tsx/cjs --require ./test/support/mocha/plain-exports.cjs test/campaigns/past-days/run.ts',
    ],
  },
  servers: {
    what: 'databases, Prometheus, MQTT, reverse proxies and two networks, with the real servers',
    commands: onBoth('test/campaigns/servers/*.test.ts', ' --parallel --jobs 2'),
  },
  long: {
    what: 'a killed Node-RED, days of imports, 200 redeploys, 15,000 deliveries, invented names, kept days, a slow machine',
    commands: [`${mocha} test/campaigns/long/*.test.ts`],
  },
  processes: {
    what: 'attacks, kept days and broken installations of a whole Node-RED, which take too long for `npm test`; part of `.ci/run`',
    commands: ['mocha --config test/support/processes.mocharc.cjs'],
  },
  'node-red-5': {
    what: 'tests with the tag @node-red-5 on Node-RED 5',
    commands: [`${nodeRed5} mocha --config test/support/node-red-5.mocharc.cjs`],
  },
  release: {
    what: 'a dry run of a release, installed by the palette into an empty Node-RED, and an update from 0.1.0',
    commands: onBoth('test/campaigns/release/*.test.ts'),
  },
  versions: {
    what: 'every version of Node.js with every version of Node-RED that it runs',
    commands: [
      ...['20.20.2', '22.23.3', '24.21.0', '26.10.0'].map(onNode),
      ...['22.23.3', '24.21.0', '26.10.0'].map(onNodeWith5),
    ],
  },
  page: {
    what: 'pictures of the page: views, devices, themes, languages, times of a day and households',
    commands: ['mocha test/campaigns/page/*.test.ts'],
  },
  'page-sheets': {
    what: '120 pictures of the page on contact sheets, beside those of a mock-up that CEMM_MOCKUP names',
    commands: ['mocha test/campaigns/page/sheets.test.ts'],
  },
  'page-speed': {
    what: 'the page in a browser six times slower, the memory of a day of looking around, and a year of the demo',
    commands: [build, `${mocha} test/campaigns/page-speed/*.test.ts`],
  },
  webkit: {
    what: 'the page on a phone in the engine of Safari',
    commands: [build, `${mocha} test/campaigns/webkit/*.test.ts`],
  },
  visitors: {
    what: 'a visitor of the dashboard with 50 names for a minute, in one browser and in 50, beside the owner',
    commands: [build, `${mocha} test/campaigns/visitors/*.test.ts`],
  },
  'first-hour': {
    what: 'the first hour in Dutch, on a laptop, by keyboard and in the dark, and the pictures of Dutch pages',
    commands: onBoth('test/campaigns/first-hour/*.test.ts'),
  },
  hostile: {
    what: 'malformed requests, datagrams and bodies, and slow senders',
    commands: [build, 'tsx test/campaigns/hostile/run.ts'],
  },
  'protocol-faults': {
    what: 'every network fault at every endpoint',
    commands: ['tsx --max-old-space-size=128 test/campaigns/protocol-faults/run.ts'],
  },
  reports: {
    what: 'reports of 1,000 monitors with a secret in every field, and of every household with its day curves',
    commands: ['mocha --parallel --jobs 2 test/unit/report/*.test.ts'],
    env: { CEMM_CAMPAIGN: '1' },
  },
  'webhook-load': {
    what: 'slow clients and bursts at full size',
    commands: ['mocha test/process/webhook-load.test.ts'],
    env: { CEMM_CAMPAIGN: '1' },
  },
  redeploys: {
    what: 'full deploys while every node works',
    commands: [build, 'tsx test/campaigns/redeploys/run.ts'],
  },
  outage: {
    what: 'all monitors go offline and come back',
    commands: [build, 'tsx test/campaigns/outage/run.ts'],
  },
  soak: {
    what: 'half an hour of deliveries, polls, outages and deploys',
    commands: [build, 'tsx test/campaigns/soak/run.ts'],
  },
  fleet: {
    what: 'up to 10,000 monitors, with several Node-REDs, HAProxy, Mosquitto and InfluxDB',
    commands: [build, 'tsx test/campaigns/fleet/run.ts'],
  },
  mutation: {
    what: 'small changes to the source, which a test must notice',
    commands: ['node test/mutation/run.mjs'],
  },
};

function listCampaigns(): string {
  const width = Math.max(...Object.keys(campaigns).map((name) => name.length));
  return Object.entries(campaigns)
    .map(([name, { what }]) => `  ${name.padEnd(width)}  ${what}`)
    .join('\n');
}

function runNamedCampaign(name: string | undefined, options: readonly string[]): number {
  if (name === undefined) {
    console.log(`npm run campaign -- NAME [options]\n\n${listCampaigns()}`);
    return 0;
  }
  const campaign = Object.hasOwn(campaigns, name) ? campaigns[name] : undefined;
  if (campaign === undefined) {
    console.error(`There is no campaign ${name}:\n\n${listCampaigns()}`);
    return 2;
  }
  const env = { ...process.env, ...campaign.env };
  for (const command of campaign.commands) {
    const [program = '', ...args] = command.split(' ');
    const given = command === build ? [] : options;
    const { status } = spawnSync(program, [...args, ...given], { stdio: 'inherit', env });
    if (status !== 0) return status ?? 1;
  }
  return 0;
}

if (require.main === module) {
  const [name, ...options] = process.argv.slice(2);
  process.exitCode = runNamedCampaign(name, options);
}

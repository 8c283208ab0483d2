/**
 * Power Saver (node-red-contrib-power-saver) behind the format `prices`: it switches a load on and off at the cheap hours.
 * CEMM_POWER_SAVER is what `npm install` gets: by default the newest release of the registry, or else a tarball or a folder with its source.
 */
import should from 'should';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { collector, NodeRed, tab, type FlowNode } from '../../support/node-red/node-red';

const run = promisify(execFile);
const name = 'node-red-contrib-power-saver';
const given = process.env['CEMM_POWER_SAVER'] ?? `${name}@latest`;
const zone = 'Europe/Amsterdam';

/** Power Saver plans from this time, and its timers are 600 times as fast: two hours take twelve seconds. */
const morning = '2026-06-15T10:30:00+02:00';
const timers = { CEMM_TEST_CLOCK: morning, CEMM_TEST_TIMER_SPEED: '600' };

const prices = { currency: 'EUR', import: { value: 0.3, zones: [{ hours: '11-13', value: 0.1 }] } };
const strategy = {
  fromHour: '0',
  fromMinute: '0',
  toHour: '0',
  toMinute: '0',
  minutesOn: '120',
  maxPrice: '',
  doNotSplit: 'false',
  sendCurrentValueWhenRescheduling: true,
  outputIfNoSchedule: 'false',
  outputOutsidePeriod: 'false',
  outputValueForOn: 'true',
  outputValueForOff: 'false',
  outputValueForOntype: 'bool',
  outputValueForOfftype: 'bool',
  contextStorage: 'default',
};

const nodes: readonly FlowNode[] = [
  tab(),
  {
    id: 'house',
    type: 'cemm-connection',
    mode: 'demo',
    timezone: zone,
    prices: JSON.stringify(prices),
    pricesType: 'json',
  },
  {
    id: 'ask',
    type: 'inject',
    z: 'flow',
    props: [{ p: 'payload' }],
    payload: '{"balance":"prices"}',
    payloadType: 'json',
    repeat: '',
    once: false,
    wires: [['balance']],
  },
  {
    id: 'balance',
    type: 'cemm-balance',
    z: 'flow',
    connection: 'house',
    interval: 0,
    pricesType: 'connection',
    wires: [['planned']],
  },
  { id: 'planned', type: 'cemm-format', z: 'flow', format: 'prices', wires: [['time']] },
  {
    id: 'time',
    type: 'change',
    z: 'flow',
    rules: [{ t: 'set', p: 'payload.time', pt: 'msg', to: morning, tot: 'str' }],
    wires: [['saver']],
  },
  { id: 'saver', type: 'ps-strategy-lowest-price', z: 'flow', ...strategy, wires: [['load'], ['load'], ['schedule']] },
  ...collector('load'),
  ...collector('schedule'),
];

interface Switch {
  readonly time: string;
  readonly value: boolean;
}

describe('Power Saver', function () {
  this.timeout(300_000);
  let folder: string;
  let nodeRed: NodeRed;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cemm-power-saver-'));
    await run('npm', [
      'install',
      '--prefix',
      folder,
      '--install-links',
      '--omit=dev',
      '--no-audit',
      '--no-fund',
      given,
    ]);
    nodeRed = await NodeRed.start({
      modules: [join(folder, 'node_modules', name)],
      env: { TZ: zone, ...timers },
      flows: nodes,
    });
  });

  after(async () => {
    await nodeRed.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('switches a load on at the cheap hours of the prices, and off after them', async () => {
    await nodeRed.inject('ask');
    const [planned] = await nodeRed.waitForMessages('schedule', 1);
    const { schedule } = planned?.payload as { readonly schedule: readonly Switch[] };
    should(schedule.filter(({ value }) => value).map(({ time }) => new Date(time).toISOString())).deepEqual([
      '2026-06-15T09:00:00.000Z',
      '2026-06-16T09:00:00.000Z',
    ]);
    // Off at first, on at 11:00, off at 13:00.
    const switched = await nodeRed.waitForMessages('load', 3);
    should(switched.slice(0, 3).map(({ payload }) => payload)).deepEqual([false, true, false]);
  });
});

/** The example alarms in houses with one fault each: one text about that fault, and none from a house without a fault. */
import should from 'should';
import { randomBytes } from 'node:crypto';
import type { FaultName } from '../../../src/simulator/faults';
import type { HouseName } from '../../../src/simulator/houses';
import { createSimulatedClock } from '../../../src/simulator/simulated-clock';
import type { Simulator, SimulatorOptions } from '../../../src/simulator/simulator';
import { startSimulator } from '../../../src/simulator/start-simulator';
import { millis } from '../../../src/time/units';
import { exampleOf } from '../../support/node-red/import-menu';
import { collector, NodeRed, tab, together, type FlowNode } from '../../support/node-red/node-red';

/** After noon and night, and within the overload, which lasts until 18:15. */
const now = '2026-06-18T18:03:00+02:00';
const hmacKey = randomBytes(32).toString('hex');

interface House {
  readonly faults: readonly FaultName[];
  /** Days that the flow reads; the default of 35 would show nothing more. */
  readonly days: number;
  readonly phases?: number;
  readonly house?: HouseName;
  /** The wait is shorter than in the example. */
  readonly isAway?: boolean;
  /** The alarm of the quarter-hour is switched on, and looks more often than in the example. */
  readonly hasPeak?: boolean;
}

const houses: Readonly<Record<string, House>> = {
  healthy: { faults: [], days: 9 },
  water: { faults: ['water-leak'], days: 1 },
  // Gas only in p1 is estimated in every hour, and does not affect the others.
  standby: { faults: ['rising-standby'], days: 28, house: 'gas-in-p1' },
  sun: { faults: ['no-sun'], days: 9, house: 'gas-in-p1' },
  // One phase, as in the simulated house; three phases need a webhook.
  phase: { faults: ['overload'], days: 0, phases: 1 },
  delivered: { faults: ['overload'], days: 0, phases: 3 },
  quarter: { faults: ['overload'], days: 0, phases: 3, hasPeak: true },
  away: { faults: ['silent'], days: 0, isAway: true },
  cable: { faults: ['p1-pulled'], days: 0, isAway: true },
  unknown: { faults: ['null-values', 'water-leak', 'no-sun'], days: 9 },
};

/** The example for one house, with unique ids. */
function flowOf(name: string, example: readonly FlowNode[], monitor: Simulator): FlowNode[] {
  const { days, phases = 3, isAway = false, hasPeak = false } = houses[name] ?? { days: 0 };
  const text = JSON.stringify(example)
    .replaceAll('cemm-alarms', `house-${name}`)
    .replaceAll('cemm-demo-monitor', `monitor-${name}`);
  const changes: Readonly<Record<string, object>> = {
    [`monitor-${name}`]: {
      // The simulated houses have one MAC address, so days that are kept of one would be those of all.
      mode: 'local',
      host: new URL(String(monitor.local)).host,
      keepDays: false,
      language: 'nl',
      deadline: isAway ? 5 : 60,
    },
    [`house-${name}`]: {
      env: [
        ...environment(example).filter(({ name: one }) => one === 'texts'),
        { name: 'FUSE_A', type: 'num', value: '35' },
        { name: 'PHASES', type: 'num', value: String(phases) },
        { name: 'PEAK_SHARE', type: 'num', value: '90' },
      ],
    },
    [`house-${name}-grid`]: { interval: 10 },
    [`house-${name}-quarter`]: hasPeak ? { d: false, interval: 10 } : {},
    [`house-${name}-wait`]: isAway ? { duration: '1', units: 's' } : {},
    [`house-${name}-alarm`]: tap('alarm', name),
    [`house-${name}-debug`]: tap('error', name),
  };
  return (JSON.parse(text.replace('- 35 *', `- ${days} *`)) as FlowNode[]).map((node) => ({
    ...node,
    ...changes[node.id],
    ...(node.id === `house-${name}-days` && {
      wires: [...(node['wires'] as string[][]).map((w) => [...w, 'looked-at'])],
    }),
  }));
}

function environment(example: readonly FlowNode[]): { readonly name: string }[] {
  return example.find(({ type }) => type === 'tab')?.['env'] as { name: string }[];
}

function tap(collected: string, name: string): object {
  return { type: 'function', func: `msg.house = '${name}'; return msg;`, outputs: 1, wires: [[collected]] };
}

describe('the example alarms @node-red-5-daily', function () {
  this.timeout(900_000);
  const monitors = new Map<string, Simulator>();
  let nodeRed: NodeRed;

  before(async () => {
    nodeRed = await NodeRed.start({ env: { CEMM_TEST_CLOCK: now, TZ: 'Europe/Amsterdam' } });
    const clock = createSimulatedClock({ start: millis(Date.parse(now)) });
    const since = millis(Date.parse('2026-05-01T00:00:00+02:00'));
    for (const [name, { faults, house = 'standard' }] of Object.entries(houses)) {
      const options: SimulatorOptions = { localPort: 0, clock, since, faults, house };
      const webhook = { url: `${nodeRed.url}/delivered`, hmacKey, everySeconds: 86_400 };
      monitors.set(name, await startSimulator(name === 'delivered' ? { ...options, webhook } : options));
    }
    const example = await exampleOf(nodeRed, 'alarms');
    const deliveries: FlowNode = {
      id: 'deliveries',
      type: 'cemm-webhook-in',
      z: 'house-delivered',
      path: '/delivered',
      hmac: true,
      hmacKeyFrom: '',
      hmacKeyFromType: 'credential',
      wires: [['house-delivered-phase'], []],
    };
    const flows = [...monitors].map(([name, monitor]) => flowOf(name, example, monitor));
    const taps = [tab(), ...['alarm', 'error', 'looked-at'].flatMap((name) => collector(name))];
    await nodeRed.deploy(together([taps, ...flows, [deliveries]]), 'full', { deliveries: { hmacKey } });
  });

  after(async () => {
    await nodeRed.stop();
    await Promise.all([...monitors.values()].map((monitor) => monitor.close()));
  });

  it('send one text for each fault in the language of the connection, and none for a house without a fault', async () => {
    const delivered = monitors.get('delivered')?.webhook;
    for (let times = 0; times < 2; times += 1) should((await delivered?.sendNow())?.status).equal(200);
    const texts = async () =>
      (await nodeRed.messages('alarm')).map(
        ({ house, topic, payload }) => `${String(house)}: ${topic}: ${String(payload)}`,
      );
    await nodeRed.waitForMessages('alarm', 8, 200_000);
    // All houses that answer were checked.
    await nodeRed.waitForMessages('looked-at', Object.keys(houses).length - 1, 200_000);
    // No meter here sends a current: it comes from the power.
    const aPhase =
      '(?:Een fase voert 7\\d A\\. De zekering is 35 A\\. Geschat uit het vermogen\\.|' +
      'A phase carries 7\\d A\\. Its fuse is 35 A\\. Estimated from the power\\.)';
    const expected = [
      // A house tells its language with its first balance: what is sent before is in English.
      /^away: away: The monitor has not answered for ten minutes\.$/,
      /^cable: cable: De monitor krijgt al tien minuten geen nieuw vermogen van de slimme meter\. Kijk naar de P1-kabel\.$/,
      new RegExp(`^delivered: phase: ${aPhase}$`),
      new RegExp(`^phase: phase: ${aPhase}$`),
      /^quarter: peak: Dit kwartier gaat gemiddeld \d+\.\d{3} W vragen\. Het hoogste van deze maand is \d\.\d{3} W\. Zet iets uit\.$/,
      /^standby: standby: Het huis verbruikt ’s nachts elke week meer: nu \d{3} W, [34]\d W meer dan drie weken geleden\.$/,
      /^sun: sun: Geen zon tussen 12:00 en 14:00, waar die anders \d,\d kWh geeft\. Kijk naar de omvormer\.$/,
      /^water: water: Er liep elk uur van de nacht water: 72 L tussen 1:00 en 5:00\. Zoek naar een lek\.$/,
    ];
    const sent = (await texts()).sort();
    sent.should.have.length(expected.length);
    expected.forEach((text, index) => should(sent[index]).match(text));
    // Another run of the same day sends nothing more.
    const runs = (await nodeRed.messages('looked-at')).length;
    for (const name of ['water', 'sun', 'standby']) {
      await nodeRed.inject(`house-${name}-hourly`);
    }
    await nodeRed.waitForMessages('looked-at', runs + 3);
    (await texts()).should.have.length(expected.length);
  });
});

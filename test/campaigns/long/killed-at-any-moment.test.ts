/**
 * Power failures: Node-RED is killed (SIGKILL) at random moments over three simulated days, one of them of 25 hours. Everything
 * written by the flow is then complete, and only a message in flight at a kill is repeated, with the same id.
 *
 * The store of the test is `localfilesystem` with `cache: false`: every note of the node is on the disk before the message
 * leaves. With the cache, which is the default, a note reaches the disk `flushInterval` (30) seconds later, and a kill loses
 * the notes since then: still no message is lost, but those of these seconds are sent again, in other portions. The second test
 * checks exactly that.
 */
import { EventEmitter, once } from 'node:events';
import { mkdir, readFile, watch } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import should from 'should';
import type { SeriesPayload, SeriesPoint } from '../../../src/model/payload';
import { startSimulator } from '../../../src/simulator/start-simulator';
import type { Simulator } from '../../../src/simulator/simulator';
import { minuteMs, millis } from '../../../src/time/units';
import { fastClock } from '../../support/time/fast-clock';
import { NodeRed, tab, type FlowNode } from '../../support/node-red/node-red';
import { localConnection } from '../../support/node-red/remote-flow';
import { Random } from '../../support/random';
import { until } from '../../support/until';

const begin = Date.parse('2026-10-23T22:00:00.000Z');
/** Midnights in Amsterdam; the second of these days has 25 hours. */
const afterOneDay = Date.parse('2026-10-24T22:00:00.000Z');
const afterThreeDays = Date.parse('2026-10-26T23:00:00.000Z');
/** Three days in 22 s; more than three days if Node-RED starts slowly. */
const speed = 12_000;

function series(id: string, properties: object): FlowNode {
  return {
    id,
    type: 'cemm-series',
    z: 'flow',
    connection: 'connection',
    alias: 'p1',
    span: 'new',
    period: 'day',
    interval: 0,
    wires: [[`${id}-rows`]],
    ...properties,
  };
}

/**
 * Writes every message as one line, after a moment, like a database. It starts with a line end, because a kill may have cut the
 * previous line.
 */
function rows(id: string): FlowNode[] {
  return [
    {
      id: `${id}-rows`,
      type: 'function',
      z: 'flow',
      func: 'return { payload: "\\n" + JSON.stringify(msg.payload) };',
      outputs: 1,
      wires: [[`${id}-moment`]],
    },
    {
      id: `${id}-moment`,
      type: 'delay',
      z: 'flow',
      pauseType: 'delay',
      timeout: '50',
      timeoutUnits: 'milliseconds',
      wires: [[`${id}-file`]],
    },
    {
      id: `${id}-file`,
      type: 'file',
      z: 'flow',
      filename: `${id}.jsonl`,
      filenameType: 'str',
      appendNewline: false,
      createDir: false,
      overwriteFile: 'false',
      encoding: 'none',
      wires: [[]],
    },
  ];
}

const clockwork: FlowNode = {
  id: 'clockwork',
  type: 'inject',
  z: 'flow',
  props: [{ p: 'since', v: String(begin), vt: 'num' }],
  once: true,
  onceDelay: 0.1,
  repeat: '0.4',
  crontab: '',
  wires: [['minutes']],
};

function flowsFor({ local }: Simulator): FlowNode[] {
  return [
    tab(),
    localConnection({ local }, { id: 'connection', deadline: 25 }),
    clockwork,
    { ...clockwork, id: 'slowly', repeat: '1.5', wires: [['days', 'gas']] },
    series('minutes', {}),
    ...rows('minutes'),
    series('days', { period: 'month' }),
    ...rows('days'),
    series('gas', { alias: 'p1-gas' }),
    ...rows('gas'),
    { id: 'catch', type: 'catch', z: 'flow', scope: null, uncaught: false, wires: [['caught-rows']] },
    { ...rows('caught')[0], id: 'caught-rows', func: 'return { payload: "\\n" + JSON.stringify(msg.error) };' },
    ...rows('caught').slice(1),
  ] as FlowNode[];
}

interface Written {
  readonly messages: readonly SeriesPayload[];
  /** Lines cut off by a kill. */
  readonly torn: number;
}

async function written(userDir: string, id: string): Promise<Written> {
  const text = await readFile(join(userDir, `${id}.jsonl`), 'utf8').catch(() => '');
  const messages: SeriesPayload[] = [];
  let torn = 0;
  for (const line of text.split('\n').filter((line) => line !== '')) {
    try {
      messages.push(JSON.parse(line) as SeriesPayload);
    } catch {
      torn += 1;
    }
  }
  return { messages, torn };
}

function moments(messages: readonly SeriesPayload[]): number[] {
  return messages.flatMap(({ points }) => points.map(({ ts }) => ts));
}

/** The first message of each id; repeats must be exactly equal. */
function withoutRepeats(messages: readonly SeriesPayload[]): { messages: SeriesPayload[]; repeated: number } {
  const first = new Map<string, SeriesPayload>();
  let repeated = 0;
  for (const message of messages) {
    const known = first.get(message.id);
    if (known === undefined) {
      first.set(message.id, message);
      continue;
    }
    repeated += 1;
    message.points.should.eql(known.points);
  }
  return { messages: [...first.values()], repeated };
}

/** The most critical times of a kill: a request, the note before or after sending, a written row. */
const occasions = ['request', 'note', 'row'] as const;
type Occasion = (typeof occasions)[number];

/** Resolves at the next one. */
async function next(occasion: Occasion, monitor: EventEmitter, userDir: string): Promise<void> {
  const signal = AbortSignal.timeout(60_000);
  if (occasion === 'request') {
    await once(monitor, 'request', { signal });
    return;
  }
  const [dir, file] = occasion === 'row' ? [userDir, 'minutes.jsonl'] : [join(userDir, 'context/flow'), 'minutes.json'];
  // Node-RED creates the directory of a store at its first start.
  await mkdir(dir, { recursive: true });
  for await (const { filename } of watch(dir, { signal })) if (filename === file) return;
}

/** Kills the process a moment after the n-th occasion, drawn from the seed. */
async function killAtOccasion(
  nodeRed: NodeRed,
  occasion: Occasion,
  monitor: EventEmitter,
  random: Random,
): Promise<string> {
  const wanted = random.int(1, 3);
  const moreMs = random.int(0, occasion === 'request' ? 39 : 4);
  for (let count = 0; count < wanted; count += 1) await next(occasion, monitor, nodeRed.userDir);
  if (moreMs > 0) await sleep(moreMs);
  await nodeRed.stop({ keep: true, signal: 'SIGKILL' });
  return `${occasion} ${wanted} + ${moreMs} ms`;
}

interface Run {
  /** Source text of the store in settings.js. */
  readonly store: string;
  readonly kills: number;
  /** A midnight: everything before it must be written in the end. */
  readonly end: number;
}

describe('Node-RED killed at any moment', function () {
  this.timeout(900_000);
  const seed = Number(process.env['CEMM_TEST_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
  let simulator: Simulator;
  let nodeRed: NodeRed | null = null;

  before(function () {
    console.log(`      seed ${seed} (CEMM_TEST_SEED repeats it)`);
  });

  afterEach(async function () {
    if (nodeRed !== null && this.currentTest?.state === 'failed') console.log(nodeRed.log.slice(-3000));
    await nodeRed?.stop();
    nodeRed = null;
    await simulator.close();
  });

  /** Starts and kills Node-RED until the days have passed and all their samples are written. */
  async function live({ store, kills, end }: Run): Promise<string> {
    const random = new Random(seed);
    const { clock, env } = fastClock({ start: begin, speed });
    const monitor = new EventEmitter();
    simulator = await startSimulator({
      localPort: 0,
      clock,
      since: millis(begin - 3 * 24 * 60 * minuteMs),
      log: () => monitor.emit('request'),
    });
    const settings = `contextStorage: { default: { module: 'localfilesystem', config: ${store} } },`;
    nodeRed = await NodeRed.start({ settings, env, flows: flowsFor(simulator) });
    const { userDir } = nodeRed;
    const log: string[] = [];
    for (let kill = 0; kill < kills; kill += 1) {
      log.push(await killAtOccasion(nodeRed, occasions[kill % occasions.length] ?? 'request', monitor, random));
      nodeRed = await NodeRed.start({ env, userDir });
    }
    console.log(`      killed at ${log.join(', ')}`);
    const last = async (id: string): Promise<number> => moments((await written(userDir, id)).messages).at(-1) ?? 0;
    await until(
      'the end of the third day',
      async () => {
        const [minutes, days, gas] = await Promise.all(['minutes', 'days', 'gas'].map(last));
        return (
          Number(minutes) >= end - minuteMs &&
          Number(days) >= end - 1440 * minuteMs &&
          Number(gas) >= end - 5 * minuteMs
        );
      },
      120_000,
    );
    await nodeRed.stop({ keep: true });
    return userDir;
  }

  function holdsTheTruth(points: readonly SeriesPoint[]): void {
    const [monitor] = simulator.monitors;
    for (const { ts, power_w: power } of points) should(power).equal(monitor?.household.minute(millis(ts)).gridW);
  }

  it('writes every sample of three days, each once, whenever Node-RED is killed', async () => {
    const kills = 6;
    const userDir = await live({ store: '{ cache: false }', kills, end: afterThreeDays });
    for (const [id, length] of [
      ['minutes', minuteMs],
      ['gas', 5 * minuteMs],
      ['days', null],
    ] as const) {
      const { messages: all, torn } = await written(userDir, id);
      torn.should.be.belowOrEqual(kills);
      const { messages, repeated } = withoutRepeats(all);
      console.log(`      ${id}: ${all.length} messages, ${repeated} of them repeats, ${torn} torn`);
      repeated.should.be.belowOrEqual(kills, `${id}: at most the one in flight at each kill`);
      const sent = moments(messages);
      new Set(sent).size.should.equal(sent.length, `${id}: no sample in two messages`);
      sent.should.eql(
        [...sent].sort((a, b) => a - b),
        `${id}: in order`,
      );
      should(sent[0]).equal(begin);
      if (length === null) {
        const labels = sent.map((ts) => new Date(ts + 3 * 60 * minuteMs).toISOString().slice(0, 10));
        labels.slice(0, 3).should.eql(['2026-10-24', '2026-10-25', '2026-10-26']);
      } else {
        sent.should.eql(
          sent.map((_, index) => begin + index * length),
          `${id}: none missing`,
        );
      }
      if (id === 'minutes') holdsTheTruth(messages.flatMap(({ points }) => points));
    }
    (await written(userDir, 'caught')).messages.should.eql([]);
  });

  it('loses nothing either where the store writes later, and repeats only what that store forgot', async () => {
    const userDir = await live({ store: '{ flushInterval: 1 }', kills: 2, end: afterOneDay });
    const { messages } = await written(userDir, 'minutes');
    const points = messages.flatMap(({ points }) => points);
    holdsTheTruth(points);
    const sent = [...new Set(moments(messages))].sort((a, b) => a - b);
    sent.should.eql(sent.map((_, index) => begin + index * minuteMs));
  });
});

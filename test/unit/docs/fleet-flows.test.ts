/** The functions of the examples fleet-receiver, fleet-writer and gap-repair, and the logins of all examples of a fleet. */
import should from 'should';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';
import { createFormatter } from '../../../src/formats/formatter';
import { createPathPattern } from '../../../src/webhook/path-pattern';

interface ExampleNode {
  readonly id: string;
  readonly type: string;
  readonly func?: string;
  readonly initialize?: string;
  readonly credentials?: Readonly<Record<string, string>>;
  readonly [property: string]: unknown;
}

function example(name: string): ExampleNode[] {
  const folder = path.resolve(__dirname, '../../../examples', name.startsWith('fleet-') ? 'fleet' : 'influxdb');
  const file = path.join(folder, `${name}.json`);
  return JSON.parse(readFileSync(file, 'utf8')) as ExampleNode[];
}

function functionOf(name: string, id: string, part: 'func' | 'initialize' = 'func'): string {
  return example(name).find((node) => node.id === id)?.[part] ?? '';
}

interface Message {
  readonly topic: string;
  readonly payload: { readonly [field: string]: unknown };
}

/** The function between receiver and broker, with timers that the test runs. */
function receiver() {
  const id = 'cemm-fleet-in-hold';
  const memory = new Map<string, unknown>();
  const sent: Message[] = [];
  let timeout: (() => void) | null = null;
  let tick: (() => void) | null = null;
  const sandbox = vm.createContext({
    context: {
      get: (name: string) => memory.get(name),
      set: (names: string | string[], values: unknown) => {
        if (typeof names === 'string') memory.set(names, values);
        else names.forEach((name, place) => memory.set(name, (values as unknown[])[place]));
      },
    },
    node: { send: (message: Message) => sent.push(message) },
    setInterval: (callback: () => void) => (tick = callback),
    setTimeout: (callback: () => void) => (timeout = callback),
    clearTimeout: () => (timeout = null),
  });
  vm.runInContext(`(function () {${functionOf('fleet-receiver', id, 'initialize')}})()`, sandbox);
  const run = vm.runInContext(`(function (msg) {${functionOf('fleet-receiver', id)}})`, sandbox) as (
    message: object,
  ) => Message | null;
  return {
    sent,
    takes: (message: object): void => {
      should(run(message)).be.null();
    },
    /** The pause after the broker has returned. */
    waits: (): void => timeout?.(),
    ticks: (times: number): void => {
      for (let time = 0; time < times; time++) tick?.();
    },
  };
}

const there = { status: { fill: 'green' } };
const away = { status: { fill: 'red' } };
const delivery = (name: string, more: object = {}): object => ({
  topic: `cemm/${name}/webhook`,
  payload: { kind: 'webhook', installation: name, monitor: { id: null, cemm: 24000001 }, readings: [], ...more },
});

describe('the example fleet-receiver', () => {
  it('names a delivery after the MAC in its address, and leaves out what no meter has', () => {
    const { takes, waits, ticks, sent } = receiver();
    takes(there);
    waits();
    const readings = [
      { value: 1 },
      { value: null, missing: 'topic_not_valid' },
      { value: null, missing: 'no_recent_value' },
    ];
    takes(delivery('001a2b3c4d5e', { readings, raw: { more: 1 } }));
    takes(delivery('house-1'));
    ticks(1);
    should(sent[0]?.topic).equal('cemm/001a2b3c4d5e/webhook');
    should(sent[0]?.payload).containDeep({ monitor: { id: '001a2b3c4d5e', cemm: 24000001 }, raw: { more: 1 } });
    should(sent[0]?.payload['readings']).eql([readings[0], readings[2]]);
    should(sent[1]?.payload).containDeep({ monitor: { id: null } });
  });

  it('sends problems as they are', () => {
    const { takes, waits, ticks, sent } = receiver();
    takes(there);
    waits();
    const problem = { topic: 'cemm/house-1/problem', payload: { kind: 'problem', reason: 'stale' } };
    takes(problem);
    ticks(1);
    should({ ...sent[0] }).eql(problem);
  });

  it('passes on a burst in portions', () => {
    const { takes, waits, ticks, sent } = receiver();
    takes(there);
    waits();
    for (let index = 0; index < 50; index++) takes(delivery(`house-${index}`));
    sent.should.be.empty();
    ticks(1);
    sent.should.have.length(20);
    ticks(2);
    sent.map(({ topic }) => topic).should.eql(Array.from({ length: 50 }, (_, index) => `cemm/house-${index}/webhook`));
  });

  it('keeps the newest 20,000 while the broker is away, in their order, and sends them a while after it is back', () => {
    const { takes, waits, ticks, sent } = receiver();
    takes(away);
    for (let index = 0; index < 20_010; index++) takes(delivery(`house-${index}`));
    takes(there);
    takes(delivery('house-last'));
    ticks(5);
    sent.should.be.empty();
    waits();
    ticks(1001);
    sent.should.have.length(20_000);
    should(sent[0]?.topic).equal('cemm/house-11/webhook');
    should(sent.at(-1)?.topic).equal('cemm/house-last/webhook');
  });
});

describe('the points of the examples fleet-writer and gap-repair', () => {
  const timestamp = new Date(1_768_478_400_000);
  const tags = { monitor: '001a2b3c4d5e', meter: 'smartmeter-dsmr', topic: 'last/minute' };
  const fields = { power_import_w: 0, power_export_w: 688 };
  const minute = { measurement: 'cemm_window', tags, fields, timestamp };

  for (const [name, id] of [
    ['fleet-writer', 'cemm-fleet-out-minute'],
    ['gap-repair', 'cemm-gaps-minute'],
  ] as const) {
    const run = vm.runInNewContext(`(function (msg) {${functionOf(name, id)}})`) as (message: object) => {
      payload: unknown;
    };
    const write = (points: readonly object[]) => createFormatter('influx-lines')(run({ payload: points }));

    it(`${name} gives the past minute of a delivery the key of the same minute in a day series`, () => {
      const solar = { ...minute, tags: { ...tags, meter: 'zon' } };
      write([minute, solar]).should.deepEqual([
        {
          topic: '',
          payload: [
            'cemm_series,monitor=001a2b3c4d5e,meter=p1,step=PT1M power_w=-688 1768478400000',
            'cemm_window,monitor=001a2b3c4d5e,meter=zon,topic=last/minute power_import_w=0,power_export_w=688 1768478400000',
          ].join('\n'),
        },
      ]);
    });
  }
});

describe('the examples of a fleet', () => {
  const names = ['fleet-receiver', 'fleet-writer', 'fleet-worker', 'fleet-scheduler', 'gap-repair'];

  it('WA33: log in to broker and database with environment variables, and verify the certificate of the broker', () => {
    const nodes = names.flatMap(example);
    const brokers = nodes.filter(({ type }) => type === 'mqtt-broker');
    brokers.should.have.length(4);
    for (const { credentials, verifyservercert: checked } of brokers) {
      should(credentials).eql({ user: '${MQTT_USER}', password: '${MQTT_PASSWORD}' });
      should(checked).be.true();
    }
    const requests = nodes.filter(({ type }) => type === 'http request');
    requests.should.have.length(3);
    for (const { credentials, authType } of requests) {
      should(credentials).eql({ user: '${INFLUX_USER}', password: '${INFLUX_PASSWORD}' });
      should(authType).equal('basic');
    }
  });

  it('WA33: contain no key and no password', () => {
    for (const { id, credentials = {} } of names.flatMap(example)) {
      for (const value of Object.values(credentials)) should(value).match(/^\$\{[A-Z_]+\}$/, id);
    }
  });

  it('WA32: use a separate webhook port, with keys behind a function', () => {
    const hook = example('fleet-receiver').find(({ type }) => type === 'cemm-webhook-in');
    should(hook).containEql({
      listen: 'own',
      port: '${CEMM_RECEIVER_PORT}',
      hmacKeyFromType: 'jsonata',
      hmacKeyFrom: '$globalContext("cemmKey")(installation)',
    });
  });
});

describe('the names of installations on the page about fleets', () => {
  it('are those that a receiver reads from a URL', () => {
    const page = readFileSync(path.resolve(__dirname, '../../../docs/fleets.md'), 'utf8');
    const [, least = '', most = '', others = ''] =
      /has (\d+) to (\d+) letters, digits and ((?:`.` ?)+),/.exec(page) ?? [];
    const characters = others.replace(/[` ]/g, '').split('');
    should(characters).not.be.empty();
    const pattern = createPathPattern('/cemm/:installation');
    const isRead = (name: string): boolean => {
      const found = pattern?.match(`/cemm/${name}`);
      return found?.kind === 'installation' && found.installation === name;
    };
    for (let code = 0x21; code < 0x7f; code += 1) {
      const character = String.fromCharCode(code);
      should(isRead(`a${character}`)).equal(/[a-z\d]/i.test(character) || characters.includes(character), character);
    }
    should([least, most].map((length) => isRead('a'.repeat(Number(length))))).eql([true, true]);
    should(isRead('a'.repeat(Number(most) + 1))).be.false();
  });
});

/**
 * Every public function with every argument and option missing, null, of another type, or misspelled: a CemmError that names
 * the option as the library does, never a TypeError.
 */
import should from 'should';
import * as library from '../../../src/index';
import * as simulatorEntry from '../../../src/simulator/index';
import type {
  AllMetersOptions,
  BalanceOptions,
  BillChoice,
  BillOptions,
  Cemm3ConnectOptions,
  DemoConnectOptions,
  DiscoverOptions,
  FormatOptions,
  LocalConnectOptions,
  MeterOptions,
  MonitorOptions,
  NamedKey,
  RangeChoice,
  RecentChoice,
  RemoteConnectOptions,
  RequestOptions,
  WatchOptions,
  WebhookReceiverOptions,
} from '../../../src/index';
import { isRecord } from '../../../src/checks/record';
import { realtime } from '../../support/formats/payloads';

/** What was thrown in place of a CemmError, for the message of a test. */
function noCemmError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : `thrown: ${typeof error}`;
}

const { CemmError } = library;
type Values = Readonly<Record<string, unknown>>;

/** An argument of a call; `options` for an object whose properties are tried one by one. */
interface Argument {
  readonly name: string;
  readonly value: unknown;
  readonly needed: boolean;
  readonly options?: { readonly prefix: string; readonly needed: readonly string[] };
  /** Also valid, beside values of the type of `value`. */
  readonly takes?: readonly unknown[];
}

interface Call {
  readonly name: string;
  readonly run: (...args: readonly unknown[]) => unknown;
  readonly args: readonly Argument[];
}

const nothing = (): void => undefined;
const { signal } = new AbortController();
const request = { signal, deadlineMs: 20, patience: 'poll' } satisfies Required<RequestOptions>;
const ofMonitor = { ...request, monitor: '00:1A:2B:3C:4D:5E' } satisfies Required<MonitorOptions>;
const ofMeter = { ...ofMonitor, role: 'grid' } satisfies Required<MeterOptions>;
const ofAll = { ...ofMeter, onMeterError: nothing } satisfies Required<AllMetersOptions>;
const ofBalance = {
  ...ofMonitor,
  meters: { grid: ['p1'], production: [], gas: [], water: [] },
  step: 'PT1H',
  prices: { currency: 'EUR', import: 0.3 },
  peak: false,
  onMeterError: nothing,
  onProgress: nothing,
} satisfies Required<BalanceOptions>;
const billed = {
  from: '2025-10-01',
  to: '2025-10-02',
  batteriesKwh: [5],
  prices: [{ currency: 'EUR', import: 0.3 }],
  contracts: undefined,
} satisfies Required<BillChoice>;
const ofBill = {
  ...ofMonitor,
  meters: { grid: ['p1'], battery: ['mb6'] },
  onMeterError: nothing,
  onProgress: nothing,
} satisfies Required<BillOptions>;
const range = { unit: 'day', from: '2026-10-01', to: '2026-10-02' } satisfies Required<RangeChoice>;
const recent = { resolution: 'day', count: 2, include: 'x', meter: 'zon' } satisfies Required<RecentChoice>;
const watched = {
  monitor: '001a2b3c4d5e',
  role: 'grid',
  signal: AbortSignal.abort(),
  every: 1000,
  onAvailability: nothing,
} satisfies Required<WatchOptions>;

const common = { deadlineMs: 1000, timezone: 'Europe/Brussels', meters: [{ meter: 'mb2' }] };
const remote = {
  ...common,
  apiKey: 'demo',
  baseUrl: 'https://open-api.cemm.nl/v1/',
  keepIn: 'folder',
} satisfies Required<RemoteConnectOptions>;
const local = {
  ...common,
  host: '127.0.0.1:9',
  mac: '001a2b3c4d5e',
  allowLoopback: true,
  generation: 2,
  keepIn: 'folder',
  search: { waitMs: 1, broadcast: '127.0.0.1', port: 1 },
} satisfies Required<LocalConnectOptions>;
const cemm3 = {
  ...common,
  host: '127.0.0.1:9',
  mac: '001a2b3c4d5e',
  allowLoopback: true,
  generation: 3,
} satisfies Required<Cemm3ConnectOptions>;
const demo = { ...common, demo: true } satisfies Required<DemoConnectOptions>;
const discovery = {
  waitMs: 1,
  broadcast: '127.0.0.1',
  signal: AbortSignal.abort(),
  allowLoopback: true,
  port: 1,
} satisfies Required<DiscoverOptions>;
const named = { name: 'X-API-Key', key: 'a key' } satisfies Required<NamedKey>;
const receiver = {
  hmacKey: 'a key',
  previousHmacKey: 'another key',
  header: named,
  query: named,
  open: true,
  maxAgeMs: 1000,
  monitors: [1],
  timezone: 'Europe/Brussels',
  path: '/cemm/:installation',
  onDelivery: nothing,
  onProblem: nothing,
} satisfies Required<Omit<WebhookReceiverOptions, 'keys'>>;
const ofKeys = { ...receiver, hmacKey: undefined, previousHmacKey: undefined, keys: () => 'a key' };
const formatting = {
  fields: 'power_w',
  names: () => null,
  language: 'nl',
  expireAfter: 10,
  fetchButton: true,
  now: () => 0,
} satisfies Required<FormatOptions>;
const webhook = {
  url: 'http://127.0.0.1:9/',
  hmacKey: 'a key',
  headers: ['X-A: b'],
  everySeconds: 60,
  count: 1,
  type: 'post',
  topics: ['reading'],
  publicRequest: '/public-api/v1/timeseries',
} satisfies Required<simulatorEntry.WebhookOptions>;
const clock = simulatorEntry.createSimulatedClock({ speed: 0 });
const simulated = {
  localPort: 0,
  remotePort: 0,
  udpPort: 0,
  address: '127.0.0.1',
  house: 'standard',
  timezone: 'Europe/Brussels',
  clock,
  seed: 1,
  since: simulatorEntry.millis(clock.now() - 86_400_000),
  monitors: 1,
  apiKey: 'demo',
  promiseMs: 0,
  promiseRenews: false,
  promiseBody: 'string',
  monotonic: () => 0,
  dsmr: 5,
  modbus: 5,
  faults: [],
  log: nothing,
  webhook: undefined as never,
} satisfies Required<simulatorEntry.SimulatorOptions>;

function argument(name: string, value: unknown, takes: readonly unknown[] = []): Argument {
  return { name, value, needed: true, takes };
}

/** An object of options, of which `needed` may not be missing. */
function options(value: object, needed: readonly string[] = [], prefix = ''): Argument {
  const name = prefix === '' ? 'options' : prefix.slice(0, -1);
  return { name, value, needed: needed.length > 0, options: { prefix, needed } };
}

/** A function of the library, which knows its parameters by type only. */
function of(call: unknown): (...args: readonly unknown[]) => unknown {
  return call as (...args: readonly unknown[]) => unknown;
}

function method(name: string, of: () => object, args: readonly Argument[]): Call {
  return {
    name,
    args,
    run: (...given) => {
      const target = of();
      const found = Reflect.get(target, name.slice(name.indexOf('.') + 1)) as (...all: readonly unknown[]) => unknown;
      return found.apply(target, [...given]);
    },
  };
}

/** What a call leaves open is closed; the first period of a range is read. */
async function settled(result: unknown): Promise<void> {
  const value: unknown = await result;
  if (typeof value === 'function' && !('close' in value)) {
    (value as () => unknown)();
    return;
  }
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return;
  if (Symbol.asyncIterator in value) await (value as AsyncGenerator).next();
  if ('close' in value) await (value.close as () => Promise<void>)();
}

/** Values of every type, none of which an option means. */
const oddities: readonly unknown[] = [
  ...[null, true, false, 0, -1, NaN, '', 'x', [], [null], {}, nothing, Symbol('s'), 10n, new Date(NaN)],
];

function typeOf(value: unknown): string {
  return Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value;
}

describe('the arguments of public functions', function () {
  this.timeout(120_000);
  const house = { connections: [] as { close(): Promise<void> }[], cemm: {}, cemm3: {} };

  before(async () => {
    const cemm = await library.connect({ host: '127.0.0.1:9', allowLoopback: true });
    const third = await library.connect({ host: '127.0.0.1:9', generation: 3, allowLoopback: true });
    Object.assign(house, { cemm, cemm3: third, connections: [cemm, third] });
  });
  after(() => Promise.all(house.connections.map((connection) => connection.close())));

  const inHouse = (): object => house.cemm;
  const inThird = (): object => house.cemm3;
  const period = options({ day: '2026-10-25' }, ['day'], 'period.');
  const meter = argument('meter', 'p1');
  const calls: readonly Call[] = [
    { name: 'connect', run: of(library.connect), args: [options(remote, ['apiKey'])] },
    { name: 'connect', run: of(library.connect), args: [options(local, ['host'])] },
    { name: 'connect', run: of(library.connect), args: [options(cemm3, ['host'])] },
    { name: 'connect', run: of(library.connect), args: [options(demo, ['demo'])] },
    {
      name: 'discover',
      // Without options it searches for five seconds.
      run: (given = {}) => of(library.discover)(isRecord(given) ? { signal: AbortSignal.abort(), ...given } : given),
      args: [options(discovery)],
    },
    {
      name: 'createWebhookReceiver',
      run: of(library.createWebhookReceiver),
      args: [options(receiver, ['onDelivery'])],
    },
    { name: 'createWebhookReceiver', run: of(library.createWebhookReceiver), args: [options(ofKeys, ['onDelivery'])] },
    {
      name: 'createWebhookReceiver',
      run: (header) => of(library.createWebhookReceiver)({ onDelivery: nothing, header }),
      args: [{ ...options(named, ['name', 'key'], 'header.'), needed: false }],
    },
    { name: 'sign', run: of(library.sign), args: [argument('key', 'a key', [{}]), argument('body', '{}', [{}])] },
    {
      name: 'createFormatter',
      run: of(library.createFormatter),
      args: [argument('format', 'chart'), options(formatting)],
    },
    {
      name: 'a formatter',
      run: (message) => of(library.createFormatter('values'))(message),
      args: [{ ...argument('message', { payload: realtime }), needed: true }],
    },
    { name: 'startSimulator', run: of(library.startSimulator), args: [options(simulated)] },
    {
      name: 'startSimulator',
      run: (given) => of(simulatorEntry.startSimulator)({ clock, since: simulated.since, webhook: given }),
      args: [{ ...options(webhook, ['url'], 'webhook.'), needed: false }],
    },
    {
      name: 'createSimulatedClock',
      run: of(simulatorEntry.createSimulatedClock),
      args: [options({ start: 0, speed: 1 })],
    },
    { name: 'hoursAgo', run: of(simulatorEntry.hoursAgo), args: [argument('hours', 1)] },
    { name: 'daysAgo', run: of(simulatorEntry.daysAgo), args: [argument('days', 1), argument('localTime', '18:00')] },
    { name: 'millis', run: of(simulatorEntry.millis), args: [argument('value', 1)] },
    { name: 'toMacText', run: of(library.toMacText), args: [argument('id', '001a2b3c4d5e')] },
    method('cemm.monitors', inHouse, [options(request)]),
    method('cemm.meters', inHouse, [options(ofMonitor)]),
    method('cemm.realtime', inHouse, [{ ...meter, needed: false, takes: [{}] }, options(ofMeter)]),
    method('cemm.realtime', inHouse, [{ ...options(ofAll), name: 'meter', takes: ['p1'] }]),
    method('cemm.series', inHouse, [meter, period, options(ofMeter)]),
    method('cemm.seriesRange', inHouse, [meter, options(range, ['unit', 'from', 'to'], 'range.'), options(ofMeter)]),
    method('cemm.totals', inHouse, [meter, period, options(ofMeter)]),
    method('cemm.balance', inHouse, [period, options(ofBalance)]),
    method('cemm.balance', inHouse, [options({ period: 'now' }, ['period'], 'period.'), options(ofBalance)]),
    method('cemm.balanceRange', inHouse, [options(range, ['unit', 'from', 'to'], 'range.'), options(ofBalance)]),
    method('cemm.bill', inHouse, [options(billed, ['prices'], 'choice.'), options(ofBill)]),
    method('cemm.watch', inHouse, [
      argument('meter', 'p1', [null]),
      { ...options(watched), needed: true },
      argument('onReading', nothing),
      argument('onProblem', nothing),
    ]),
    method('cemm3.monitors', inThird, [options(request)]),
    method('cemm3.meters', inThird, [options(ofMonitor)]),
    method('cemm3.series', inThird, [
      argument('channel', 'a:b'),
      options(recent, ['count'], 'choice.'),
      options(ofMeter),
    ]),
  ];

  function withArgument(call: Call, at: number, value: unknown): unknown[] {
    return call.args.map((argument, index) => (index === at ? value : argument.value));
  }

  async function refusalOf(call: Call, args: readonly unknown[]): Promise<library.CemmError | null> {
    try {
      await settled(call.run(...args));
      return null;
    } catch (error) {
      should(error).be.instanceof(CemmError, noCemmError(error));
      return error instanceof CemmError ? error : null;
    }
  }

  /** The name in the sentence: `day` for `{ day }` of a period, `choice.count` for that of a choice. */
  function nameIn(argument: Argument, option: string): string {
    const prefix = argument.options?.prefix ?? '';
    return prefix === 'period.' ? option : `${prefix}${option}`;
  }

  function shouldName(error: library.CemmError | null, option: string, what: string): void {
    should(error?.code).be.equalOneOf('CONFIG', 'INPUT');
    const named = (error?.message ?? '').includes(`\`${option}\``);
    named.should.be.true(`${what}: ${String(error?.message)}`);
    should(error?.message ?? '').not.match(/\{\w+\}|undefined/);
  }

  it('are tried here for every function that the package exports', () => {
    const exported = [...Object.entries(library), ...Object.entries(simulatorEntry)]
      .filter(([, value]) => typeof value === 'function')
      .map(([name]) => name);
    const tried = new Set(calls.map(({ name }) => name));
    // An error is thrown by the library, and these two answer every value.
    const others = new Set(['CemmError', 'toMonitorId', 'isFaultName']);
    exported.filter((name) => !tried.has(name) && !others.has(name)).should.eql([]);
    for (const [name, target] of Object.entries({ cemm: house.cemm, cemm3: house.cemm3 })) {
      const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(target)).filter(
        (key) => !['constructor', 'timezone', 'frame', 'realtimeOfAll', 'balanceNow', 'balanceOf'].includes(key),
      );
      methods.filter((key) => !tried.has(`${name}.${key}`)).should.eql([]);
    }
    should([library.toMonitorId(undefined), library.toMonitorId('x')]).eql([null, null]);
    oddities.filter((value) => simulatorEntry.isFaultName(value as string)).should.eql([]);
  });

  /** Values of every type for one argument. */
  async function tryTypes(call: Call, at: number, argument: Argument): Promise<void> {
    for (const odd of [undefined, ...oddities]) {
      const error = await refusalOf(call, withArgument(call, at, odd));
      if (odd === undefined && !argument.needed) continue;
      const kinds = [argument.value, ...(argument.takes ?? [])].map(typeOf);
      const isMode = call.name === 'connect' && odd === undefined;
      const [first = argument.name] = argument.options?.needed ?? [];
      const name = odd === undefined && argument.name === 'options' ? first : argument.name;
      if (!kinds.includes(typeOf(odd)) && !isMode) shouldName(error, name, `${typeOf(odd)} for ${argument.name}`);
      else if (isMode) should(error?.reason).equal('mode');
    }
  }

  async function tryOptionTypes(call: Call, at: number, argument: Argument, option: string): Promise<void> {
    const given = argument.value as Values;
    const name = nameIn(argument, option);
    for (const odd of oddities) {
      const error = await refusalOf(call, withArgument(call, at, { ...given, [option]: odd }));
      const valid = ['house', 'date'].includes(option) || given[option] === undefined;
      const isDate = ['day', 'from', 'to'].includes(option) && ['number', 'object'].includes(typeOf(odd));
      const isKey = /hmacKey/i.test(option) || option === 'expireAfter';
      if (typeOf(odd) === typeOf(given[option]) || valid || isDate || isKey) continue;
      // Of several monitors any iterable object is taken.
      if (option === 'monitors' && call.name === 'createWebhookReceiver') continue;
      shouldName(error, name, `${typeOf(odd)} for ${name}`);
    }
  }

  async function tryWithoutOption(call: Call, at: number, argument: Argument, option: string): Promise<void> {
    const without = Object.fromEntries(Object.entries(argument.value as Values).filter(([key]) => key !== option));
    const name = nameIn(argument, option);
    for (const value of [without, { ...without, [option]: undefined }]) {
      const error = await refusalOf(call, withArgument(call, at, value));
      if (argument.options?.needed.includes(option) !== true) continue;
      if (argument.options.prefix === 'period.') should(error?.reason).equal('no_period', `no ${name}`);
      else if (call.name === 'connect' && !(option in value))
        should(error?.reason).be.equalOneOf('mode', 'option_unknown');
      else shouldName(error, name, `no ${name}`);
    }
  }

  async function tryMisspelled(call: Call, at: number, argument: Argument, option: string): Promise<void> {
    const misspelled = `${option.slice(0, -1)}${option.endsWith('q') ? 'w' : 'q'}`;
    const { [option]: value, ...others } = argument.value as Values;
    const error = await refusalOf(call, withArgument(call, at, { ...others, [misspelled]: value ?? 'x' }));
    should(error?.reason).equal('option_unknown', `${misspelled}: ${String(error?.message)}`);
    shouldName(error, nameIn(argument, misspelled), misspelled);
    should(error?.message).match(new RegExp(`Write \`${option}\`|There are: .*\\b${option}\\b`));
  }

  for (const name of new Set(calls.map((call) => call.name))) {
    it(`${name}: refuses each argument and option of another type, missing or misspelled`, async () => {
      for (const call of calls.filter((one) => one.name === name)) {
        for (const [at, argument] of call.args.entries()) {
          await tryTypes(call, at, argument);
          if (argument.options === undefined) continue;
          for (const option of Object.keys(argument.value as Values)) {
            await tryOptionTypes(call, at, argument, option);
            await tryWithoutOption(call, at, argument, option);
            await tryMisspelled(call, at, argument, option);
          }
        }
      }
    });
  }

  const sentences: readonly (readonly [string, () => unknown, RegExp])[] = [
    ['connect()', () => of(library.connect)(), /^Connect with one of `apiKey`, `host` and `demo`/],
    [
      "connect({ mode: 'remote', apiKey: undefined })",
      () => of(library.connect)({ mode: 'remote', apiKey: undefined }),
      /^`apiKey` is missing\. It must be a text: the key that CEMM gave you\.$/,
    ],
    [
      "connect({ hots: '192.168.1.20' })",
      () => of(library.connect)({ hots: '192.168.1.20' }),
      /^There is no option `hots`\. Write `host`\.$/,
    ],
    [
      "series('p1')",
      () => of(Reflect.get(house.cemm, 'series')).call(house.cemm, 'p1'),
      /^`period` is missing\. It must be an object, such as \{ day/,
    ],
    [
      "balance('now')",
      () => of(Reflect.get(house.cemm, 'balance')).call(house.cemm, 'now'),
      /^`period` must be an object, such as .*period: 'now'.*, and is a text\.$/,
    ],
    [
      "createFormatter('csv')",
      () => of(library.createFormatter)('csv'),
      /^`format` must be one of `values`, `rows`, .*\.$/,
    ],
    ["createFormatter('homeasistant')", () => of(library.createFormatter)('homeasistant'), / Write `homeassistant`\.$/],
  ];
  it('says what is missing, in a sentence', async () => {
    for (const [call, run, sentence] of sentences) {
      let message = '';
      try {
        await run();
      } catch (error) {
        message = error instanceof CemmError ? error.message : noCemmError(error);
      }
      message.should.match(sentence, call);
    }
  });

  it('never quotes a value, which may be a key', async () => {
    const secret = 'the-secret-key-of-a-house';
    const error = await refusalOf({ name: 'connect', run: of(library.connect), args: [] }, [
      { apiKey: [secret], baseUrl: secret },
    ]);
    should(error).be.ok();
    `${String(error?.message)} ${JSON.stringify(error)}`.should.not.containEql(secret);
  });
});

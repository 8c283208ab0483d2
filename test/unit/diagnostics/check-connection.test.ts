/** The connection check against simulated monitors and faults. */
import { join } from 'node:path';
import should from 'should';
import { flatten, languages, readTypeCatalogue } from '../../../scripts/build/catalogue';
import { systemClock } from '../../../src/time/clock';
import type { CheckedConnection } from '../../../src/diagnostics/check-target';
import { checkConnection, type CheckOptions } from '../../../src/diagnostics/connection-check';
import {
  failureWords,
  checkSteps,
  resultCodes,
  type CheckStepResult,
  findFailureCode,
} from '../../../src/diagnostics/check-steps';
import { startSimulator } from '../../../src/simulator/start-simulator';
import type { Simulator } from '../../../src/simulator/simulator';
import { millis } from '../../../src/time/units';
import { answer, faults, type FaultServer, json, silent, startFaultServer } from '../../support/network/fault-server';
import { weeksAgo } from '../../support/time/recent';

const key = 'unit-test-key-7a20';

function check(checked: CheckedConnection, more: Partial<CheckOptions> = {}): Promise<readonly CheckStepResult[]> {
  return checkConnection(checked, { signal: new AbortController().signal, deadlineMs: 10_000, ...more });
}

const local = (host: string): CheckedConnection => ({ mode: 'local', host, mac: null, allowLoopback: true });
const publicly = (host: string): CheckedConnection => ({ mode: 'public', host, mac: null, allowLoopback: true });
const remote = (baseUrl: string): CheckedConnection => ({ mode: 'remote', baseUrl, apiKey: key });

/** The results up to the last one that differs, such as `http ok`. */
function summary(rungs: readonly CheckStepResult[]): string {
  rungs.map(({ step }) => step).should.eql(checkSteps);
  const failed = rungs.findIndex(({ state }) => state === 'failed');
  if (failed >= 0) for (const rung of rungs.slice(failed + 1)) should(rung.word).equal('not_reached', rung.step);
  const { step, word } = rungs[failed] ?? { step: 'all', word: 'ok' };
  return `${step} ${word ?? ''}`;
}

describe('the connection check', function () {
  this.timeout(60_000);
  let simulator: Simulator;
  const servers: FaultServer[] = [];

  before(async () => {
    simulator = await startSimulator({ localPort: 0, remotePort: 0, since: weeksAgo(6), apiKey: key });
  });

  after(async () => {
    await Promise.all([simulator.close(), ...servers.map((server) => server.close())]);
  });

  it('passes every step of a local and of a remote connection', async () => {
    summary(await check(local(simulator.local ?? ''))).should.equal('all ok');
    const rungs = await check(remote(simulator.remote ?? ''));
    summary(rungs).should.equal('all ok');
    for (const { state, ms } of rungs) should(ms === null).equal(state === 'skipped');
  });

  it('RA40: reports at the TLS step that the key would be sent unencrypted, and sends nothing', async () => {
    for (const base of ['http://8.8.8.8/v1/', 'http://100.64.0.1:8080/v1', 'http://[2001:db8::1]/v1/']) {
      const rungs = await check(remote(base));
      summary(rungs).should.equal('tls CONFIG_base_scheme');
      should(rungs.find(({ step }) => step === 'tcp')?.state).equal('skipped');
    }
  });

  it('reports a clock that differs', async () => {
    const shifted = (ms: number) => ({ clock: { ...systemClock, now: () => millis(Date.now() + ms) } });
    const host = simulator.local ?? '';
    summary(await check(local(host), shifted(-10 * 60_000))).should.equal('clock clock_ahead');
    const late = await check(local(host), shifted(3 * 3_600_000));
    summary(late).should.equal('clock data_old');
    should(late.at(-1)?.values['minutes']).be.within(179, 181);
  });

  it('passes every step of a CEMM 3.0, and reports its generation', async () => {
    const rungs = await check(publicly(simulator.local ?? ''));
    summary(rungs).should.equal('all ok');
    const generation = (all: readonly CheckStepResult[]) =>
      all.find(({ step }) => step === 'monitor')?.values['generation'];
    should(generation(rungs)).equal(3);
    should(rungs.find(({ step }) => step === 'inventory')?.values).eql({ monitors: 1, meters: 4 });
    should(generation(await check(local(simulator.local ?? '')))).equal(2);
    should(generation(await check(remote(simulator.remote ?? '')))).be.undefined();
  });

  const wrongMode = [
    ['no-public-api', publicly, 'monitor CONFIG_mode_local'],
    ['no-open-api', local, 'monitor CONFIG_mode_public'],
    ['no-access', publicly, 'monitor AUTH_local_role'],
    ['html', publicly, 'monitor NOT_A_MONITOR_no_public_api'],
  ] as const;
  for (const [fault, way, expected] of wrongMode) {
    it(`ends at ${expected} with ${fault}`, async () => {
      simulator.faults.add(fault);
      try {
        summary(await check(way(simulator.local ?? ''))).should.equal(expected);
      } finally {
        simulator.faults.clear();
      }
    });
  }

  it('compares the clock of a CEMM 3.0 with the time that it sends', async () => {
    const shifted = (ms: number) => ({ clock: { ...systemClock, now: () => millis(Date.now() + ms) } });
    const host = simulator.local ?? '';
    summary(await check(publicly(host), shifted(-10 * 60_000))).should.equal('clock clock_ahead');
    const behind = await check(publicly(host), shifted(10 * 60_000));
    summary(behind).should.equal('clock clock_behind');
    should(behind.at(-1)?.values['seconds']).be.within(590, 610);
  });

  const answers = {
    'http NETWORK_reset': faults['closed before headers'],
    'http BAD_PAYLOAD_not_http': faults['garbage instead of HTTP'],
    'http NETWORK_timeout': silent,
    'monitor NOT_A_MONITOR': faults['HTML page'],
    'monitor REDIRECT': faults['redirect on the same host'],
    'monitor UPSTREAM': answer(500),
    'inventory INPUT_no_meters': json({ data: [] }),
  } as const;
  for (const [expected, act] of Object.entries(answers)) {
    it(`ends at ${expected} where that is so`, async () => {
      const root = json({ data: { mac: '00:1E:C0:85:96:CC', name: 'x', type: 'x', version: '1', core: '1' } });
      const isInventory = expected.startsWith('inventory');
      const server = await startFaultServer(({ path }) => (isInventory && path.endsWith('/v1/') ? root : act));
      servers.push(server);
      summary(await check(local(server.origin), { deadlineMs: 6_000 })).should.equal(expected);
    });
  }

  const root = { mac: '00:1E:C0:85:96:CC', name: 'x', type: 'x', version: '1', core: '1' };
  const meters = { data: [{ io_id: 1, port: 3, type: 'p1', alias: 'p1' }] };

  /** A local monitor with these meters and readings. */
  async function monitorWith(io: unknown, realtime: unknown): Promise<FaultServer> {
    const server = await startFaultServer(({ path }) =>
      path.endsWith('/v1/') ? json({ data: root }) : json(path.endsWith('/io') ? io : realtime),
    );
    servers.push(server);
    return server;
  }

  it('skips the clock without an electricity meter', async () => {
    const gasOnly = { data: [{ io_id: 2, port: 1, type: 'pulse', alias: 'gas' }] };
    const rungs = await check(local((await monitorWith(gasOnly, {})).origin));
    summary(rungs).should.equal('all ok');
    should(rungs.at(-1)).match({ step: 'clock', state: 'skipped', word: 'no_time' });
  });

  it('ends at clock no_time when the meter has no reading yet', async () => {
    const { origin } = await monitorWith(meters, { io_id: 1, data: { t1: [0, 0] }, totals: { t1: [0, 0] } });
    summary(await check(local(origin))).should.equal('clock no_time');
  });

  it('uses the newest time of readings and registers', async () => {
    const now = Date.now();
    const { origin } = await monitorWith(meters, {
      io_id: 1,
      data: { t1: [now - 86_400_000, 1] },
      totals: { t1: [now, 1] },
    });
    summary(await check(local(origin))).should.equal('all ok');
  });

  it('reads the electricity meter when there is no p1', async () => {
    const io = { data: [{ io_id: 2, type: 'gas', alias: 'gas' }, { io_id: 3, type: 's0', alias: 'boiler' }] }; // prettier-ignore
    const server = await monitorWith(io, { io_id: 3, data: { t1: [Date.now(), 1] } });
    summary(await check(local(server.origin))).should.equal('all ok');
    should(server.requests.at(-1)?.target).match(/\/boiler\/realtime/);
  });

  it('ends at inventory INPUT_no_monitors when the key has none', async () => {
    const server = await startFaultServer(() => json({ data: [] }));
    servers.push(server);
    summary(await check(remote(`${server.origin}/v1/`))).should.equal('inventory INPUT_no_monitors');
  });

  it('skips the clock of a CEMM 3.0 that does not send its time', async () => {
    const server = await startFaultServer(({ path }) =>
      json(path.endsWith('/cemm') ? { id: 1, mac: root.mac } : { meters: [{ id: 1, key: 'zon', channels: [] }] }),
    );
    servers.push(server);
    const rungs = await check(publicly(server.origin));
    summary(rungs).should.equal('all ok');
    should(rungs.at(-1)).match({ step: 'clock', state: 'skipped', word: 'no_time' });
  });

  it('looks up a name before it connects', async () => {
    const { port } = new URL(simulator.local ?? '');
    summary(await check(local(`localhost:${port}`))).should.equal('all ok');
    summary(await check(local('cemm.invalid'))).should.startWith('name NETWORK');
  });

  it('connects to addresses of the local network only', async () => {
    for (const host of ['127.0.0.1:9', 'http://127.0.0.1:9', '[::1]:9', '192.0.2.1', '[2001:db8::1]']) {
      const rungs = await check({ mode: 'local', host, mac: null, allowLoopback: false });
      summary(rungs).should.equal('name CONFIG_host_not_local');
    }
  });

  it('does not connect when it is cancelled before the start', async () => {
    const server = await startFaultServer(() => silent);
    servers.push(server);
    summary(await check(local(server.origin), { signal: AbortSignal.abort() })).should.equal('tcp NETWORK_timeout');
    should(server.requests).be.empty();
  });

  it('sends the first request without the key, and never reports the key', async () => {
    const server = await startFaultServer(() => answer(403));
    servers.push(server);
    const rungs = await check(remote(`${server.origin}/v1/`));
    summary(rungs).should.equal('key AUTH');
    JSON.stringify(rungs).should.not.containEql(key);
    const [first] = server.requests;
    should(first?.target).equal('/v1/');
    server.requests
      .slice(1)
      .every(({ target }) => target.includes(key))
      .should.be.true();
  });

  describe('of an address that a proxy may serve', () => {
    const names = ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY', 'no_proxy', 'NO_PROXY'];
    const before = new Map(names.map((name) => [name, process.env[name]]));
    const setEnvironment = (of: (name: string) => string | undefined): void => {
      for (const name of names) {
        const value = of(name);
        if (value === undefined) Reflect.deleteProperty(process.env, name);
        else process.env[name] = value;
      }
    };
    afterEach(() => {
      setEnvironment((name) => before.get(name));
    });

    const named = 'https://open-api.invalid/v1/';
    const numbered = 'https://127.0.0.1:9/v1/';
    const cases: readonly (readonly [string, Readonly<Record<string, string>>, isProxied: boolean])[] = [
      [named, {}, true],
      [named, { https_proxy: '' }, true],
      [named, { NO_PROXY: '.invalid' }, false],
      [named, { NO_PROXY: 'x,  *.invalid' }, false],
      [named, { NO_PROXY: '*' }, false],
      [named, { NO_PROXY: 'invalid' }, true],
      [named, { NO_PROXY: 'OPEN-API.invalid' }, false],
      [named, { NO_PROXY: 'open-api.invalid:443' }, false],
      [named, { NO_PROXY: 'open-api.invalid:444' }, true],
      [named, { NO_PROXY: 'open-api.invalid.' }, false],
      [named, { NO_PROXY: '*', no_proxy: 'other' }, true],
      [named, { NO_PROXY: '*', no_proxy: '' }, false],
      [numbered, { NO_PROXY: '127.0.0.0/8' }, false],
      [numbered, { NO_PROXY: '10.0.0.0/8' }, true],
      [numbered, { NO_PROXY: 'localhost' }, false],
      [numbered, { NO_PROXY: '127.0.0.1:9' }, false],
    ];
    for (const [baseUrl, env, isProxied] of cases) {
      it(`RA27: skips the steps below HTTP only if requests go there: ${baseUrl} ${JSON.stringify(env)}`, async () => {
        const proxy = await startFaultServer(() => answer(502));
        servers.push(proxy);
        setEnvironment((name) => ({ HTTPS_PROXY: proxy.origin, ...env })[name]);
        const rungs = await check(remote(baseUrl), { deadlineMs: 2_000 });
        should(proxy.requests.some(({ method }) => method === 'CONNECT')).equal(isProxied);
        const words = rungs.slice(0, 3).map(({ word }) => word);
        if (isProxied) words.should.eql([null, 'proxy', 'proxy']);
        else words.should.not.containEql('proxy');
      });
    }
  });

  it('stops at once when it is cancelled', async () => {
    const server = await startFaultServer(() => silent);
    servers.push(server);
    const stop = new AbortController();
    setTimeout(() => {
      stop.abort();
    }, 100);
    summary(await check(local(server.origin), { signal: stop.signal, deadlineMs: 600_000 })).should.startWith('http ');
  });
});

describe('the result codes of the connection check', () => {
  for (const language of languages) {
    it(`have a sentence each in ${language}`, () => {
      const sentences = flatten(readTypeCatalogue(join(__dirname, '../../..'), 'cemm-connection', language));
      failureWords.filter((word) => !sentences.has(`error.${word}`)).should.eql([]);
      resultCodes.filter((word) => !sentences.has(`connectionCheck.word.${word}`)).should.eql([]);
      checkSteps.filter((step) => !sentences.has(`connectionCheck.step.${step}`)).should.eql([]);
    });
  }

  it('fall back to the error code when a reason has no message', () => {
    findFailureCode({ code: 'NETWORK', reason: 'refused' }).should.equal('NETWORK_refused');
    findFailureCode({ code: 'NETWORK', reason: 'something of a stranger' }).should.equal('NETWORK');
    findFailureCode({ code: 'RATE' }).should.equal('RATE');
  });
});

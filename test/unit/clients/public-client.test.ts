/** The client of the public API against a fake device. */
import should from 'should';
import { createPublicClient } from '../../../src/clients/public-client';
import type { PublicClient, TimeseriesRequest } from '../../../src/clients/client';
import { mostEntries } from '../../../src/checks/limits';
import type { MonitorId } from '../../../src/protocol/mac';
import { millis } from '../../../src/time/units';
import { systemClock } from '../../../src/time/clock';
import {
  type Act,
  answer,
  type FaultServer,
  json,
  sendBytes,
  startFaultServer,
} from '../../support/network/fault-server';
import { askOptions, errorOf, mac, monitor, noon, publicRoot, root, week } from '../../support/clients/harness';

const other = 'd880394622b5' as MonitorId;
const otherRoot = { ...publicRoot, mac: 'D8:80:39:46:22:B5' };
const base = '/api/v1/public/';
const series = { data: [[noon, 5]] };

describe('public client', () => {
  /** Responses of the device by path after the base; 404 for all others. */
  let pages: Record<string, Act>;
  let server: FaultServer;
  let client: PublicClient;

  const asked = (): string[] => server.requests.map(({ path }) => path.replace(base, ''));
  const open = (options: { mac?: MonitorId } = {}): PublicClient => {
    client.close();
    client = createPublicClient({ host: server.origin, allowLoopback: true, ...options });
    return client;
  };
  const ask = (question: Partial<TimeseriesRequest> = {}) =>
    client.request({ kind: 'timeseries', monitor, ...week, ...question }, askOptions());

  beforeEach(async () => {
    pages = { cemm: json(publicRoot), timeseries: json(series), meters: json({ meters: [] }) };
    server = await startFaultServer(({ path }) => pages[path.replace(base, '')] ?? answer(404));
    client = createPublicClient({ host: server.origin, allowLoopback: true });
  });
  afterEach(async () => {
    client.close();
    await server.close();
  });

  it('requests the root on first contact only, while requests succeed', async () => {
    for (let question = 0; question < 3; question++) await ask();
    await client.request({ kind: 'catalogue', monitor }, askOptions());
    should(asked()).eql(['cemm', 'timeseries', 'timeseries', 'timeseries', 'meters']);
  });

  it('sends keys with a plain colon, then the other parameters', async () => {
    await ask();
    await ask({ channel: '17', resolution: 'hour', count: 48, include: '' });
    await ask({ channel: 'zon & zo:flow'.replaceAll(' ', '') });
    should(server.requests.slice(1).map(({ target }) => target)).eql([
      `${base}timeseries?channels=zon:flow&include=cemm&resolution=day&count=7`,
      `${base}timeseries?channels=17&resolution=hour&count=48`,
      `${base}timeseries?channels=zon%26zo:flow&include=cemm&resolution=day&count=7`,
    ]);
  });

  const wrong: readonly [string, Partial<TimeseriesRequest>, string][] = [
    ['no channel', { channel: '' }, 'channel'],
    ['a meter alone', { channel: 'zon' }, 'channel'],
    ['two channels', { channel: 'zon:flow,zon:volume' }, 'channel'],
    ['three levels', { channel: 'a:b:c' }, 'channel'],
    ['a path', { channel: 'zon: flow' }, 'channel'],
    ['a line break', { channel: 'zon:fl\now' }, 'channel'],
    ['no resolution', { resolution: '' }, 'resolution'],
    ['a resolution of two words', { resolution: 'per day' }, 'resolution'],
    ['none of them', { count: 0 }, 'count'],
    ['half of them', { count: 1.5 }, 'count'],
    ['no number of them', { count: NaN }, 'count'],
    ['too many', { count: mostEntries + 1 }, 'count'],
    ['an include of two words', { include: 'a b' }, 'include'],
  ];
  for (const [what, question, reason] of wrong) {
    it(`refuses ${what} before any request`, async () => {
      const error = await errorOf(ask(question));
      should([error.code, error.reason, error.endpoint]).eql(['INPUT', reason, 'timeseries']);
      should(error.message)
        .match(/^[A-Z`].*\.$/)
        .and.not.match(/[{}?]/);
      should(asked()).eql([]);
    });
  }

  it('reports the clock difference of the monitor', async () => {
    const clock = { ...systemClock, now: () => millis(noon * 1000 + 90_400) };
    client.close();
    client = createPublicClient({ host: server.origin, allowLoopback: true, clock });
    const [found] = (await client.request({ kind: 'identity' }, askOptions())).value;
    should(found).match({ id: monitor, cemm: 24000293, timezone: 'Europe/Amsterdam', clockDifferenceMs: -90_400 });
    pages['cemm'] = json({ mac });
    should((await client.request({ kind: 'identity' }, askOptions())).value[0]?.clockDifferenceMs).be.null();
  });

  it('refuses another monitor than the configured or first-seen one', async () => {
    const error = await errorOf(open({ mac: other }).request({ kind: 'identity' }, askOptions()));
    should([error.code, error.params['found']]).eql(['WRONG_MONITOR', mac]);
    open();
    await ask();
    pages['cemm'] = json(otherRoot);
    pages['timeseries'] = answer(500);
    await errorOf(ask());
    pages['timeseries'] = json(series);
    should((await errorOf(ask())).code).equal('WRONG_MONITOR');
  });

  it('reports another device instead of an unknown channel or list', async () => {
    await ask();
    pages = { cemm: json(otherRoot) };
    should((await errorOf(ask())).code).equal('WRONG_MONITOR');
    pages = { cemm: json(publicRoot) };
    should((await errorOf(ask())).code).equal('ALIAS');
    should((await errorOf(client.request({ kind: 'catalogue', monitor }, askOptions()))).code).equal('UNSUPPORTED');
  });

  it('names the mode to select when an older monitor answers', async () => {
    pages = { '/open-api/v1/': json(root) };
    for (const question of [client.request({ kind: 'identity' }, askOptions()), ask()]) {
      const error = await errorOf(question);
      should([error.code, error.reason, error.retryable]).eql(['CONFIG', 'mode_local', false]);
    }
  });

  for (const [name, act] of [
    ['404', answer(404)],
    ['a web page', answer(200, '<!doctype html>')],
    ['other JSON', json({ id: 7, name: 'printer' })],
    ['something else than HTTP', sendBytes('220 ftp ready\r\n')],
  ] as [string, Act][]) {
    it(`names the local role as one of the causes where ${name} comes`, async () => {
      pages = { cemm: act };
      const error = await errorOf(ask());
      should([error.code, error.reason]).eql(['NOT_A_MONITOR', 'no_public_api']);
      should(error.message).match(/local role/);
    });
  }

  it('reports a refusal as the local role, and transient failures as such', async () => {
    for (const status of [401, 403]) {
      pages['cemm'] = answer(status);
      const error = await errorOf(client.request({ kind: 'identity' }, askOptions()));
      should([error.code, error.reason, error.status]).eql(['AUTH', 'local_role', status]);
    }
    pages['cemm'] = answer(503);
    should((await errorOf(client.request({ kind: 'identity' }, askOptions()))).code).equal('UPSTREAM');
  });

  it('cancels requests in flight when it is closed', async () => {
    await ask();
    pages['timeseries'] = () => undefined;
    const question = errorOf(ask());
    client.close();
    should((await question).code).equal('CANCELLED');
  });
});

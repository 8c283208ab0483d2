/** The client of the Local Open API against a fake device. */
import should from 'should';
import { type Clock, systemClock } from '../../../src/time/clock';
import { createLocalClient, type LocalClient } from '../../../src/clients/local-client';
import type { MonitorId } from '../../../src/protocol/mac';
import {
  type Act,
  answer,
  type FaultServer,
  json,
  sendBytes,
  sendAndReset,
  startFaultServer,
} from '../../support/network/fault-server';
import { askOptions, errorOf, mac, monitor, noon, root } from '../../support/clients/harness';

const other = 'd880394622b5' as MonitorId;
const otherRoot = { data: { ...root.data, mac: 'D8:80:39:46:22:B5' } };
const realtime = { data: { t1: [1_700_000_000_000, 1] }, totals: { t1: [1_700_000_005_000, 2] } };
const ref = { monitor, alias: 'p1' };
const base = '/open-api/v1/';
const publicRoot = '/api/v1/public/cemm';

describe('local client', () => {
  /** Responses of the device by path after the base; 404 for all others. */
  let pages: Record<string, Act>;
  let server: FaultServer;
  let client: LocalClient;

  const asked = (): string[] => server.requests.map(({ path }) => path.slice(base.length));
  const open = (options: { mac?: MonitorId; clock?: Clock } = {}): LocalClient => {
    client.close();
    client = createLocalClient({ host: server.origin, allowLoopback: true, ...options });
    return client;
  };

  beforeEach(async () => {
    pages = { '': json(root), 'p1/realtime/': json(realtime) };
    server = await startFaultServer(({ path }) => pages[path.slice(base.length)] ?? answer(404));
    client = createLocalClient({ host: server.origin, allowLoopback: true });
  });
  afterEach(async () => {
    client.close();
    await server.close();
  });

  it('requests the root on first contact only, while requests succeed', async () => {
    for (let question = 0; question < 3; question++) await client.request({ kind: 'realtime', ...ref }, askOptions());
    should(asked()).eql(['', 'p1/realtime/', 'p1/realtime/', 'p1/realtime/']);
  });

  it('reads data and totals', async () => {
    const { value, requests, promises } = await client.request({ kind: 'realtime', ...ref }, askOptions());
    should([value.data.get('t1')?.value, value.totals?.get('t1')?.value, requests, promises]).eql([1, 2, 2, 0]);
  });

  it('LA2: verifies the device again after every failure', async () => {
    for (const failure of [
      answer(500),
      sendBytes('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'),
      sendAndReset(),
      answer(200, '{"data":7}'),
    ]) {
      await client.request({ kind: 'realtime', ...ref }, askOptions());
      const before = asked().length;
      pages['p1/realtime/'] = failure;
      await errorOf(client.request({ kind: 'realtime', ...ref }, askOptions()));
      pages['p1/realtime/'] = json(realtime);
      await client.request({ kind: 'realtime', ...ref }, askOptions());
      const after = asked().slice(before).join(' ');
      should(after).match(/^p1\/realtime\/ (p1\/realtime\/ )? p1\/realtime\/$/); // the root is the empty path
    }
  });

  it('LA2: refuses a monitor that is not the configured one, and names both', async () => {
    const error = await errorOf(open({ mac: other }).request({ kind: 'monitors' }, askOptions()));
    should([error.code, error.reason, error.retryable]).eql(['WRONG_MONITOR', 'other_mac', false]);
    should(error.params).eql({ expected: 'D8:80:39:46:22:B5', found: '00:1E:C0:85:96:CC' });
    should((await errorOf(client.request({ kind: 'realtime', monitor: other, alias: 'p1' }, askOptions()))).code).equal(
      'WRONG_MONITOR',
    );
    should(asked()).eql(['', '']);
  });

  it('accepts only the monitor that answered first', async () => {
    await client.request({ kind: 'realtime', ...ref }, askOptions());
    pages[''] = json(otherRoot);
    pages['p1/realtime/'] = answer(500);
    await errorOf(client.request({ kind: 'realtime', ...ref }, askOptions()));
    pages['p1/realtime/'] = json(realtime);
    should((await errorOf(client.request({ kind: 'realtime', ...ref }, askOptions()))).code).equal('WRONG_MONITOR');
    should(asked().slice(-1)).eql(['']);
    pages[''] = json(root);
    await client.request({ kind: 'realtime', ...ref }, askOptions());
  });

  it('reports another device instead of an unknown meter', async () => {
    await client.request({ kind: 'realtime', ...ref }, askOptions());
    pages = { '': json(otherRoot) };
    should((await errorOf(client.request({ kind: 'realtime', ...ref }, askOptions()))).code).equal('WRONG_MONITOR');
    pages = { '': answer(200, '<html>router</html>') };
    should((await errorOf(client.request({ kind: 'realtime', ...ref }, askOptions()))).code).equal('NOT_A_MONITOR');
  });

  it('reports an unknown meter when the expected monitor does', async () => {
    for (const alias of ['mb300', 'p2']) {
      const error = await errorOf(client.request({ kind: 'realtime', monitor, alias }, askOptions()));
      should([error.code, error.reason, error.alias, error.retryable]).eql(['ALIAS', 'no_meter', alias, false]);
    }
    should(asked()).eql(['', 'mb300/realtime/', 'p2/realtime/', '']);
  });

  for (const [name, act] of [
    ['404', answer(404)],
    ['401', answer(401)],
    ['a web page', answer(200, '<!doctype html>')],
    ['other JSON', json({ data: { name: 'printer' } })],
    ['a MAC that is none', json({ data: { mac: 'unknown' } })],
    ['something else than HTTP', sendBytes('220 ftp ready\r\n')],
  ] as [string, Act][]) {
    it(`rejects a root that answers ${name}`, async () => {
      pages[''] = act;
      for (const question of [
        client.request({ kind: 'monitors' }, askOptions()),
        client.request({ kind: 'realtime', ...ref }, askOptions()),
      ]) {
        const error = await errorOf(question);
        should([error.code, error.retryable]).eql(['NOT_A_MONITOR', false]);
      }
      // The other generation is requested each time, too.
      should(server.requests.map(({ path }) => path).sort()).eql([publicRoot, publicRoot, base, base]);
    });
  }

  it('names the mode to select when a CEMM 3.0 answers', async () => {
    await server.close();
    server = await startFaultServer(({ path }) => (path === publicRoot ? json({ id: 7, mac }) : answer(404)));
    for (const question of [
      open().request({ kind: 'monitors' }, askOptions()),
      client.request({ kind: 'realtime', ...ref }, askOptions()),
    ]) {
      const error = await errorOf(question);
      should([error.code, error.reason, error.retryable]).eql(['CONFIG', 'mode_public', false]);
      should(error.message).containEql('“my own network, CEMM 3.0 (public API)”');
    }
  });

  it('refuses a request for another monitor before sending it, when the monitor is known', async () => {
    const error = await errorOf(
      open({ mac: monitor }).request({ kind: 'realtime', monitor: other, alias: 'p1' }, askOptions()),
    );
    should([error.code, error.reason, error.requests]).eql(['INPUT', 'other_monitor', 0]);
    should(error.params).eql({ asked: 'D8:80:39:46:22:B5', expected: '00:1E:C0:85:96:CC' });
    should(asked()).eql([]);
  });

  it('refuses it after the root when the monitor was not known', async () => {
    should((await errorOf(client.request({ kind: 'meters', monitor: other }, askOptions()))).code).equal('INPUT');
    should(asked()).eql(['']);
  });

  it('lists the monitor of the root, requested anew each time', async () => {
    const { data } = root;
    for (let time = 0; time < 2; time++) {
      should((await client.request({ kind: 'monitors' }, askOptions())).value).eql([
        { id: monitor, name: data.name, type: data.type, version: data.version, core: data.core },
      ]);
    }
    should(asked()).eql(['', '']);
  });

  it('LA10: requests a period with a time in seconds', async () => {
    for (const unit of ['day', 'month', 'year'] as const) {
      pages[`p1/data/${unit}/`] = json({ io_id: '1', time: noon, data: { electric_power: [[1_700_000_000_000, 5]] } });
      const { value } = await client.request({ kind: 'series', ...ref, unit, time: noon }, askOptions());
      should([value.ioId, value.time]).eql([1, noon * 1000]);
    }
    should(server.requests.slice(1).map(({ target }) => target)).eql(
      ['day', 'month', 'year'].map((unit) => `${base}p1/data/${unit}/?time=${noon}`),
    );
  });

  it('rejects totals of a day without a request', async () => {
    const error = await errorOf(client.request({ kind: 'totals', ...ref, time: noon }, askOptions()));
    should([error.code, error.reason, asked().length]).eql(['UNSUPPORTED', 'local_totals', 0]);
  });

  describe('its meters', () => {
    const list = {
      data: [
        { io_id: 1, port: 3, type: 'p1', alias: 'p1' },
        { io_id: 2, port: 3, type: 'gas', alias: 'emucs-gas' },
      ],
    };

    it('come from the list of the device', async () => {
      pages['io'] = json(list);
      should((await client.request({ kind: 'meters', monitor }, askOptions())).value.map(({ alias }) => alias)).eql([
        'p1',
        'emucs-gas',
      ]);
      should(
        (await client.request({ kind: 'meter', monitor, alias: 'emucs-gas' }, askOptions())).value.map(
          ({ ioId }) => ioId,
        ),
      ).eql([2]);
      should((await errorOf(client.request({ kind: 'meter', monitor, alias: 's01' }, askOptions()))).code).equal(
        'ALIAS',
      );
      should(asked()).eql(['', 'io', 'io', 'io']);
    });

    it('come from the list with a slash when the path without redirects to it', async () => {
      pages['io'] = sendBytes('HTTP/1.1 301 Moved\r\nLocation: /open-api/v1/io/\r\nContent-Length: 0\r\n\r\n');
      pages['io/'] = json(list);
      should((await client.request({ kind: 'meters', monitor }, askOptions())).value.length).equal(2);
    });

    it('are found by requesting every known alias when there is no list', async () => {
      pages['s01/realtime/'] = json({ data: { electric_power: [0, 0] } });
      pages['pulse-1/realtime/'] = json({ data: {} });
      pages['mb3/realtime/'] = answer(412);
      const pauses: number[] = [];
      const impatient: Clock = {
        ...systemClock,
        after(delayMs, run) {
          if (delayMs !== 250) return systemClock.after(delayMs, run);
          pauses.push(delayMs);
          return systemClock.after(0, run);
        },
      };
      const found = open({ clock: impatient });
      const { value } = await found.request({ kind: 'meters', monitor }, askOptions());
      const bare = { ioId: null, port: null, type: null, portOption: null, fullId: null };
      should(value).eql([
        { ...bare, alias: 'p1' },
        { ...bare, alias: 's01' },
      ]);
      const aliases = asked().slice(3);
      should(asked().slice(0, 3)).eql(['', 'io', 'io/']);
      should(pauses.length).equal(aliases.length);
      should([aliases[0], aliases.at(-1), new Set(aliases).size]).eql(['p1/realtime/', 'mb24/realtime/', 15 + 24]);
      // A request by alias adds it to the list; a request for the list continues the search.
      pages['mb30/realtime/'] = pages['mb200/realtime/'] = json({ data: { electric_power: [0, 0] } });
      await found.request({ kind: 'realtime', monitor, alias: 'mb200' }, askOptions());
      const later = await found.request({ kind: 'meters', monitor, continueSearch: true }, askOptions());
      should(later.value.map(({ alias }) => alias)).eql(['p1', 's01', 'mb30', 'mb200']);
    });

    it('are requested by alias when there is no list', async () => {
      should((await client.request({ kind: 'meter', ...ref }, askOptions())).value.length).equal(1);
      should((await errorOf(client.request({ kind: 'meter', monitor, alias: 's03' }, askOptions()))).code).equal(
        'ALIAS',
      );
    });

    it('are not listed incompletely when the device fails in between', async () => {
      pages['p1-usb/realtime/'] = answer(500);
      should((await errorOf(client.request({ kind: 'meters', monitor }, askOptions()))).code).equal('UPSTREAM');
    });
  });

  it('moves to another address and verifies the monitor there', async () => {
    await client.request({ kind: 'realtime', ...ref }, askOptions());
    const moved = await startFaultServer(({ path }) => json(path === base ? root : realtime));
    const foreign = await startFaultServer(() => json(otherRoot));
    try {
      client.setHost(moved.origin);
      await client.request({ kind: 'realtime', ...ref }, askOptions());
      should(moved.requests.map(({ path }) => path)).eql([base, `${base}p1/realtime/`]);
      client.setHost(foreign.origin);
      should((await errorOf(client.request({ kind: 'realtime', ...ref }, askOptions()))).code).equal('WRONG_MONITOR');
      should(() => {
        client.setHost('http://x/y');
      }).throw({ code: 'CONFIG', reason: 'host_path' });
      client.setHost(moved.origin);
      await client.request({ kind: 'realtime', ...ref }, askOptions());
    } finally {
      client.close();
      await Promise.all([moved.close(), foreign.close()]);
    }
  });
});

/** The handlers of the connection dialog's admin routes. */
import type { NodeAPI } from 'node-red';
import should from 'should';
import { createAdminHandlers } from '../../../nodes/cemm-connection/admin-handlers';
import { connectionDefaults } from '../../../nodes/cemm-connection/config';
import { readSettings } from '../../../nodes/cemm-connection/settings';
import type { BodyReader } from '../../../nodes/lib/admin-routes';
import { connectionType } from '../../../nodes/lib/run/connection-node';
import { startSimulator } from '../../../src/simulator/start-simulator';
import { weeksAgo } from '../../support/time/recent';

const { signal } = new AbortController();
const key = 'key-of-the-handlers-test';
const variables: Readonly<Record<string, string>> = { CEMM_API_KEY: key };

function redWith(node: object | null): NodeAPI {
  const util = { getSetting: (_: unknown, name: string) => variables[name] };
  return { nodes: { getNode: () => node }, util } as unknown as NodeAPI;
}

function bodyWith(form: Readonly<Record<string, unknown>>): BodyReader {
  return (name) => form[name];
}

describe('the handlers of the connection dialog', function () {
  this.timeout(60_000);

  it('check a connection with the value of a variable as the key, and answer without it', async () => {
    const simulator = await startSimulator({ remotePort: 0, apiKey: key, since: weeksAgo(5) });
    try {
      const { check } = createAdminHandlers(redWith(null), () => null, true);
      const form = { ...connectionDefaults, mode: 'remote', baseUrl: simulator.remote };
      const { steps } = await check(bodyWith({ ...form, apiKey: '${CEMM_API_KEY}' }), signal);
      should(steps.filter(({ state }) => state === 'failed')).eql([]);
      should(JSON.stringify(steps)).not.containEql(key);
      const unset = await check(bodyWith({ ...form, apiKey: '${CEMM_NO_SUCH_KEY}' }), signal);
      should(unset.steps).match([{ state: 'failed', word: 'CONFIG' }]);
    } finally {
      await simulator.close();
    }
  });

  it('use the deployed connection of an unchanged form, also with a shard and contracts', async () => {
    const form = { ...connectionDefaults, mode: 'local' as const, host: '127.0.0.1:9', allowLoopback: true };
    const contracts = [{ name: 'Now', from: '2026-01-01', prices: '{"import":0.3}', pricesType: 'json' }];
    const stored = { ...form, shard: '1/2', contracts };
    const deployed = readSettings({ config: stored, apiKey: undefined, expand: (text) => text });
    let uses = 0;
    const connect = () => {
      uses += 1;
      return Promise.resolve({ listMonitors: () => Promise.resolve({ monitors: [] }) });
    };
    const { monitors } = createAdminHandlers(redWith({ type: connectionType, connect }), () => deployed, true);
    should(await monitors(bodyWith({ ...form, id: 'house' }), signal)).eql({ monitors: [], error: null });
    should(uses).equal(1);
    const moved = bodyWith({ ...form, id: 'house', host: '127.0.0.1:7' });
    should(await monitors(moved, signal)).eql({ monitors: [], error: 'NETWORK_refused' });
    should(uses).equal(1);
  });
});

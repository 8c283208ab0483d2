/** Lists of prices in a context: what a connection has read of them stays. */
import should from 'should';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BalancePayload } from '../../src/model/payload';
import { hourMs } from '../../src/time/units';
import { Flow, unload, watched } from '../support/flow/flow';
import { endSimulators, localConnection, simulate } from '../support/flow/simulated';

describe('the lists of prices that a connection reads', function () {
  this.timeout(120_000);
  let userDir: string;
  let flow: Flow;

  beforeEach(async () => {
    userDir = await mkdtemp(join(tmpdir(), 'cemm-lists-'));
  });
  afterEach(async () => {
    await unload();
    await endSimulators();
    await rm(userDir, { recursive: true, force: true });
  });

  const hour = Math.floor(Date.now() / hourMs) * hourMs;
  const list = (value: number, from: number) =>
    [-3, -2, -1, 1, 2].filter((at) => at >= from).map((at) => ({ start: hour + at * hourMs, value }));

  async function load(connection: object): Promise<void> {
    const simulator = await simulate();
    const node = { id: 'balance', type: 'cemm-balance', connection: 'connection', interval: 0 };
    flow = await Flow.load(
      [localConnection(simulator, connection), ...watched({ ...node, pricesType: 'connection' })],
      { userDir },
    );
  }

  function put(prices: object): void {
    flow.context('global', 'connection').set('prices', { currency: 'EUR', ...prices });
  }

  /** The price of hours from now. */
  async function priceAt(...hours: readonly number[]): Promise<unknown[]> {
    const count = flow.at('out').length;
    const [from, to] = [new Date(hour - 4 * hourMs), new Date(hour + 4 * hourMs)].map((at) => at.toISOString());
    flow.send('balance', { payload: { balance: 'prices', from, to } });
    const { points = [] } = (await flow.next('out', count + 1)).at(-1)?.payload as BalancePayload;
    return hours.map((at) => points.find(({ ts }) => ts === hour + at * hourMs)?.['price_import']);
  }

  for (const [where, connection] of [
    ['the prices', { prices: 'prices', pricesType: 'global' }],
    ['a contract', { contracts: [{ name: 'Mine', from: '2021-01-01', prices: 'prices', pricesType: 'global' }] }],
  ] as const) {
    it(`stay for the hours that are over: ${where}`, async () => {
      await load(connection);
      put({ import: { list: list(0.2, -3), plus: 0.05 } });
      should(await priceAt(-3, -2, -1, 1, 2)).deepEqual([0.25, 0.25, 0.25, 0.25, 0.25]);
      // The next list lacks an hour, and has other prices.
      put({ import: { list: list(0.4, -2), plus: 0.05 } });
      should(await priceAt(-3, -2, -1, 1, 2)).deepEqual([0.25, 0.25, 0.25, 0.45, 0.45]);
      await unload();
      await load(connection);
      put({ import: { list: list(0.3, 1), plus: 0.05 } });
      should(await priceAt(-3, -2, 0, 1)).deepEqual([0.25, 0.25, null, 0.35]);
    });
  }

  it('change with a list that a user types', async () => {
    const typed = (value: number) => ({
      prices: JSON.stringify({ currency: 'EUR', import: list(value, -3) }),
      pricesType: 'json',
    });
    await load(typed(0.2));
    should(await priceAt(-2)).deepEqual([0.2]);
    await unload();
    await load(typed(0.3));
    should(await priceAt(-2)).deepEqual([0.3]);
  });
});

/** Prices of a connection, which its balance nodes share. */
import should from 'should';
import { periodContaining, previousPeriod } from '../../src/calendar/periods';
import type { BalancePayload } from '../../src/model/payload';
import { millis } from '../../src/time/units';
import { Flow, unload, watched, type FlowNode, type LoadOptions, type Received } from '../support/flow/flow';
import { endSimulators, localConnection, simulate } from '../support/flow/simulated';

const prices = { currency: 'EUR', import: 0.25, export: 0.05, export_fee: 0.03, per_day: 1.2 };

function balance(properties: object = {}): FlowNode {
  const asked = { connection: 'connection', dateType: 'previous', interval: 0, pricesType: 'connection' };
  return { id: 'balance', type: 'cemm-balance', ...asked, ...properties };
}

function payloadOf(message: Received | undefined): BalancePayload {
  return message?.payload as BalancePayload;
}

/** The total by the sums of the payload. */
function expected({ values }: BalancePayload, taken: number, given: number, perDay: number): number {
  const { energy_import_kwh: bought, energy_export_kwh: sold } = values;
  return taken * Number(bought) - given * Number(sold) + perDay;
}

/** The label of yesterday, where the house is. */
function yesterday(): string {
  return previousPeriod(periodContaining('day', 'Europe/Amsterdam', millis(Date.now()))).label;
}

describe('the prices of a connection', function () {
  this.timeout(120_000);
  let flow: Flow;

  afterEach(async () => {
    delete process.env['CEMM_TEST_PRICES'];
    delete process.env['CEMM_TEST_GAS'];
    await unload();
    await endSimulators();
  });

  async function load(connection: object, node: object = {}, options: LoadOptions = {}): Promise<void> {
    const simulator = await simulate();
    flow = await Flow.load([localConnection(simulator, connection), ...watched(balance(node))], options);
  }

  async function answer(): Promise<BalancePayload> {
    const count = flow.at('out').length;
    flow.send('balance');
    return payloadOf((await flow.next('out', count + 1)).at(-1));
  }

  async function failure(): Promise<Received['error']> {
    flow.send('balance');
    const [caught] = await flow.next('errors');
    return caught?.error;
  }

  it('are those of its balance nodes that say so', async () => {
    await load({ prices: JSON.stringify(prices), pricesType: 'json' });
    const found = await answer();
    should(found.cost?.currency).equal('EUR');
    should(found.cost?.total).be.approximately(expected(found, 0.25, 0.05 - 0.03, 1.2), 1e-9);
    should(Number(found.cost?.import)).be.above(0);
  });

  it('are those of the contract that is valid on the day', async () => {
    const contracts = [
      { name: 'Old', until: '2020-12-31', prices: JSON.stringify({ ...prices, import: 9 }) },
      { name: 'New', from: '2021-01-01', prices: JSON.stringify(prices) },
      { name: 'Offer', prices: '{"currency":"EUR","import":0.5,"export":0.01}' },
    ];
    await load({ contracts, prices: '{"currency":"SEK","import":2}', pricesType: 'json' });
    const found = await answer();
    should(found.cost?.currency).equal('EUR');
    should(found.cost?.total).be.approximately(expected(found, 0.25, 0.05 - 0.03, 1.2), 1e-9);
  });

  it('are compared in a bill with each offer', async () => {
    const contracts = [
      { name: 'Mine', from: '2021-01-01', prices: JSON.stringify(prices) },
      { name: 'Offer of ${SUPPLIER}', prices: '{"currency":"EUR","import":0.1,"export":0.05}' },
    ];
    await load({ z: 'tab', contracts }, {}, { env: [{ name: 'SUPPLIER', type: 'str', value: 'Stroom BV' }] });
    const ask = async (question: object): Promise<BalancePayload> => {
      const count = flow.at('out').length;
      flow.send('balance', { payload: { balance: 'bill', ...question } });
      return payloadOf((await flow.next('out', count + 1)).at(-1));
    };
    const date = yesterday();
    const bill = await ask({ from: date, to: date });
    should(bill.contracts?.map(({ name }) => name)).deepEqual(['Mine', 'Offer of Stroom BV']);
    should(bill.bills).equal(undefined);
    should(bill).have.property('expected', null);
    should(bill.missing['expected']).equal('too_few_days');
    should(bill.contracts?.every(({ missing = {} }) => missing['due'] === undefined || bill.share !== 1)).equal(true);
    const other = await ask({ from: date, to: date, contracts: [{ name: 'Asked', prices }] });
    should(other.contracts?.map(({ name }) => name)).deepEqual(['Asked']);
    flow.send('balance', { payload: { balance: 'bill', prices: [prices], contracts: [{ name: 'Asked', prices }] } });
    const [caught] = await flow.next('errors');
    should(caught?.error?.message).match(/contracts and prices/);
  });

  it('count as before beside contracts without dates, which a bill compares with them', async () => {
    const contracts = [{ name: 'Offer', prices: '{"currency":"EUR","import":0.1,"export":0.05}' }];
    await load({ contracts, prices: JSON.stringify(prices), pricesType: 'json' });
    const found = await answer();
    should(found.cost?.total).be.approximately(expected(found, 0.25, 0.05 - 0.03, 1.2), 1e-9);
    const date = yesterday();
    flow.send('balance', { payload: { balance: 'bill', from: date, to: date } });
    const bill = payloadOf((await flow.next('out', 2)).at(-1));
    should(bill.contracts?.map(({ name }) => name)).deepEqual(['prices', 'Offer']);
    should(bill.contracts?.[0]?.due).be.approximately(Number(found.cost?.total), 1e-9);
  });

  it('are given to planners, without any request', async () => {
    const market = { start: '2021-01-01', value: 0.1 };
    const contracts = [
      { name: 'Mine', from: '2021-01-01', prices: { ...prices, import: { list: [market], plus: 0.15 } } },
    ];
    await load({ contracts });
    flow.send('balance', { payload: { balance: 'prices', question: 7 } });
    const found = payloadOf((await flow.next('out')).at(-1));
    should(found).containEql({ question: 7, complete: true });
    should(found.source.requests).equal(0);
    should(found.points?.length).be.within(47, 49);
    should(found.points?.at(-1)).containEql({ price_import: 0.25, price_export: 0.02 });
  });

  it('name the contract that cannot be used', async () => {
    const contracts = [
      { name: 'Mine', from: '2021-01-01', prices: JSON.stringify(prices) },
      { name: 'Other', from: '2026-01-01', until: '2026-12-31', prices: JSON.stringify(prices) },
    ];
    await load({ contracts });
    should((await failure())?.message).match(/“Mine” and “Other” have prices of the same medium/);
  });

  it('of a question with ten contracts of 40,000 entries name the contract with too many', async () => {
    await load({});
    const list = Array.from({ length: 40_000 }, (_, index) => ({ start: 1.7e12 + index * 3_600_000, value: 0.1 }));
    const contracts = Array.from({ length: 10 }, (_, index) => ({
      name: `Contract ${index}`,
      prices: { currency: 'EUR', import: { list } },
    }));
    flow.send('balance', { payload: { balance: 'bill', contracts } });
    const [caught] = await flow.next('errors');
    should(caught?.error?.code).equal('INPUT');
    should(caught?.error?.message).match(/msg\.payload\.contracts\[3\]\.prices/);
  });

  it('are not those of a node that has its own, or none', async () => {
    const simulator = await simulate();
    const own = { pricesType: 'json', prices: '{"currency":"SEK","import":2}' };
    const connection = localConnection(simulator, { prices: JSON.stringify(prices), pricesType: 'json' });
    flow = await Flow.load([connection, ...watched(balance(own))]);
    should((await answer()).cost?.currency).equal('SEK');
    await flow.deploy([connection, ...watched(balance({ pricesType: 'none' }))]);
    should((await answer()).cost).be.undefined();
  });

  it('are read from the global context with every balance', async () => {
    await load({ prices: 'house.prices', pricesType: 'global' });
    flow.context('global', 'connection').set('house', { prices });
    const before = await answer();
    should(before.cost?.total).be.approximately(expected(before, 0.25, 0.02, 1.2), 1e-9);
    flow.context('global', 'connection').set('house', { prices: { ...prices, import: 0.4 } });
    const after = await answer();
    should(after.cost?.total).be.approximately(expected(after, 0.4, 0.02, 1.2), 1e-9);
  });

  it('may be a variable', async () => {
    process.env['CEMM_TEST_PRICES'] = JSON.stringify({ currency: 'EUR', import: 0.5 });
    await load({ prices: '${CEMM_TEST_PRICES}', pricesType: 'json' });
    const whole = await answer();
    should(whole.cost?.import).be.approximately(0.5 * Number(whole.values['energy_import_kwh']), 1e-9);
  });

  for (const [place, connection, node] of [
    ['connection', { z: 'tab', prices: '${HOUSE_PRICES}', pricesType: 'json' }, {}],
    ['balance node', {}, { prices: '${HOUSE_PRICES}', pricesType: 'json' }],
  ] as const) {
    it(`may be a variable of Node-RED of the type JSON: ${place}`, async () => {
      const value = JSON.stringify({ currency: 'EUR', import: 0.5 });
      await load(connection, node, { env: [{ name: 'HOUSE_PRICES', type: 'json', value }] });
      const whole = await answer();
      should(whole.cost?.import).be.approximately(0.5 * Number(whole.values['energy_import_kwh']), 1e-9);
    });
  }

  it('may have a variable for one of them', async () => {
    process.env['CEMM_TEST_GAS'] = '0.125';
    await load({ prices: '{"currency":"EUR","import":"${CEMM_TEST_GAS}"}', pricesType: 'json' });
    const one = await answer();
    should(one.cost?.import).be.approximately(0.125 * Number(one.values['energy_import_kwh']), 1e-9);
  });

  it('are none if the connection has none', async () => {
    await load({});
    const found = await answer();
    should(found.cost).be.undefined();
    should(found.values['energy_import_kwh']).be.a.Number();
  });

  const wrong: readonly (readonly [string, object, string, RegExp])[] = [
    [
      'a wrong price',
      { prices: '{"currency":"EUR","import":[{"start":"2026","value":"a"}]}' },
      'CONFIG',
      /“Prices” in the connection .*import\[0\]\.value/,
    ],
    ['a name that no price has', { prices: '{"currency":"EUR","imprt":1}' }, 'CONFIG', /imprt/],
    ['no JSON', { prices: '{"currency":' }, 'CONFIG', /Prices/],
    [
      'a variable that is not set',
      { prices: '{"currency":"EUR","gas":"${CEMM_TEST_GAS}"}' },
      'CONFIG',
      /CEMM_TEST_GAS/,
    ],
    ['a variable for all that is not set', { prices: '${CEMM_TEST_PRICES}' }, 'CONFIG', /CEMM_TEST_PRICES/],
    ['a context without them', { prices: 'nowhere', pricesType: 'global' }, 'INPUT', /Prices/],
  ];
  for (const [title, connection, code, sentence] of wrong) {
    it(`are an error of the balance with ${title}`, async () => {
      await load({ pricesType: 'json', ...connection });
      const error = await failure();
      should(error?.code).equal(code);
      should(error?.message).match(sentence);
    });
  }

  it('are those of messages that are added up, too', async () => {
    const simulator = await simulate();
    const node = balance({ source: 'messages', dateType: 'current' });
    const realtime = { id: 'p1', type: 'cemm-realtime', connection: 'connection', alias: 'p1', interval: 0 };
    flow = await Flow.load([
      localConnection(simulator, { prices: JSON.stringify(prices), pricesType: 'json' }),
      { ...realtime, wires: [['balance'], []] },
      ...watched(node),
    ]);
    flow.send('p1');
    await flow.next('completed');
    should((await answer()).cost?.currency).equal('EUR');
  });

  it('need a connection, also for messages that are added up', async () => {
    const simulator = await simulate();
    flow = await Flow.load([
      localConnection(simulator),
      ...watched(balance({ source: 'messages', connection: '', dateType: 'current' })),
    ]);
    const error = await failure();
    should(error?.code).equal('CONFIG');
    should(error?.message).match(/connection/);
  });
});

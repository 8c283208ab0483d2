/** The form for prices in the dialogs, the JSON behind it, and the check of that JSON. */
import should from 'should';
import { priceProblem, pricesCheck } from '../../../nodes/lib/editor/prices/checks';
import {
  formOf,
  jsonOf,
  type PriceFields,
  type PriceForm,
  type PriceName,
  priceNames,
  shownNumber,
  storedNumber,
} from '../../../nodes/lib/editor/prices/form';
import { parsePrices } from '../../../src/balance/prices/prices';
import { priceNames as allNames } from '../../../src/balance/prices/prices-input';

const zone = 'Europe/Amsterdam';
const list = [
  { start: '2026-06-15', value: 0.2 },
  { start: '2026-07-01', value: { t1: 0.1, t2: 0.3 } },
];
const everything = {
  currency: 'EUR',
  import: { t1: 0.24, t2: 0.28 },
  export: 0.05,
  export_fee: 0.03,
  gas: 1.3,
  water: 1.1,
  per_day: 1.2,
  per_year: -628.96,
  peak: { per_kw_year: 53.25, at_least_kw: 2.5 },
};

function opened(json: string): PriceForm {
  const form = formOf(json, 'EUR');
  if (form === null) throw new Error(`There is no form for ${json}.`);
  return form;
}

/** The JSON after somebody has filled in fields. */
function filled(before: string, fields: Partial<Record<PriceName, Partial<PriceFields>>>, currency?: string): object {
  const form = opened(before);
  const prices = Object.fromEntries(
    priceNames.map((name) => [name, { ...form.prices[name], ...fields[name] }]),
  ) as PriceForm['prices'];
  const json = jsonOf({ currency: currency ?? form.currency, prices }, before);
  return json === '' ? {} : (JSON.parse(json) as object);
}

describe('the prices of an example', () => {
  const example = JSON.stringify({ currency: 'EUR', import: 0.25, export: 0.05, example: true });

  it('are those of the house as soon as one of them is typed', () => {
    should(filled(example, { import: { first: '0.31' } })).eql({ currency: 'EUR', import: 0.31, export: 0.05 });
    should(filled(example, { gas: { first: '1.3' } })).not.have.property('example');
  });

  it('stay those of an example as long as nothing is typed', () => {
    should(filled(example, {})).have.property('example', true);
    should(filled(example, {}, 'GBP')).have.property('example', true);
  });
});

describe('a number of the form', () => {
  it('is written as in the language of the editor, and stored as JSON', () => {
    for (const stored of ['0.25', '-628.96', '12', '${PRICE}', '', 'x.y']) {
      const isNumber = /^-?\d/.test(stored);
      const shown = shownNumber(stored, ',');
      should(shown).equal(isNumber ? stored.replace('.', ',') : stored);
      should(storedNumber(shown)).equal(stored);
      should(storedNumber(shownNumber(stored, '.'))).equal(stored);
    }
  });
});

describe('the form for prices', () => {
  it('has a field for every price that there is', () => {
    [...priceNames, 'currency', 'netting', 'example'].sort().should.deepEqual([...allNames].sort());
  });

  it('shows each price, and gives the same JSON back', () => {
    const json = JSON.stringify(everything);
    const form = opened(json);
    form.prices.import.should.deepEqual({ way: 'tariffs', first: '0.24', second: '0.28' });
    form.prices.export_fee.should.deepEqual({ way: 'one', first: '0.03', second: '' });
    form.prices.per_year.first.should.equal('-628.96');
    form.prices.peak.should.deepEqual({ way: 'one', first: '53.25', second: '2.5' });
    jsonOf(form, json).should.equal(json);
    should(priceProblem(json)).equal(null);
    parsePrices(everything, zone).currency.should.equal('EUR');
    const entries = Object.entries(opened(json).prices);
    filled('', Object.fromEntries(entries)).should.deepEqual(everything);
  });

  const kept: readonly (readonly [string, object])[] = [
    ['a list of prices', { import: list }],
    ['a list with taxes', { import: { list, times: 1.21, plus: 0.15 } }],
    ['a list for gas', { gas: [{ start: '2026', value: 1.3 }] }],
    ['tariffs for feed-in costs', { export_fee: { t1: 0.02, t2: 0.03 } }],
    ['a misspelled name', { imprt: 0.3 }],
    ['a peak of another form', { peak: { per_kw: 4 } }],
    ['three tariffs', { import: { t1: 0.1, t2: 0.2, t3: 0.3 } }],
    ['a null', { gas: null }],
  ];
  for (const [title, stored] of kept) {
    it(`keeps ${title} as it is, also while another price is entered`, () => {
      const before = JSON.stringify({ currency: 'EUR', ...stored });
      jsonOf(opened(before), before).should.equal(before);
      filled(before, { water: { first: '1,1' } }).should.deepEqual({ currency: 'EUR', ...stored, water: 1.1 });
    });
  }

  it('takes a list away only when another kind of price is chosen, and has it back after that', () => {
    const before = JSON.stringify({ currency: 'EUR', import: list });
    opened(before).prices.import.way.should.equal('other');
    filled(before, { import: { way: 'one', first: '0,3' } }).should.deepEqual({ currency: 'EUR', import: 0.3 });
    // A number that was typed in between is still in the field.
    const back = { way: 'other', first: '0,3' } as const;
    filled(before, { import: back }).should.deepEqual({ currency: 'EUR', import: list });
  });

  it('begins blank with the proposed currency, and has no property for a blank field', () => {
    const form = opened('');
    form.currency.should.equal('EUR');
    jsonOf(form, '').should.equal('');
    filled('', { import: { first: '0,25' } }).should.deepEqual({ currency: 'EUR', import: 0.25 });
    filled('', { import: { first: '0,25' } }, ' SEK ').should.deepEqual({ currency: 'SEK', import: 0.25 });
    filled('', { import: { way: 'tariffs' }, gas: { first: ' ' } }).should.deepEqual({});
    filled('', { import: { way: 'other' } }).should.deepEqual({});
    const full = JSON.stringify(everything);
    const peak = { way: 'one', first: '', second: '' } as const;
    filled(full, { peak, import: { first: '', second: '' } }).should.have.properties(['export', 'gas']);
    filled(full, { peak, import: { first: '', second: '' } }).should.not.have.any.keys('peak', 'import');
  });

  const numbers: readonly (readonly [string, unknown])[] = [
    ['0,25', 0.25],
    ['0.25', 0.25],
    [' 1 ', 1],
    [',5', 0.5],
    ['-628,96', -628.96],
    ['−628,96', -628.96],
    ['0', 0],
    ['1.234,56', '1.234,56'],
    ['1e3', '1e3'],
    ['25 ct', '25 ct'],
    ['${GAS}', '${GAS}'],
  ];
  for (const [written, value] of numbers) {
    it(`reads ${written} as ${JSON.stringify(value)}`, () => {
      filled('', { gas: { first: written } }).should.deepEqual({ currency: 'EUR', gas: value });
    });
  }

  it('does not take one of two tariffs for the price of both', () => {
    const json = filled('', { import: { way: 'tariffs', first: '0,24' } });
    json.should.deepEqual({ currency: 'EUR', import: { t1: 0.24, t2: '' } });
    should(priceProblem(JSON.stringify(json))).deepEqual({ is: 'number', path: 'import.t2' });
  });

  it('has no form for what is no object of prices', () => {
    for (const json of ['{', '[]', '3', '"EUR"', 'null', '${PRICES}']) should(formOf(json, 'EUR')).equal(null);
  });
});

describe('the check of prices', () => {
  const right: readonly object[] = [
    everything,
    { currency: 'EUR' },
    { currency: 'EUR', example: true },
    { currency: 'kr', import: null, peak: null, example: null },
    {
      currency: 'EUR',
      import: list,
      export: { list, times: 1.21 },
      gas: { list: [{ start: '2026', value: 1 }], plus: null },
    },
    { currency: 'EUR', peak: { per_kw_year: 53.25 } },
    { currency: 'EUR', import: 300 },
    { currency: 'EUR', import: { value: 0.25, zones: [{ months: 'Nov-Mar', hours: '17-22', value: 0.35 }] } },
    { currency: 'EUR', export: { list: [{ start: '2026', value: 1 }], every: '1h' } },
  ];
  for (const prices of right) {
    it(`takes what the node takes: ${JSON.stringify(prices)}`, () => {
      should(priceProblem(JSON.stringify(prices))).equal(null);
      parsePrices(prices, zone).should.have.property('currency');
    });
  }

  const wrong: readonly (readonly [string, string, string])[] = [
    ['{"currency":"EUR","imprt":0.3}', 'unknown', 'imprt'],
    ['{"currency":"EUR","import":{"t1":0.3,"t2":0.2,"t3":0.1}}', 'unknown', 'import.t3'],
    ['{"currency":"EUR","export":[{"start":"2026","ends":"2027","value":1}]}', 'unknown', 'export[0].ends'],
    ['{"currency":"EUR","export":{"list":[{"start":"2026","value":1}],"time":2}}', 'unknown', 'export.time'],
    ['{"currency":"EUR","export":{"list":[{"start":"2026","value":"1"}]}}', 'number', 'export.list[0].value'],
    ['{"currency":"EUR","export":{"list":[{"start":"2026","value":1}],"times":"2"}}', 'number', 'export.times'],
    ['{"currency":"EUR","export":{"list":2}}', 'number', 'export.list'],
    ['{"currency":"EUR","export":[2]}', 'number', 'export[0]'],
    ['{"currency":"EUR","peak":{"per_kw_year":50,"from":2.5}}', 'unknown', 'peak.from'],
    ['{"currency":"EUR","peak":{"at_least_kw":2.5}}', 'number', 'peak.per_kw_year'],
    ['{"currency":"EUR","peak":{"per_kw_year":-1}}', 'number', 'peak.per_kw_year'],
    ['{"currency":"EUR","peak":50}', 'number', 'peak'],
    ['{"currency":"EUR","gas":{"t1":1,"t2":2}}', 'number', 'gas'],
    ['{"currency":"EUR","gas":1e7}', 'number', 'gas'],
    ['{"currency":"EUR","example":"yes"}', 'number', 'example'],
    ['{"import":0.2}', 'currency', 'currency'],
    ['{"currency":"Euros of ours"}', 'currency', 'currency'],
    ['{"currency":"EUR","import":"much"}', 'number', 'import'],
    ['{"currency":"EUR","export":{"t1":0.1}}', 'number', 'export.t2'],
    ['{"currency":"EUR","import":{"zones":[{"days":"Mo-Fr","value":1}]}}', 'zone', 'import.zones[0].days'],
    ['{"currency":"EUR","import":{"zones":[{"hours":"17","value":1}]}}', 'zone', 'import.zones[0].hours'],
    ['{"currency":"EUR","import":{"zones":[{"month":"Jan","value":1}]}}', 'unknown', 'import.zones[0].month'],
    ['{"currency":"EUR","import":{"zones":[]}}', 'number', 'import.zones'],
    ['{"currency":"EUR","import":{"zones":[{"hours":"17-22"}]}}', 'number', 'import.zones[0].value'],
    ['{"currency":"EUR","export":{"list":[{"start":"2026","value":1}],"every":"15m"}}', 'number', 'export.every'],
    ['{"currency":"EUR","gas":[]}', 'number', 'gas'],
    ['{"currency":"EUR","per_day":"1"}', 'number', 'per_day'],
    ['{"currency":"EUR","per_year":{"t1":1,"t2":1}}', 'number', 'per_year'],
  ];
  for (const [json, is, path] of wrong) {
    it(`names what is wrong in ${json}, as the node does`, () => {
      should(priceProblem(json)).deepEqual({ is, path });
      should(() => parsePrices(JSON.parse(json), zone)).throw({ code: 'INPUT', reason: 'prices', params: { path } });
    });
  }

  const check = pricesCheck((key) => key);
  const result = (prices: string, pricesType: string, connection = '') =>
    check(prices, { textOf: (name) => ({ prices, pricesType, connection })[name] ?? '', mode: null });

  it('names a price as the dialog does, and a part of a list by its place', () => {
    result('{', 'json').should.deepEqual({ key: 'check.prices.json' });
    result('', 'json').should.deepEqual({ key: 'check.prices.blank' });
    const named = (price: string) => ({ key: 'check.prices.number', values: { price } });
    result('{"currency":"EUR","import":{"t1":1,"t2":""}}', 'json').should.deepEqual(named('form.price.import'));
    result('{"currency":"EUR","import":[3]}', 'json').should.deepEqual(named('import[0]'));
    result('{"currency":"EUR","gas":"${GAS}"}', 'json').should.equal(true);
  });

  it('needs a connection for the prices of the connection', () => {
    result('', 'connection').should.deepEqual({ key: 'check.prices.connection' });
    result('', 'connection', 'c').should.equal(true);
    result('', 'none').should.equal(true);
  });
});

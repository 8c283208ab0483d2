/** The contracts of a connection and of a question: wrong ones name their place. */
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import should from 'should';
import {
  parseContractRows,
  parseContractsAsked,
  parseHouseContracts,
} from '../../../src/balance/prices/house-contracts';
import { readContractRows } from '../../../src/balance/prices/contract-rows';
import { runAtOnce } from '../../../src/time/pause';
import { zone } from '../../support/balance/small-house';
import { thrownBy } from '../../support/formats/errors';

const prices = { currency: 'EUR', import: 0.25 };
const mine = { name: 'Mine', from: '2026-01-01', until: '2026-12-31', prices };

interface Refused {
  readonly list: WeakRef<object>;
  /** What the error names. */
  readonly place: unknown;
}

function problemIn(value: unknown): string {
  const { code, reason, params } = thrownBy(() => parseContractRows(value));
  return [code, reason, params['path'] ?? `${params['other']} and ${params['contract']}`].join(' ');
}

describe('contracts', () => {
  const wrong: [string, unknown, string][] = [
    ['no list', {}, 'CONFIG contracts contracts'],
    [
      'more than 20',
      Array.from({ length: 21 }, (_, index) => ({ name: `${index}`, prices })),
      'CONFIG contracts contracts',
    ],
    ['an entry that is none', [mine, 'Mine'], 'CONFIG contracts contracts[1]'],
    ['an unknown property', [{ ...mine, form: '2026' }], 'CONFIG contracts contracts[0].form'],
    ['no name', [{ ...mine, name: ' ' }], 'CONFIG contracts contracts[0].name'],
    ['a name of 41 characters', [{ ...mine, name: 'x'.repeat(41) }], 'CONFIG contracts contracts[0].name'],
    ['a name twice', [mine, { name: 'Mine', prices }], 'CONFIG contracts contracts[1].name'],
    ['no date', [{ ...mine, from: '2026' }], 'CONFIG contracts contracts[0].from'],
    ['a day that does not exist', [{ ...mine, until: '2026-02-30' }], 'CONFIG contracts contracts[0].until'],
    ['a last day before the first', [{ ...mine, until: '2025-12-31' }], 'CONFIG contracts contracts[0].until'],
    ['no prices', [{ ...mine, prices: '' }], 'CONFIG contracts contracts[0].prices'],
    ['another kind of prices', [{ ...mine, pricesType: 'flow' }], 'CONFIG contracts contracts[0].pricesType'],
    [
      'the same days for the same medium',
      [mine, { name: 'Next', from: '2026-12-31', prices: JSON.stringify(prices) }],
      'CONFIG contracts_overlap Mine and Next',
    ],
    [
      'an open end',
      [
        { ...mine, until: null },
        { ...mine, name: 'Next', from: '2030-01-01', until: null },
      ],
      'CONFIG contracts_overlap Mine and Next',
    ],
  ];
  for (const [what, value, problem] of wrong) {
    it(`refuse ${what}`, () => {
      problemIn(value).should.equal(problem);
    });
  }

  it('may follow each other, change gas on another day, and be offers at any time', () => {
    parseContractRows([
      mine,
      { name: 'Next', from: '2027-01-01', prices },
      { name: 'Gas', from: '2026-06-01', until: '', prices: { currency: 'EUR', gas: 1.2 } },
      { name: 'Offer', prices },
    ]).should.have.length(4);
  });

  it('are checked again with the prices of a context', () => {
    const rows = readContractRows([
      mine,
      { name: 'Global', from: '2026-06-01', prices: 'house', pricesType: 'global' },
    ]);
    if ('flaw' in rows) throw new Error(rows.path);
    const read = (second: object) => rows.map((row, index) => ({ row, prices: index === 0 ? row.prices : second }));
    thrownBy(() => runAtOnce(parseHouseContracts(read(prices), zone))).should.containEql({
      reason: 'contracts_overlap',
    });
    runAtOnce(parseHouseContracts(read({ currency: 'EUR', gas: 1 }), zone)).should.have.length(2);
    const { params } = thrownBy(() => runAtOnce(parseHouseContracts(read({ currency: 'SEK', gas: 1 }), zone)));
    should(params['path']).equal('contracts[1].prices.currency');
  });

  const wrongPrices: [string, object, string][] = [
    ['a misspelled price', { ...prices, imprt: 1 }, 'imprt'],
    ['a misspelled day', { ...prices, import: { zones: [{ days: 'Mo-Fr', value: 1 }] } }, 'import.zones[0].days'],
    ['51 zones', { ...prices, import: { zones: Array.from({ length: 51 }, () => ({ value: 1 })) } }, 'import.zones'],
    ['netting that is no yes or no', { ...prices, netting: 'yes' }, 'netting'],
  ];
  for (const [what, given, place] of wrongPrices) {
    it(`of a question name the place of ${what}`, () => {
      const asked = [
        { name: 'One', prices },
        { name: 'Two', prices: given },
      ];
      const { code, reason, params } = thrownBy(() =>
        runAtOnce(parseContractsAsked(asked, zone, 'msg.payload.contracts')),
      );
      should({ code, reason }).deepEqual({ code: 'INPUT', reason: 'prices' });
      should(params['path']).equal(`msg.payload.contracts[1].prices.${place}`);
    });
  }

  it('of a question have at most 150,000 entries in all lists', () => {
    const list = Array.from({ length: 40_000 }, (_, index) => ({ start: 1.7e12 + index * 3_600_000, value: 0.1 }));
    const asked = Array.from({ length: 10 }, (_, index) => ({
      name: `${index}`,
      prices: { currency: 'EUR', import: index % 2 === 0 ? list : { list } },
    }));
    const { reason, params } = thrownBy(() => runAtOnce(parseContractsAsked(asked, zone, 'msg.payload.contracts')));
    should(reason).equal('prices');
    should(params['path']).equal('msg.payload.contracts[3].prices');
    runAtOnce(parseContractsAsked(asked.slice(0, 3), zone, 'msg.payload.contracts')).should.have.length(3);
  });

  it('that are refused are not kept, whatever is wrong', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const listOf = (entries: number): object[] =>
      Array.from({ length: entries }, (_, index) => ({ start: 1.7e12 + index * 3_600_000, value: 0.1 }));
    // In functions of their own, so that no variable of the test has a list.
    const refuse = (entries: number, flaw: object): Refused => {
      const list = listOf(entries);
      const asked = Array.from({ length: 10 }, (_, index) => ({
        name: `${index}`,
        prices: { currency: 'EUR', import: { list }, ...(index === 9 && flaw) },
      }));
      const { params } = thrownBy(() => runAtOnce(parseContractsAsked(asked, zone, 'contracts')));
      return { list: new WeakRef(list), place: params['path'] };
    };
    const refuseOverlap = (): Refused => {
      const list = listOf(1000);
      const next = { name: 'Next', from: '2026-12-31', prices: { currency: 'EUR', import: { list } } };
      const { params } = thrownBy(() => parseContractRows([mine, next]));
      return { list: new WeakRef(list), place: [params['other'], params['contract']] };
    };
    const [early, late] = ['2026-06-15T10:00', '2026-06-15T11:00'];
    const twice = [early, late, early].map((start, index) => ({ start, value: index }));
    const refused = [
      refuse(40_000, {}),
      refuse(1000, { gas: 'much' }),
      refuse(1000, { export: { zones: Array(51).fill({ value: 1 }) } }),
      refuse(1000, { export: { zones: [{ days: 'Mo-Fr', value: 1 }] } }),
      refuse(1000, { export: twice }),
      refuseOverlap(),
    ];
    // The target of a new WeakRef lives until the end of the job that made it.
    await setImmediate();
    collect();
    should(refused.map(({ place }) => place)).deepEqual([
      'contracts[3].prices',
      'contracts[9].prices.gas',
      'contracts[9].prices.export.zones',
      'contracts[9].prices.export.zones[0].days',
      'contracts[9].prices.export[0].start',
      ['Mine', 'Next'],
    ]);
    refused.filter(({ list }) => list.deref() !== undefined).should.be.empty();
  });

  it('of a question are at most ten, and at least one', () => {
    for (const count of [0, 11]) {
      const asked = Array.from({ length: count }, (_, index) => ({ name: `${index}`, prices }));
      const { reason, params } = thrownBy(() => runAtOnce(parseContractsAsked(asked, zone, 'msg.payload.contracts')));
      should(reason).equal('contracts');
      should(params['path']).equal('msg.payload.contracts');
    }
  });
});

/** The check of the contracts in the dialog of a connection, which names the contract and the place of what is wrong. */
import should from 'should';
import { contracts } from '../../../nodes/cemm-connection/contracts-check';

const prices = { currency: 'EUR', import: 0.25 };
const mine = { name: 'Mine', from: '2026-01-01', until: '2026-12-31', prices };

describe('the contracts of a dialog', () => {
  const zoned = (zones: readonly object[]) => ({ ...prices, import: { zones } });
  const wrong: readonly (readonly [string, readonly object[], string, object])[] = [
    [
      'days that another contract of the same medium has',
      [mine, { name: 'Next', from: '2026-12-31', prices }],
      'check.contracts.overlap',
      { contract: 'Next', other: 'Mine' },
    ],
    [
      '51 zones',
      [mine, { name: 'Zones', prices: zoned(Array.from({ length: 51 }, () => ({ value: 1 }))) }],
      'check.contracts.prices',
      { contract: 'Zones', place: 'contracts[1].prices.import.zones' },
    ],
    [
      'days that are not in English',
      [{ name: 'Tage', prices: JSON.stringify(zoned([{ days: 'Mo-Fr', value: 1 }])) }],
      'check.contracts.prices',
      { contract: 'Tage', place: 'contracts[0].prices.import.zones[0].days' },
    ],
    ['a name twice', [mine, { name: 'Mine', prices }], 'check.contracts.nameTwice', { place: 'contracts[1].name' }],
  ];
  for (const [what, written, key, values] of wrong) {
    it(`are refused with ${what}`, () => {
      const result = contracts(JSON.stringify(written));
      if (result === true) throw new Error('accepted');
      result.key.should.equal(key);
      should(result.values).containEql(values);
    });
  }

  it('may be fifty zones, and gas on other days', () => {
    const zones = Array.from({ length: 50 }, () => ({ days: 'Mon-Fri', value: 1 }));
    const written = [
      mine,
      { name: 'Zones', prices: zoned(zones) },
      { ...mine, name: 'Gas', prices: { currency: 'EUR', gas: 1 } },
    ];
    should(contracts(JSON.stringify(written))).equal(true);
  });
});

/**
 * The pages of the examples use the language of their flow: every function with texts has them in four languages, or in the
 * ones listed here.
 */
import 'should';
import { nodesOf, runFunction } from '../../support/docs/example-functions';

const languages = ['en', 'nl', 'de', 'fr'] as const;

/** Examples with texts in fewer languages. The others show them in English. */
const fewerLanguages: Readonly<Record<string, readonly string[]>> = { 'energy-page': ['en', 'nl'] };

/** The message of a function node as text. */
function sentBy(example: string, id: string, lang: string, payload: object): string {
  return JSON.stringify(runFunction(example, id, { payload }, { env: { lang } }));
}

const values = {
  ...{ power_house_w: 400, power_production_w: 100, self_sufficiency: 0.4 },
  ...{ energy_import_t1_kwh: 1, energy_import_t2_kwh: 2, energy_export_t1_kwh: 3, energy_export_t2_kwh: 4, gas_m3: 5 },
};
const house = { values, cost: { currency: 'EUR', total: 1.5 } };

const functions: readonly (readonly [example: string, id: string, payload: object, dutch: readonly string[]])[] = [
  ['energy-page', 'cemm-energy-texts', {}, ['Van het net', 'Zelfvoorziening', 'Hoogste kwartier']],
  ['house-balance', 'cemm-house-powers', house, ['Huis', 'Van de zon']],
  ['house-balance', 'cemm-house-shares', house, ['Zelfvoorziening vandaag', 'Kosten vandaag', 'Vandaag per uur, kWh']],
  ['house-balance', 'cemm-house-month-label', house, ['Deze maand per dag, kWh']],
  ['month-and-year-report', 'cemm-report-texts', {}, ['Afname', 'Zelf verbruikt', 'Meterstanden', ', tarief 1']],
  [
    'what-2027-costs',
    'cemm-2027-texts',
    {},
    ['U betaalt per kWh, €', 'Rekening zonder salderen (2027)', 'Hoogste kwartier'],
  ],
];

describe('the language of the example pages', () => {
  for (const [example, id, payload, dutch] of functions) {
    it(`is used by ${id} of ${example}`, () => {
      const sent = new Map(languages.map((language) => [language, sentBy(example, id, language, payload)]));
      const own = fewerLanguages[example] ?? languages;
      new Set(sent.values()).size.should.equal(own.length, 'two languages have the same words');
      for (const words of dutch) String(sent.get('nl')).should.containEql(words);
      sentBy(example, id, 'tlh', payload).should.equal(sent.get('en'));
    });
  }

  it('is English at first, and may be set at the tab', () => {
    for (const example of new Set(functions.map(([name]) => name))) {
      const tab = nodesOf(example).find(({ type }) => type === 'tab');
      (tab?.env ?? []).some(({ name, value }) => name === 'lang' && value === 'en').should.be.true(example);
    }
  });

  it('is known of every function that asks for it', () => {
    const asking = [...new Set(functions.map(([name]) => name))].flatMap((example) =>
      nodesOf(example).flatMap(({ id, func }) => (func?.includes("env.get('lang')") ? [id] : [])),
    );
    asking.sort().should.eql(functions.map(([, id]) => id).sort());
  });
});

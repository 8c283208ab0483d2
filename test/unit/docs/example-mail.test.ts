/** The text of the example daily-mail, and how much code the examples with texts have. */
import should from 'should';
import { nodesOf, runFunction } from '../../support/docs/example-functions';
import { dayMs } from '../../../src/time/units';

const firstDay = Date.parse('2026-06-10T00:00:00+02:00');

type Changes = (day: number) => object;

/** Balances of eight days, in the order in which they arrive. */
function daysOf(changes: Changes = () => ({})): object[] {
  return Array.from({ length: 8 }, (_, day) => ({
    kind: 'balance',
    language: 'nl-NL',
    complete: true,
    period: { start: firstDay + day * dayMs, timezone: 'Europe/Amsterdam' },
    values: { energy_house_kwh: day + 1, energy_import_kwh: 1234.5, energy_export_kwh: -0.001, gas_m3: 0.5 },
    ...changes(day),
  }));
}

interface Mail {
  readonly topic: string;
  readonly payload: string;
}

function mailOf(days: object[]): Mail {
  return runFunction('daily-mail', 'cemm-mail-text', { payload: days }) as Mail;
}

const lineOf = (mail: Mail, name: string): string | undefined =>
  mail.payload.split('\n').find((line) => line.startsWith(`${name}:`));

describe('the example daily-mail', () => {
  it('compares yesterday with a week ago and with the average of the seven days before, in the language of the connection', () => {
    const mail = mailOf(daysOf().reverse());
    mail.topic.should.equal('Energie van woensdag 17 juni 2026');
    mail.payload
      .split('\n')
      .should.eql([
        'Verbruikt: 8,00 kWh (een week eerder 1,00 kWh, gemiddeld die week 4,00 kWh)',
        'Van het net: 1.234,50 kWh (een week eerder 1.234,50 kWh, gemiddeld die week 1.234,50 kWh)',
        'Naar het net: 0,00 kWh (een week eerder 0,00 kWh, gemiddeld die week 0,00 kWh)',
        'Gas: 0,50 m³ (een week eerder 0,50 m³, gemiddeld die week 0,50 m³)',
      ]);
  });

  it('has a line for each device, by its name', () => {
    const devices = (day: number) => [
      { meter: 'mb2', name: 'Warmtepomp', energy_kwh: day },
      ...(day > 5 ? [{ meter: 'mb3', name: 'Auto', energy_kwh: null }] : []),
    ];
    const mail = mailOf(daysOf((day) => ({ devices: devices(day) })));
    should(lineOf(mail, 'Warmtepomp')).equal(
      'Warmtepomp: 7,00 kWh (een week eerder 0,00 kWh, gemiddeld die week 3,00 kWh)',
    );
    should(lineOf(mail, 'Auto')).equal(
      'Auto: niet bekend (een week eerder niet bekend, gemiddeld die week niet bekend)',
    );
    should(lineOf(mail, 'Gas')).equal('Gas: 0,50 m³ (een week eerder 0,50 m³, gemiddeld die week 0,50 m³)');
  });

  it('has the cost where the connection has prices', () => {
    const mail = mailOf(daysOf((day) => ({ cost: { currency: 'EUR', total: day === 0 ? null : 2 } })));
    should(lineOf(mail, 'Kosten')).equal('Kosten: 2,00 EUR (een week eerder niet bekend, gemiddeld die week 2,00 EUR)');
  });

  it('has a dash and the reason for a cost of which too little is known', () => {
    for (const [reason, text] of [
      ['no_price', 'geen prijs'],
      ['too_few_days', 'niet gemeten'],
      ['hourly_price', 'niet bekend'],
    ]) {
      const cost = { cost: { currency: 'EUR', total: 2 } };
      const missing = { missing: { 'cost.total': reason } };
      const today = mailOf(daysOf((day) => (day === 7 ? { ...cost, ...missing } : cost)));
      should(lineOf(today, 'Kosten')).equal(`Kosten: – (${text})`);
      const before = mailOf(daysOf((day) => (day === 0 ? { ...cost, ...missing } : cost)));
      should(lineOf(before, 'Kosten')).startWith('Kosten: 2,00 EUR (een week eerder niet bekend');
    }
  });

  it('labels the cost of example prices', () => {
    const mail = mailOf(daysOf(() => ({ cost: { currency: 'EUR', total: 2, example: true } })));
    should(lineOf(mail, 'Kosten')).startWith('Kosten: 2,00 EUR met voorbeeldprijzen (');
  });

  it('says what is not known, and that a day was measured in part', () => {
    const unknown = { values: { energy_house_kwh: null }, complete: false };
    const mail = mailOf(daysOf((day) => (day === 7 ? unknown : {})));
    mail.payload
      .split('\n')
      .should.eql([
        'Verbruikt: niet bekend (een week eerder 1,00 kWh, gemiddeld die week 4,00 kWh)',
        'Een deel van de dag is niet gemeten.',
      ]);
    should(lineOf(mailOf(daysOf().slice(-1)), 'Verbruikt')).containEql('gemiddeld die week niet bekend');
  });

  it('has every text in four languages, and English for others', () => {
    const texts = ['en-GB', 'nl-NL', 'de-DE', 'fr-FR'].map(
      (language) => mailOf(daysOf(() => ({ language, complete: false }))).payload,
    );
    new Set(texts.flatMap((text) => text.split('\n'))).size.should.equal(20);
    mailOf(daysOf(() => ({ language: 'sv-SE' }))).topic.should.startWith('Energy of ');
  });

  it('has, with alarms, little code', () => {
    const lines = ['alarms', 'daily-mail'].flatMap(nodesOf).flatMap(({ func }) => func?.split('\n') ?? []);
    lines.length.should.be.belowOrEqual(91);
    Math.max(...lines.map((line) => line.length)).should.be.belowOrEqual(140);
  });
});

/** The page as it is drawn from real balances of a house. */
import should from 'should';
import { firstChoice, questionsOf } from '../../../nodes/cemm-page/page/draw/choice';
import { draw, fileOf } from '../../../nodes/cemm-page/page/draw/draw';
import type { Card, Drawn } from '../../../nodes/cemm-page/page/draw/drawn';
import { type Answer, lastOf } from '../../../nodes/cemm-page/page/messages';
import {
  cardOf,
  type Change,
  drawnOf,
  figuresIn,
  heroIn,
  inputOf,
  morning,
  noon,
  numberIn,
  findTile,
  unanswered,
} from '../../support/page/drawn-house';
import { settings, textsFor } from '../../support/page/sheet';

describe('the page', function () {
  this.timeout(120_000);

  it('shows powers of now that add up', async () => {
    for (const name of ['standard', 'battery-measured'] as const) {
      const { flow } = cardOf(await drawnOf({ view: 'now' }, { name }), 'Now');
      const inWatt = (text: string): number => numberIn(text) * (text.endsWith('kW') ? 1000 : 1);
      const of = (key: string): number => {
        const node = flow?.nodes.find((one) => one.key === key);
        return node === undefined ? 0 : inWatt(node.text) * (/to the grid|charging$/.test(node.name) ? -1 : 1);
      };
      const house = inWatt(`${flow?.house.text ?? ''} ${flow?.house.unit ?? ''}`);
      house.should.be.approximately(of('grid') + of('sun') + of('battery'), 1e-6);
    }
  });

  it('PA9: is grey when the reading is old by its own time', async () => {
    const input = await inputOf({ view: 'now' });
    const fresh = cardOf(draw(input), 'Now');
    fresh.isOld.should.equal(false);
    fresh.state.should.equal('');
    const later = { ...input, frame: { ...input.frame, moment: noon + 10 * 60_000 } };
    const old = cardOf(draw(later), 'Now');
    old.isOld.should.equal(true);
    old.state.should.equal('No new values since 11:59.');
  });

  it('PA7: shows the clock of the house', async () => {
    (await drawnOf({ view: 'now' })).clock.should.equal('Thursday, June 18, 2026 at 12:00');
    (await drawnOf({ view: 'bill' })).clock.should.equal('');
  });

  it('shows energies of a day that add up', async () => {
    const drawn = await drawnOf({ view: 'day' });
    const of = (name: string): number => numberIn(findTile(figuresIn(drawn), name).text);
    const used = numberIn(heroIn(drawn).text);
    used.should.be.approximately(of('From the grid') + of('Own sun used'), 1e-9);
    const [made = ''] = findTile(figuresIn(drawn), 'Own sun used').notes;
    numberIn(made).should.be.approximately(of('Own sun used') + of('To the grid'), 1e-9);
  });

  it('PA1: says no share of a production that is shown as 0', async () => {
    const tiny: Change = (balance) => ({
      ...balance,
      values: { ...balance.values, energy_production_kwh: -0.02, energy_self_consumed_kwh: -0.02, self_consumption: 1 },
    });
    const card = figuresIn(
      await drawnOf({ view: 'day', date: '2026-06-18' }, { moment: morning, language: 'nl', change: tiny }),
    );
    card.tiles.map(({ name }) => name).should.not.containEql('Zelfvoorzienend');
  });

  it('shows yesterday before today in the morning', async () => {
    const titles = async (moment: number): Promise<string[]> =>
      (await drawnOf({ view: 'now' }, { moment })).cards.map(({ title }) => title);
    (await titles(morning)).should.eql(['Now', 'Yesterday', 'Today', 'Meter readings']);
    const { cards } = await drawnOf({ view: 'now' }, { moment: morning });
    cards
      .filter(({ isTitled }) => isTitled)
      .map(({ title }) => title)
      .should.eql(['Yesterday', 'Today']);
    (await titles(noon)).should.eql(['Now', 'Today', 'Meter readings']);
  });

  it('PA2: is in the language of the browser', () => {
    const drawnIn = (language: string): Drawn => draw({ ...unanswered, language, texts: textsFor(language) });
    const names = (language: string): string =>
      drawnIn(language)
        .views.map(({ name }) => name)
        .join(' ');
    names('nl-NL').should.equal('Nu Dag Week Maand Jaar Rekening');
    names('de-AT').should.equal('Jetzt Tag Woche Monat Jahr Rechnung');
    names('fr').should.equal('Maintenant Jour Semaine Mois Année Facture');
    drawnIn('nl-BE').language.should.equal('nl');
  });

  it('PA3: says demo only of the demo monitor', async () => {
    const own: Change = (balance) => ({ ...balance, source: { ...balance.source, transport: 'local' } });
    (await drawnOf({ view: 'now' })).label.should.match(/^Demo with example prices: choose/);
    (await drawnOf({ view: 'now' }, { change: own })).label.should.match(/^Example prices: enter/);
  });

  it('says the time of a meter reading that is of another time', async () => {
    const rowsWith = async (change: Change): Promise<string[]> => {
      const { table, note } = cardOf(await drawnOf({ view: 'day' }, { change }), 'Meter readings');
      should(note).equal('reading of 12:00');
      return (table?.rows ?? []).map(([name = '']) => name);
    };
    const gasAt =
      (ts: number): Change =>
      (balance) => ({ ...balance, counters: { ...balance.counters, gas_m3: { start: null, end: [ts, 7400.31] } } });
    const gas = async (ts: number): Promise<string[]> =>
      (await rowsWith(gasAt(ts))).filter((name) => name.startsWith('Gas'));
    should(await gas(noon)).eql(['Gas']);
    should(await gas(noon - 3_600_000)).eql(['Gas, 11:00']);
    should(await gas(noon - 25 * 3_600_000)).eql(['Gas, Jun 17 11:00']);
    should(await gas(noon - 24 * 3_600_000)).eql(['Gas, Jun 17 12:00']);
    should((await rowsWith(gasAt(noon)))[0]).equal('From the grid 1.8.1');
  });

  it('leads from these labels to the place to change them', async () => {
    const input = await inputOf({ view: 'now' });
    const path = '/admin/#cemm-connection/one';
    should(draw({ ...input, message: { settings, dialog: path } }).dialog).equal(path);
    should(draw(input).dialog).equal(undefined);
  });

  it('names a meter whose role is not known, and leads to its row', async () => {
    const change: Change = (balance) => ({
      ...balance,
      values: { ...balance.values, energy_house_kwh: null, power_house_w: null },
      missing: { energy_house_kwh: 'unknown_meter', power_house_w: 'unknown_meter' },
      unknownMeters: ['teller 9', 'other'],
      names: { 'teller 9': 'garage' },
    });
    for (const [view, name] of [
      ['now', 'House'],
      ['month', 'Used'],
    ] as const) {
      const input = await inputOf({ view }, { change });
      const drawn = draw({ ...input, message: { settings, dialog: '/admin/#cemm-connection/one' } });
      should(drawn.label).equal('What is the meter “garage”? Give it a role under Meters.');
      should(drawn.dialog).equal('/admin/#cemm-connection/one/teller%209');
      should(JSON.stringify(drawn.cards)).containEql(`${name}: the meter “garage” has no role yet`);
      should(draw(input).dialog).equal(undefined);
    }
  });

  it('says for how many days a price is missing, if some have one', async () => {
    const change: Change = (balance) => ({
      ...balance,
      missing: { 'cost.total': 'no_price' },
      ...(balance.cost !== undefined && { cost: { ...balance.cost, days: { past: 30, known: 30, priced: 6 } } }),
    });
    const { cost } = heroIn(await drawnOf({ view: 'month' }, { change }));
    should(cost?.text).equal('–');
    should(cost?.notes[0]).equal('no price for 24 of 30 days');
  });

  it('PA4: says what a card waits for', () => {
    draw(unanswered)
      .cards.map(({ state }) => state)
      .should.eql(['Reading Now: 1 of 5', 'Reading Yesterday: 3 of 5', 'Reading Today: 2 of 5']);
  });

  it('PA4: says why a card stays empty: a frequent reason in the language of the page, others in that of the connection', () => {
    const stateOf = (language: string, code: string): string => {
      const failed: Answer = { state: 'failed', code, message: 'The sentence.', at: noon };
      const [card] = draw({ ...unanswered, language, texts: textsFor(language), answers: { 'now ': failed } }).cards;
      should(card?.isFailure).equal(true);
      return card?.state ?? '';
    };
    stateOf('en', 'MONITOR_OFFLINE').should.equal('No answer: the monitor cannot be reached.');
    stateOf('nl', 'MONITOR_OFFLINE').should.equal('Geen antwoord: de monitor is niet bereikbaar.');
    stateOf('de', 'NETWORK').should.equal('Keine Antwort: keine Verbindung.');
    stateOf('fr', 'AUTH').should.equal('Pas de réponse : la clé est refusée.');
    stateOf('fr', 'UPSTREAM').should.equal('Pas de réponse : The sentence.');
  });

  it('says why a poll has failed', () => {
    const failure = { code: 'NETWORK', message: 'The sentence.', at: noon };
    draw({ ...unanswered, message: { settings, failure } }).failure.should.equal('No answer: no connection.');
  });

  it('PA9: keeps the house of the last reading beside a failure, and greys it by the time of that reading', async () => {
    const input = await inputOf({ view: 'now' });
    const last = lastOf(input.answers['now ']);
    should(last).not.be.null();
    const failed: Answer = {
      state: 'failed',
      code: 'MONITOR_OFFLINE',
      message: '',
      at: noon,
      ...(last !== null && { balance: last }),
    };
    const drawnAt = (moment: number): Card =>
      cardOf(
        draw({ ...input, answers: { ...input.answers, 'now ': failed }, frame: { ...input.frame, moment } }),
        'Now',
      );
    const soon = drawnAt(noon);
    soon.should.containEql({ isOld: false, isFailure: true, state: 'No answer: the monitor cannot be reached.' });
    should(soon.flow?.nodes.length).equal(2);
    const later = drawnAt(noon + 10 * 60_000);
    later.isOld.should.equal(true);
    later.state.should.equal('No answer: the monitor cannot be reached. No new values since 11:59.');
    should(later.flow).eql(soon.flow);
  });

  it('PA8: has one total of the cost, and parts that add up to it', async () => {
    const { cards } = await drawnOf({ view: 'day' });
    const { list = [], sum } = cards.find(({ shares }) => shares !== null)?.shares ?? {};
    const total = numberIn(sum?.text ?? '');
    list.reduce((all, { text }) => all + numberIn(text), 0).should.be.approximately(total, 1e-9);
    numberIn(heroIn({ cards }).cost?.text ?? '').should.equal(total);
    numberIn(heroIn(await drawnOf({ view: 'now' })).cost?.text ?? '').should.equal(total);
  });

  it('PA8: has the same cost of a day in each view', async () => {
    const costOf = async (choice: Parameters<typeof drawnOf>[0]): Promise<string> =>
      heroIn(await drawnOf(choice)).cost?.text ?? '';
    const today = await costOf({ view: 'now' });
    should(today).match(/^€\d+\.\d\d$/);
    should(await costOf({ view: 'day' })).equal(today);
    const day = await costOf({ view: 'day', date: '2026-06-16' });
    const [table] = (await drawnOf({ view: 'month', shape: 'table' })).cards.flatMap((card) => card.table ?? []);
    const column = table?.heads.findIndex((head) => head.startsWith('Cost')) ?? -1;
    const row = table?.rows.find(([name]) => /Jun 16/.test(name ?? ''));
    should(`€${row?.[column] ?? ''}`).equal(day);
  });

  it('draws a bar per hour, day and month, and names of hours that do not touch', async () => {
    for (const [view, count] of [
      ['day', 24],
      ['week', 7],
      ['month', 30],
      ['year', 12],
    ] as const) {
      const chart = (await drawnOf({ view })).cards.flatMap((card) => card.chart ?? [])[0];
      should(chart?.columns.length).equal(count);
      (chart?.marks ?? []).length.should.be.within(7, 12);
      for (const { y, height } of chart?.rects ?? []) (y + height).should.be.within(0, 100.002);
    }
  });

  it('draws no gas among the energies of a house whose smart meter was not read', async () => {
    const unread: Change = (balance) => ({
      ...balance,
      points: (balance.points ?? []).map(({ ts, gas_m3: gas = null }) => ({ ts, gas_m3: gas })),
    });
    const charts = (await drawnOf({ view: 'month' }, { change: unread })).cards.flatMap(({ chart }) => chart ?? []);
    charts.map(({ unit }) => unit).should.eql(['m³']);
  });

  it('has 25 bars on the day on which the clocks go back', async () => {
    const moment = Date.parse('2026-10-26T12:00:00+01:00');
    const drawn = await drawnOf({ view: 'day', date: '2026-10-25' }, { moment });
    should(drawn.cards.flatMap((card) => card.chart ?? [])[0]?.columns.length).equal(25);
  });

  it('shows the values of the chosen bar', async () => {
    const { when, chart } = figuresIn(await drawnOf({ view: 'day', shape: 'curve', at: 40 }));
    should(when).containEql({ name: '10:00–10:15', isChosen: true });
    should(chart?.columns[40]?.text).match(/^Used [\d,]+\sW, From the sun [\d,]+\sW$/);
  });

  it('says how much was measured where it is not all', async () => {
    const gap: Change = (balance) => ({ ...balance, coverage: { ...balance.coverage, energy_import_kwh: 0.964 } });
    findTile(figuresIn(await drawnOf({ view: 'day' }, { change: gap })), 'From the grid').notes.should.eql([
      '96% measured',
    ]);
  });

  it('says why a number is missing', async () => {
    const { flow, notes } = cardOf(await drawnOf({ view: 'now' }, { name: 'p1-pulled' }), 'Now');
    should(flow?.house.text).equal('–');
    notes.should.containEql('House: too old');
  });

  it('writes a file for Dutch and one for English spreadsheets', async () => {
    const input = await inputOf({ view: 'month', date: '2026-05-31', shape: 'table' });
    const inDutch = { ...input, language: 'nl', texts: textsFor('nl') };
    const [dutch, english] = [fileOf(inDutch, 'excel'), fileOf(input, 'excel')];
    should(fileOf(inDutch, 'csv')?.text).match(/^\uFEFFTijd,/);
    should(dutch?.name).equal('cemm-2026-05.csv');
    (dutch?.text ?? '').should.match(/^\uFEFFTijd;Verbruikt \(kWh\);.*\r\n2026-05-01 00:00;\d+,\d+;/);
    (english?.text ?? '').should.match(/^\uFEFFTime,Used \(kWh\),.*\r\n2026-05-01 00:00,\d+\.\d+,/);
    (dutch?.text ?? '').trim().split('\r\n').length.should.equal(32);
  });

  it('says the difference that netting makes in one sentence', async () => {
    const prices = { buy: '0.27', sell: '0.06', perDay: '0.9' };
    const { cards } = await drawnOf({ view: 'bill', prices });
    const { sentence } = cards.find(({ key }) => key === 'netting') ?? { sentence: '' };
    const [, without = 0, netted = 0, more = 0] = (/costs (\S+) instead of (\S+): (\S+) more/.exec(sentence) ?? []).map(
      numberIn,
    );
    more.should.be.above(0);
    more.should.equal(without - netted);
    numberIn(heroIn({ cards }).text).should.equal(netted);
  });

  it('nets until the end of 2026, and shows a time with later days or without a netted amount as what it is', async () => {
    const prices = { buy: '0.27', sell: '0.06', perDay: '0.9' };
    const billFor = (label: string, hasNetted = true): Promise<Drawn> =>
      drawnOf(
        { view: 'bill', prices },
        {
          change: ({ period, bills, ...balance }) => {
            const [until, later] = bills ?? [null, null];
            const first = until === null || hasNetted ? until : { ...until, netted: null };
            return {
              ...balance,
              ...(period !== undefined && { period: { ...period, label } }),
              bills: [first, later],
            };
          },
        },
      );
    const netted = await billFor('2026-01-01/2026-12-31');
    heroIn(netted).name.should.match(/^twelve months, /);
    for (const [label, name, hasNetted] of [
      ['2026-02-01/2027-01-31', /^Total without netting, /, true],
      ['2027-01-01/2027-12-31', /^twelve months, /, true],
      ['2026-01-01/2026-12-31', /^Total without netting, /, false],
    ] as const) {
      const drawn = await billFor(label, hasNetted);
      heroIn(drawn).name.should.match(name);
      numberIn(heroIn(drawn).text).should.be.above(numberIn(heroIn(netted).text));
      drawn.cards.some(({ key }) => key === 'netting').should.equal(false);
      const rows = drawn.cards.flatMap(({ table }) => table?.rows ?? []);
      should(rows.at(-1)).deepEqual(['Total', heroIn(drawn).text]);
    }
  });

  it('says of a contract that began within the twelve months that its days are measured or priced for a part of them', async () => {
    const mine = { name: 'Mine', cost: null, due: null, per_month: [], moved: null, batteries: [] };
    const change: Change = (balance) => ({ ...balance, contracts: [{ ...mine, missing: { due: 'too_few_days' } }] });
    const { sentence } = cardOf(await drawnOf({ view: 'bill' }, { change }), 'Bill');
    sentence.should.equal('The bill is not known: less than 98% of the days was measured and has a price.');
  });

  it('shows a bill without the water of a meter that cannot be read, and says so', async () => {
    const change: Change = (balance) => ({
      ...balance,
      missing: { ...balance.missing, 'bills.0.water': 'not_readable', 'bills.1.water': 'not_readable' },
    });
    const { text, notes } = heroIn(await drawnOf({ view: 'bill' }, { change }));
    numberIn(text).should.be.above(0);
    notes.should.deepEqual(['Water: a meter cannot be read']);
  });

  it('shows a bill in whole euros, and in cents where a part of it is below 1 euro; the parts add up', async () => {
    const amountsIn = async (change?: Change): Promise<Record<string, string>> => {
      const { cards } = await drawnOf({ view: 'bill' }, change === undefined ? {} : { change });
      const rows = cards.flatMap(({ table }) => table?.rows ?? []);
      return Object.fromEntries(
        rows.flatMap(([name = '', text = '']) => (name === 'Total with netting' ? [] : [[name, text]])),
      );
    };
    const { 'Total without netting': whole = '', ...parts } = await amountsIn();
    const addAmounts = (amounts: Readonly<Record<string, string>>): number =>
      Object.values(amounts).reduce((sum, text) => sum + numberIn(text), 0);
    whole.should.match(/^€[\d,]+$/);
    addAmounts(parts).should.equal(numberIn(whole));
    const small = await amountsIn((balance) => {
      const [until, later] = balance.bills ?? [null, null];
      if (later === null) return balance;
      const { water, total } = later;
      return { ...balance, bills: [until, { ...later, water: 0.43, total: (total ?? 0) - (water ?? 0) + 0.43 }] };
    });
    const { 'Total without netting': exact = '', ...smallParts } = small;
    should(smallParts).containEql({ Water: '€0.43' });
    addAmounts(smallParts).should.be.approximately(numberIn(exact), 1e-6);
  });

  it('shows the bill at the prices of the node, with what moved use and batteries save', async () => {
    const { cards } = await drawnOf({ view: 'bill' });
    const names = cards.flatMap(({ shares }) => shares?.list ?? []).map(({ name }) => name);
    names.should.containDeep(['A battery of 10\u00a0kWh', '1 kWh a day moved into the sun']);
    const rows = cards.flatMap(({ table }) => table?.rows ?? []).map(([name]) => name);
    rows.should.containDeep(['From the grid', 'Total without netting', 'Total with netting']);
  });

  it('says that a typed price is no number or lacks the other one, and asks for no bill with it', async () => {
    for (const [prices, wrong] of [
      [{ buy: '0,2x', sell: '0.06', perDay: '' }, 'buy'],
      [{ buy: '0.27', sell: ' ', perDay: '' }, 'sell'],
      [{ buy: '', sell: '0.06', perDay: '1' }, 'buy'],
      [{ buy: '0.27', sell: '0.06', perDay: 'many' }, 'perDay'],
    ] as const) {
      const { fields, cards } = await drawnOf({ view: 'bill', prices });
      const found = fields.filter(({ error }) => error !== '');
      found.map(({ key, error }) => [key, error]).should.eql([[wrong, 'Enter a number, such as 0.25']]);
      should(cards.map(({ state, isFailure }) => [state, isFailure])).eql([
        [`${found[0]?.name}: Enter a number, such as 0.25`, true],
      ]);
      questionsOf({ ...firstChoice, view: 'bill', prices }, unanswered.frame).should.eql([]);
    }
  });
});

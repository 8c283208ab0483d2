/** A page in a browser: what it keeps, what it asks, and when it says that it is there. */
import should from 'should';
import type { Drawn } from '../../../nodes/cemm-page/page/draw/drawn';
import { type PageMessage, pageVersion, type ViewerMessage } from '../../../nodes/cemm-page/page/messages';
import { views } from '../../../nodes/cemm-page/page/views';
import { type Screen, Viewer } from '../../../nodes/cemm-page/page/viewer';
import { textsOfPage } from '../../../nodes/cemm-page/texts';
import { houseNow } from '../../support/formats/payloads';

const noon = Date.parse('2026-10-25T12:00:00+01:00');

function message(changes: Partial<PageMessage> = {}): PageMessage {
  return {
    page: pageVersion,
    timezone: 'Europe/Amsterdam',
    house: 'one',
    answers: {},
    settings: { views: [...views], language: '', readings: true, changePrices: false },
    texts: textsOfPage,
    ...changes,
  };
}

class Tab {
  now = noon;
  isHidden = false;
  readonly sent: ViewerMessage[] = [];
  drawn: Drawn | null = null;
  stored: string | null = null;
  address = '';
  steps = 0;

  open(languages: readonly string[] = ['en-US']): Viewer {
    const screen: Screen = {
      languages,
      now: () => this.now,
      isHidden: () => this.isHidden,
      kept: () => this.stored,
      keep: (text) => (this.stored = text),
      address: () => this.address,
      visit: (address, isStep) => {
        this.address = address;
        this.steps += isStep ? 1 : 0;
      },
      send: (one) => this.sent.push(one),
      save: () => undefined,
      show: (drawn) => (this.drawn = drawn),
    };
    const viewer = new Viewer('a', screen);
    viewer.receive(undefined);
    return viewer;
  }

  get chosen(): string {
    return this.drawn?.views.find(({ isChosen }) => isChosen)?.key ?? '';
  }

  /** Questions of the last sign of life. */
  get wants(): string[] {
    return this.sent.at(-1)?.wants.map(({ balance }) => balance) ?? [];
  }
}

describe('a page in a browser', () => {
  it('says at once what it looks at, and again every 20 s and after each change', () => {
    const tab = new Tab();
    const viewer = tab.open();
    should(tab.sent.length).equal(1);
    should(tab.wants[0]).equal('now');
    viewer.receive(message());
    should(tab.sent.length).equal(2);
    viewer.update();
    tab.now += 19_999;
    viewer.update();
    should(tab.sent.length).equal(2);
    tab.now += 1;
    viewer.update();
    should(tab.sent.length).equal(3);
    viewer.choose({ view: 'year' });
    should(tab.sent.length).equal(4);
    should(tab.wants[0]).equal('year');
  });

  it('says nothing while it is hidden, and that it is gone', () => {
    const tab = new Tab();
    tab.isHidden = true;
    const viewer = tab.open();
    should(tab.sent).eql([]);
    viewer.leave();
    should(tab.sent).eql([{ viewer: 'a', wants: [], gone: true }]);
  });

  it('says at once what it looks at when it comes back from the history of the browser', () => {
    const tab = new Tab();
    const viewer = tab.open();
    viewer.leave();
    viewer.update();
    should(tab.sent.map(({ gone }) => gone)).eql([undefined, true, undefined]);
  });

  it('goes on with the next day after today was chosen before 9:00', () => {
    const tab = new Tab();
    const at = (time: string): string | undefined => {
      tab.now = Date.parse(`2026-10-${time}:00+01:00`);
      viewer.receive(message());
      return tab.sent.at(-1)?.wants.find(({ balance }) => balance === 'day')?.date;
    };
    tab.now = Date.parse('2026-10-26T08:00:00+01:00');
    const viewer = tab.open();
    viewer.choose({ view: 'day' });
    should(at('26T08:00')).equal('2026-10-25');
    viewer.choose({ date: '2026-10-26' });
    should(at('26T08:59')).equal('2026-10-26');
    should(at('26T12:00')).equal('2026-10-26');
    tab.address.should.equal('?view=day');
    should(at('27T12:00')).equal('2026-10-27');
    viewer.choose({ date: '2026-10-20' });
    should(at('28T12:00')).equal('2026-10-20');
  });

  it('has its view and day again after a reload', () => {
    const tab = new Tab();
    tab.open().choose({ view: 'day', date: '2026-10-20' });
    tab.open().receive(message());
    should(tab.chosen).equal('day');
    should(tab.sent.at(-1)?.wants[0]).containEql({ balance: 'day', date: '2026-10-20' });
  });

  it('has view and day in its address, where the button "back" leads through the views', () => {
    const tab = new Tab();
    const viewer = tab.open();
    viewer.receive(message());
    viewer.choose({ view: 'month', date: null });
    should([tab.address, tab.steps]).eql(['?view=month', 1]);
    viewer.step(-1);
    should([tab.address, tab.steps]).eql(['?view=month&date=2026-09-25', 1]);
    tab.address = '?view=year';
    viewer.returned();
    should(tab.chosen).equal('year');
    should(tab.drawn?.picker?.title).equal('2026');
  });

  it('shows what a link was made of, whatever it showed before', () => {
    const tab = new Tab();
    tab.stored = '{"view":"bill"}';
    tab.address = '?view=day&date=2026-10-20';
    tab.open().receive(message());
    should(tab.sent.at(-1)?.wants[0]).containEql({ balance: 'day', date: '2026-10-20' });
    for (const address of ['?view=house', '?date=2026-10-20', '?view=day&date=never', '?view=day&date=2026-13-45']) {
      const other = new Tab();
      other.address = address;
      other.open().receive(message());
      should(other.drawn?.picker?.isCurrent ?? true).equal(true);
    }
  });

  it('begins anew where something else is stored', () => {
    for (const stored of ['', 'null', '[]', '{"view":"hour","date":"today","compare":7}', '{']) {
      const tab = new Tab();
      tab.stored = stored;
      tab.open().receive(message());
      should(tab.chosen).equal('now');
    }
  });

  it('shows the first view that the page offers in place of another', () => {
    const tab = new Tab();
    const viewer = tab.open();
    viewer.receive(message({ settings: { ...message().settings, views: ['month', 'year'] } }));
    should(tab.chosen).equal('month');
    should(tab.wants[0]).equal('month');
  });

  it('PA2: is in the language of the node, otherwise of the browser, otherwise in English', () => {
    for (const [ofNode, ofBrowser, expected] of [
      ['', ['nl-BE', 'en'], /^nl/],
      ['', ['es-ES', 'de'], /^de/],
      ['', ['es-ES'], /^en/],
      ['fr', ['nl-NL'], /^fr/],
      ['en-US', ['nl-NL'], /^en/],
    ] as const) {
      const tab = new Tab();
      tab.open(ofBrowser).receive(message({ settings: { ...message().settings, language: ofNode } }));
      should(tab.drawn?.language).match(expected);
    }
  });

  it('asks for the texts of its language until it has them', () => {
    const tab = new Tab();
    const viewer = tab.open(['nl-BE', 'en']);
    should(tab.sent.at(-1)?.language).equal('nl');
    tab.now += 4_000;
    viewer.update();
    should(tab.sent.map(({ language }) => language)).eql(['nl', 'nl']);
    viewer.receive(message({ texts: { en: textsOfPage.en } }));
    should(tab.drawn).equal(null);
    viewer.receive(message({ texts: { nl: textsOfPage.nl } }));
    should(tab.drawn?.views[0]?.name).equal('Nu');
    should(tab.sent.at(-1)).not.have.property('language');
  });

  it('stays as it was until the texts of another language have come', () => {
    const tab = new Tab();
    const viewer = tab.open();
    viewer.receive(message({ texts: { en: textsOfPage.en } }));
    viewer.receive(message({ settings: { ...message().settings, language: 'fr' }, texts: {} }));
    should(tab.drawn?.views[1]?.name).equal('Day');
    should(tab.sent.at(-1)?.language).equal('fr');
    viewer.receive(message({ settings: { ...message().settings, language: 'fr' }, texts: { fr: textsOfPage.fr } }));
    should(tab.drawn?.views[1]?.name).equal('Jour');
  });

  it('draws nothing before the first message, and ignores others', () => {
    const tab = new Tab();
    const viewer = tab.open();
    for (const other of [null, 'text', { viewer: 'b', wants: [] }, { page: 'cemm/page/9' }]) viewer.receive(other);
    should(tab.drawn).equal(null);
  });

  it('keeps its answers while a node that was started anew waits for them', () => {
    const tab = new Tab();
    const viewer = tab.open();
    viewer.receive(message({ answers: { 'now ': { state: 'answered', balance: houseNow, at: noon } } }));
    const before = JSON.stringify(tab.drawn);
    viewer.receive(message({ answers: { 'now ': { state: 'waiting', since: noon } } }));
    should(JSON.stringify(tab.drawn)).equal(before);
  });

  it('keeps its house beside a failure of a node that was started anew', () => {
    const tab = new Tab();
    const viewer = tab.open();
    const failed = { state: 'failed', code: 'NETWORK', message: '', at: noon } as const;
    viewer.receive(message({ answers: { 'now ': { state: 'answered', balance: houseNow, at: noon } } }));
    for (let times = 0; times < 2; times += 1) {
      viewer.receive(message({ answers: { 'now ': failed } }));
      viewer.receive(message({ answers: { 'now ': { state: 'waiting', since: noon } } }));
      const [card] = tab.drawn?.cards ?? [];
      should(card?.state).startWith('No answer: no connection.');
      should(card?.flow).not.equal(null);
    }
  });

  it('PA3: forgets the answers of another house', () => {
    const tab = new Tab();
    const viewer = tab.open();
    viewer.receive(message());
    const empty = JSON.stringify(tab.drawn);
    viewer.receive(message({ answers: { 'now ': { state: 'answered', balance: houseNow, at: noon } } }));
    should(JSON.stringify(tab.drawn)).not.equal(empty);
    viewer.receive(message({ house: 'two' }));
    should(JSON.stringify(tab.drawn)).equal(empty);
  });
});

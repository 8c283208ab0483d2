/** The texts that a page is sent: those of the language of its viewer, once. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import should from 'should';
import { everyone } from '../../../nodes/cemm-page/viewer-message';
import type { Language } from '../../../nodes/cemm-page/page/languages';
import { views } from '../../../nodes/cemm-page/page/views';
import { textsOfPage } from '../../../nodes/cemm-page/texts';
import { secondMs, noon, today, present, owner, Watched } from '../../support/page/watched';

describe('the texts of a page', () => {
  const ask = (watched: Watched, language: Language, client = owner): void => {
    watched.page.noteSign(client, { viewer: 'a', wants: [today], language }, watched.now);
  };
  const sent = (watched: Watched, client = owner): string[] | null => {
    watched.now += secondMs;
    const message = watched.message(client);
    return message === null ? null : Object.keys(message.texts ?? {});
  };

  it('are sent to the viewer that lacks them, once for each time that it asks', () => {
    const watched = new Watched();
    ask(watched, 'nl');
    watched.look([today], 'b', { socket: 'other', address: '192.0.2.2' });
    watched.now += secondMs;
    const messages = watched.page.messages(watched.now).map(({ client, message }) => [client.socket, message.texts]);
    should(messages).eql([
      ['owner', { nl: textsOfPage.nl }],
      ['other', undefined],
    ]);
    should(sent(watched)).equal(null);
    ask(watched, 'nl');
    should(sent(watched)).eql(['nl']);
  });

  it('come with the first answers', () => {
    const watched = new Watched();
    watched.page.addBalance(present(), noon);
    watched.page.noteSign(owner, { viewer: 'a', wants: [{ balance: 'now' }], language: 'de' }, noon);
    const message = watched.message();
    should(Object.keys(message?.answers ?? {})).eql(['now ']);
    should(message?.texts?.de?.day).equal('Tag');
  });

  it('are of the language of the node where it has one', () => {
    const watched = new Watched({ language: 'fr' });
    ask(watched, 'en');
    should(sent(watched)).eql(['fr']);
  });

  it('are those of all viewers where Dashboard does not name the browser', () => {
    const watched = new Watched();
    ask(watched, 'en', everyone);
    watched.page.noteSign(everyone, { viewer: 'b', wants: [today], language: 'nl' }, watched.now);
    should(sent(watched, everyone)).eql(['en', 'nl']);
  });

  for (const [folder, language] of [
    ['docs', 'en'],
    ['docs/nl', 'nl'],
  ] as const) {
    it(`name the views that the table of ${folder}/dashboards.md explains`, () => {
      const page = readFileSync(path.resolve(__dirname, '../../..', folder, 'dashboards.md'), 'utf8');
      const [, table = ''] = /\n\|---\|---\|\n([^]*?)\n\n/.exec(page) ?? [];
      const explained = table.split('\n').flatMap((row) => row.split('|')[1]?.trim().toLowerCase().split(', ') ?? []);
      should(explained).eql(views.map((view) => textsOfPage[language][view].toLowerCase()));
    });
  }
});

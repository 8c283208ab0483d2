/** The line of the dialog of a connection that says how far the past is read. */
import should from 'should';
import { readBackText } from '../../../nodes/cemm-connection/read-back-text';
import type { Language } from '../../../scripts/build/catalogue';
import { catalogueLookup } from '../../support/editor/catalogue-lookup';

function lineIn(language: Language, state: string | null, month: string | null): string {
  const { _ } = catalogueLookup(['cemm-connection'], language);
  return readBackText(state, month, (key, values) => _(key, values));
}

describe('the line about the past that is read', () => {
  it('has the last month in the language of the editor', () => {
    const lines = (['en-US', 'nl', 'de', 'fr'] as const).map((language) => lineIn(language, 'done', '2025-03'));
    should(lines[0]).equal('Read back to March 2025.');
    should(lines[1]).equal('Teruggelezen tot maart 2025.');
    should(lines[2]).containEql('März 2025');
    should(lines[3]).containEql('mars 2025');
    should(lineIn('en-US', 'reading', '2025-03')).equal('Read back to March 2025 so far.');
  });

  it('says what it waits for, that it has begun, and that there is no past', () => {
    should(lineIn('en-US', 'waiting', null)).match(/^Nothing is read back yet/);
    should(lineIn('en-US', 'reading', null)).equal('Reading back has begun.');
    should(lineIn('en-US', 'done', null)).equal('The monitor knows no past.');
    should(lineIn('en-US', 'off', null)).equal('');
  });
});

/** Properties without a row and missing sentences, as the build and `npm run typecheck` report them. */
import path from 'node:path';
import 'should';
import type { Catalogue } from '../../../scripts/build/catalogue';
import { formOf } from '../../../scripts/build/editor';
import { compareLanguages, findKeyFaults, findRowFaults, findTextFaults } from '../../../scripts/build/text-faults';

const root = path.resolve(__dirname, '../../..');
const form = formOf(root, 'cemm-totals');

describe('what dialogs and catalogues lack', () => {
  it('is nothing in the package', () => {
    findTextFaults(root).should.equal('');
  });

  it('is a row for a stored property, or for a credential', () => {
    findRowFaults('cemm-totals', form.replace('id="node-input-date"', '')).should.eql([
      'nodes/cemm-totals/editor.html: the property date has no row.',
    ]);
    const credentials = findRowFaults('cemm-webhook-in', '').filter((fault) => fault.includes('headerKey'));
    credentials.should.eql(['nodes/cemm-webhook-in/editor.html: the property headerKey has no row.']);
  });

  it('is a sentence that a form names', () => {
    findKeyFaults(root, 'cemm-totals', form.replace('"hint.date"', '"[title]hint.date;hint.dates"')).should.eql([
      'nodes/cemm-totals/locales/en-US.json: the form has no sentence hint.dates.',
    ]);
  });

  it('is a sentence that a language lacks, or has alone', () => {
    const inDutch: Catalogue = { field: { date: 'Dag', dates: 'Dagen' } };
    const inOthers: Catalogue = { field: { date: 'Day' }, hint: { date: 'A day.' } };
    compareLanguages('locales', (language) => (language === 'nl' ? inDutch : inOthers)).should.eql([
      'locales/nl.json: hint.date is missing.',
      'locales/nl.json: field.dates is not in en-US.json.',
    ]);
  });
});

/** Every format has its place in the dialog, and every field has a name in the catalogue of the format node. */
import 'should';
import path from 'node:path';
import { lineName } from '../../../nodes/lib/run/line-name';
import { readTypeCatalogue, flatten } from '../../../scripts/build/catalogue';
import { formOf } from '../../../scripts/build/editor';
import { formats } from '../../../src/checks/limits';
import { rows } from '../../../src/model/fields';

const root = path.resolve(__dirname, '../../..');
const form = formOf(root, 'cemm-format');
const words = flatten(readTypeCatalogue(root, 'cemm-format', 'en-US'));
const nameOf = (field: string): string | null => lineName(field, (key) => words.get(key) ?? null);

/** Shown by the name of the field. */
const unnamed = /^(price_\w+|switch_raw|self_consumption|\w+_reading_m3|cost_(import|export|gas|water))$/;

describe('the dialog of the format node', () => {
  for (const format of formats) {
    it(`offers and explains ${format}`, () => {
      form.should.containEql(`<option value="${format}" data-i18n="format.${format}">`);
      form.should.match(new RegExp(`cemm-format-${format}" data-i18n="hint\\.${format}"`));
      for (const section of ['label', 'format', 'hint']) words.has(`${section}.${format}`).should.be.true(section);
    });
  }

  it('has a name for every field', () => {
    const all = Object.keys(rows).filter((field) => !unnamed.test(field));
    all.filter((field) => nameOf(field) === null && !words.has(`device.${field}`)).should.eql([]);
  });
});

import should from 'should';
import { createTranslate } from '../../../nodes/lib/run/translate';
import { catalogueLookup } from '../../support/editor/catalogue-lookup';
import { prototypeNames } from '../../support/prototype-names';

describe('the texts of a node', () => {
  const lookup = catalogueLookup(['cemm-format', 'cemm-connection']);

  it('are those of its catalogue, then those that all nodes share', () => {
    const translate = createTranslate(lookup);
    should(translate('line.power_w')).equal('Power');
    should(translate('field.baseUrl')).equal('Service');
    should(translate('cemm-connection:field.baseUrl')).equal('Service');
    should(translate('line.no_such_name')).be.null();
  });

  it('are texts: a name of Object.prototype has none', () => {
    for (const language of [undefined, 'nl']) {
      const chosen = language === undefined ? undefined : { type: 'cemm-format', language: () => language };
      const translate = createTranslate(lookup, chosen);
      for (const name of prototypeNames) {
        for (const path of [`line.${name}`, `device.${name}`, `cemm-connection:line.${name}`, name]) {
          should(translate(path) === null).be.true(path);
        }
      }
    }
  });
});

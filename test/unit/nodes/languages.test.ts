import should from 'should';
import { proposedLanguage } from '../../../nodes/cemm-connection/languages';

describe('language of a new connection', () => {
  it('is that of the editor where Node-RED speaks another one', () => {
    should(proposedLanguage('nl', 'en-US')).equal('nl');
    should(proposedLanguage('en-US', 'de')).equal('en-US');
  });

  it('is left to Node-RED where both speak the same', () => {
    should(proposedLanguage('nl', 'nl')).equal('');
  });

  it('is left to Node-RED where one of both is not known', () => {
    should(proposedLanguage('nl', undefined)).equal('');
    should(proposedLanguage('language.code', 'en-US')).equal('');
  });
});

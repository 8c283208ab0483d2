import path from 'node:path';
import should from 'should';
import { asCemmError, toNodeError } from '../../../nodes/lib/run/node-error';
import { mostStatusCharacters } from '../../../nodes/lib/run/status';
import { createTranslate } from '../../../nodes/lib/run/translate';
import { flatten, languages, readRuntimeCatalogue } from '../../../scripts/build/catalogue';
import { CemmError, errorCodes } from '../../../src/errors';

const root = path.resolve(__dirname, '../../..');
const catalogues = languages.map((language) => ({
  language,
  sentences: flatten(readRuntimeCatalogue(root, language)),
}));

function placeholders(text: string): string[] {
  return [...text.matchAll(/__(\w+?)__/g)].map(([, name = '']) => name).sort();
}

describe('the sentences of the runtime', () => {
  const english = catalogues[0]?.sentences ?? new Map<string, string>();

  for (const { language, sentences } of catalogues) {
    it(`${language}: the same sentences with the same words to fill in`, () => {
      [...sentences.keys()].sort().should.eql([...english.keys()].sort());
      for (const [key, text] of sentences) placeholders(text).should.eql(placeholders(english.get(key) ?? ''), key);
    });

    it(`${language}: a sentence and a short status for each code`, () => {
      for (const code of errorCodes) {
        should(sentences.has(`error.${code}`)).be.true(code);
        if (code !== 'CANCELLED') should(sentences.get(`status.${code}`)?.length).be.within(3, mostStatusCharacters);
      }
    });
  }

  it('names an option of the library by its label, with the connection where that has it', () => {
    should(english.get('error.RATE')).endWith('Enter more seconds in “Read every”.');
    should(english.get('error.TLS_wrong_host')).endWith('Check “Service” in the connection.');
    should(english.get('error.UPSTREAM')).containEql('of its own (__status__)');
  });

  it('says that an unreachable monitor gives no answer, apart from an answer that comes late', () => {
    const words = catalogues.map(({ sentences }) => sentences.get('status.NETWORK'));
    words.should.eql(['no answer', 'geen antwoord', 'keine Antwort', 'pas de réponse']);
    const late = catalogues.map(({ sentences }) => sentences.get('status.DEADLINE'));
    late.filter((text) => words.includes(text)).should.be.empty();
  });
});

describe('the errors that a flow receives', () => {
  const silent = createTranslate({ _: (key: string) => key });

  it('is printed as its sentence, and has no stack and the facts in its cause', () => {
    const error = new CemmError('MONITOR_OFFLINE', {
      status: 502,
      endpoint: 'realtime',
      alias: 'p1',
      requests: 3,
      elapsedMs: 1234,
    });
    const seen = toNodeError(error, silent);
    String(seen).should.equal(error.message);
    should(JSON.parse(JSON.stringify(seen))).eql({
      name: 'Failure',
      message: error.message,
      code: 'MONITOR_OFFLINE',
      cause: { retryable: true, status: 502, endpoint: 'realtime', alias: 'p1', requests: 3, elapsedMs: 1234 },
    });
    should('stack' in seen).be.false();
  });

  it('looks for it in the catalogue of the node first, then where all nodes have theirs', () => {
    const known = new Map([
      ['status.searching', 'own'],
      ['node-red-contrib-cemm/cemm-connection:status.searching', 'common'],
      ['node-red-contrib-cemm/cemm-connection:status.asking', 'common'],
    ]);
    const translate = createTranslate({ _: (key: string) => known.get(key) ?? key });
    should(translate('status.searching')).equal('own');
    should(translate('status.asking')).equal('common');
    should(translate('status.other')).equal(null);
  });

  it('takes the sentence of the reason, else that of the code, else the English one', () => {
    const known = new Map([
      ['error.NETWORK_refused', 'refused __alias__'],
      ['error.NETWORK', 'network'],
    ]);
    const translate = createTranslate({
      _: (key: string, words: Record<string, string | number> = {}) =>
        (known.get(key) ?? `cemm:${key}`).replace('__alias__', String(words['alias'])),
    });
    const told = (code: 'NETWORK' | 'TLS', reason: string): string =>
      toNodeError(new CemmError(code, { reason, alias: 's01' }), translate).message;
    told('NETWORK', 'refused').should.equal('refused s01');
    told('NETWORK', 'reset').should.equal('network');
    told('TLS', 'expired').should.equal(new CemmError('TLS', { reason: 'expired' }).message);
  });

  it('CL1: reveals only the class of a foreign error, because its text can contain a key', () => {
    const error = asCemmError(new TypeError('https://service/?api_key=secret'));
    error.code.should.equal('UNSUPPORTED');
    const seen = toNodeError(error, silent);
    seen.message.should.containEql('TypeError');
    (JSON.stringify(seen) + String(seen)).should.not.containEql('secret');
  });
});

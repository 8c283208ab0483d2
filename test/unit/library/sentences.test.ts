import { readFileSync } from 'node:fs';
import should from 'should';
import { makeSentences, sentencesFile } from '../../../scripts/build/build-sentences';
import { CemmError, errorCodes } from '../../../src/errors';
import { sentences } from '../../../src/sentences';

describe('the messages of the library', () => {
  it('are the English sentences of the nodes (npx tsx scripts/build/build-sentences.ts)', async () => {
    const isUpToDate = readFileSync(sentencesFile, 'utf8') === (await makeSentences());
    isUpToDate.should.be.true('src/sentences.ts is out of date');
  });

  it('exist for each code', () => {
    for (const code of errorCodes) new CemmError(code).message.should.not.equal(code);
  });

  it('are those of the reason, else those of the code', () => {
    should(new CemmError('NETWORK', { reason: 'refused' }).message).equal(sentences['NETWORK_refused']);
    should(new CemmError('NETWORK', { reason: 'unheard_of' }).message).equal(sentences['NETWORK']);
    should(new CemmError('NETWORK').message).equal(sentences['NETWORK']);
  });

  it('contain the facts of the error', () => {
    const aliasError = new CemmError('ALIAS', { reason: 'no_meter', alias: 's01' });
    aliasError.message.should.equal(
      'The monitor has no meter “s01”. Choose in `alias` one of those that it lists, such as p1.',
    );
    new CemmError('DEADLINE', { reason: 'promise', elapsedMs: 24_900 }).message.should.containEql('within 25 s');
    new CemmError('AUTH', { reason: 'local_access', status: 403 }).message.should.containEql('(403)');
    new CemmError('CONFIG', { reason: 'env_not_set', params: { name: 'KEY' } }).message.should.containEql('KEY');
  });

  it('say ? for a value that is not known', () => {
    new CemmError('WRONG_MONITOR', { reason: 'other_mac' }).message.should.containEql('(?)');
  });

  it('name a program where the sentence of the nodes names a dialog or a message', () => {
    new CemmError('CONFIG', { reason: 'mode' }).message.should.startWith('Connect with one of `apiKey`, `host`');
    new CemmError('CANCELLED', { reason: 'stopped' }).message.should.equal('The request was stopped.');
  });

  it('name an option where the sentence of the nodes names a field of a dialog', () => {
    new CemmError('CONFIG', { reason: 'host_blank' }).message.should.startWith('`host` is blank.');
    new CemmError('CONFIG', { reason: 'base_version' }).message.should.startWith('`baseUrl` must end');
    new CemmError('NETWORK', { reason: 'address_refused' }).message.should.containEql('`allowLoopback`');
    for (const text of Object.values(sentences)) text.should.not.match(/“(Address|Service|Meter|Wait at most)”/);
  });

  it('are the same in a copy', () => {
    const error = new CemmError('DEADLINE', { alias: 'p1', status: 202, requests: 3, elapsedMs: 25_000 });
    error.copy().message.should.equal(error.message);
  });
});

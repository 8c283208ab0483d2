import should from 'should';
import { CemmError, errorCodes } from '../../../src/errors';
import { sentences } from '../../../src/sentences';

describe('the messages of the library', () => {
  it('exist for each code', () => {
    for (const code of errorCodes) new CemmError(code).message.should.not.equal(code);
  });

  it('are those of the reason, else those of the code', () => {
    const ofCode = 'The network connection failed. Check `host` or `baseUrl`, the cable and the router.';
    should(new CemmError('NETWORK', { reason: 'refused' }).message).startWith(
      'Nothing answers at this address and port.',
    );
    should(new CemmError('NETWORK', { reason: 'unheard_of' }).message).equal(ofCode);
    should(new CemmError('NETWORK').message).equal(ofCode);
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
    // Without a reason as well.
    new CemmError('DEADLINE', { elapsedMs: 900 }).message.should.endWith('Try again, or allow a longer deadline.');
    new CemmError('RATE').message.should.endWith('Send them more slowly.');
  });

  it('name an option where the sentence of the nodes names a field of a dialog', () => {
    new CemmError('CONFIG', { reason: 'host_blank' }).message.should.startWith('`host` is blank.');
    new CemmError('CONFIG', { reason: 'base_version' }).message.should.startWith('`baseUrl` must end');
    new CemmError('NETWORK', { reason: 'address_refused' }).message.should.containEql('`allowLoopback`');
    new CemmError('NOT_A_MONITOR').message.should.endWith('Check `host`.');
    new CemmError('REDIRECT').message.should.endWith('address in `host` or `baseUrl`.');
    for (const text of Object.values(sentences)) text.should.not.match(/“(Address|Service|Meter|Wait at most)”/);
  });

  it('are the same in a copy', () => {
    const error = new CemmError('DEADLINE', { alias: 'p1', status: 202, requests: 3, elapsedMs: 25_000 });
    error.copy().message.should.equal(error.message);
  });
});

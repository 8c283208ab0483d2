/** The conversion of any thrown value to a CemmError. */
import { inspect } from 'node:util';
import should from 'should';
import { CemmError, toCemmError } from '../../../src/errors';
import { ProtocolError } from '../../../src/protocol/json';

describe('connection: any thrown value', () => {
  it('is kept when it is a CemmError', () => {
    const error = new CemmError('NETWORK', { reason: 'refused' });
    should(toCemmError(error)).equal(error);
  });

  it('names the place of an invalid value in a response', () => {
    const error = toCemmError(new ProtocolError('$.data.t1', 'a number'));
    should([error.code, error.reason, error.params]).eql([
      'BAD_PAYLOAD',
      'shape',
      { path: '$.data.t1', expected: 'a number' },
    ]);
    should(error.message).containEql('$.data.t1 (expected: a number)');
  });

  it('keeps nothing of another error', () => {
    for (const thrown of [new Error('key=secret'), 'secret', { secret: 'secret' }, null, undefined]) {
      const error = toCemmError(thrown);
      should([error.code, error.reason, error.retryable]).eql(['UNSUPPORTED', 'unexpected', false]);
      should(inspect(error, { showHidden: true, depth: 9 }).replaceAll(__filename, '')).not.match(/secret/);
    }
  });
});

/** The error for an internal error. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import should from 'should';
import { CemmError, internalFault, isInternalFault } from '../../../src/errors';

const { version } = JSON.parse(readFileSync(path.resolve(__dirname, '../../../package.json'), 'utf8')) as {
  version: string;
};

/** An error with this stack. */
function thrownAt(frame: string, message = 'no'): Error {
  const error = new RangeError(message);
  error.stack = `RangeError: ${message}\n    at Array.map (<anonymous>)\n    at ${frame}\n    at node:internal/x:1:2`;
  return error;
}

describe('an internal error', () => {
  it('CL15: is UNSUPPORTED, which is not retried, with the class, the place and the version', () => {
    const fault = internalFault(thrownAt('readSeries (/data/node_modules/x/dist/src/model/series.js:1:4711)'));
    should([fault.code, fault.reason]).eql(['UNSUPPORTED', 'unexpected']);
    should(fault.params).eql({ kind: 'RangeError', place: 'model/series.js:1:4711', version });
    new CemmError(fault.code).retryable.should.be.false();
  });

  it('names the place with Windows paths and without a function name', () => {
    should(internalFault(thrownAt('C:\\data\\dist\\nodes\\cemm-series\\node.js:2:3')).params.place).equal(
      'cemm-series/node.js:2:3',
    );
  });

  it('ignores a place in the text of an error', () => {
    const message = 'api_key=canary\n    at x (/src/canary.js:1:1)';
    should(internalFault(thrownAt('x (/srv/elsewhere.js:1:1)', message)).params.place).equal('unknown');
  });

  it('uses no text as the class', () => {
    const error = thrownAt('x (/src/a.js:1:1)');
    error.name = 'https://host/?api_key=canary';
    should(internalFault(error).params.kind).equal('Error');
    should(internalFault('canary').params).eql({ kind: 'string', place: 'unknown', version });
  });

  it('differs from other unsupported requests', () => {
    isInternalFault(new CemmError('UNSUPPORTED', { reason: 'unexpected' })).should.be.true();
    isInternalFault(new CemmError('UNSUPPORTED', { reason: 'request_refused' })).should.be.false();
  });
});

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
    should(internalFault(thrownAt('x (/srv/other.js:1:1)', message)).params.place).equal('unknown');
  });

  it('uses no text as the class', () => {
    const error = thrownAt('x (/src/a.js:1:1)');
    error.name = 'https://host/?api_key=canary';
    should(internalFault(error).params.kind).equal('Error');
    should(internalFault('canary').params).eql({ kind: 'string', place: 'unknown', version });
  });

  describe('of the installation', () => {
    const missing = (
      message: string,
      requireStack: unknown = ['/data/node_modules/x/dist/src/clients/http.js'],
    ): Error => Object.assign(new Error(message), { code: 'MODULE_NOT_FOUND', requireStack });
    const packageOf = (thrown: unknown): unknown => internalFault(thrown).params['package'];

    it('names the package that is missing, and nothing else', () => {
      const fault = internalFault(missing("Cannot find module 'axios'\nRequire stack:\n- /data/canary.js"));
      should([fault.code, fault.reason]).eql(['UNSUPPORTED', 'missing_package']);
      should(fault.params).eql({ package: 'axios' });
      should(packageOf(missing("Cannot find module '@scope/name/file.js'"))).equal('@scope/name');
      isInternalFault(new CemmError(fault.code, fault)).should.be.true();
    });

    it('names the package of which a file is missing', () => {
      const file =
        "Cannot find module '/data/node_modules/axios/dist/axios.cjs'. Please verify that the package.json has";
      should(packageOf(missing(file))).equal('axios');
      should(packageOf(missing("Cannot find module 'C:\\data\\node_modules\\axios\\a.cjs'"))).equal('axios');
      const within = ['/data/node_modules/a/node_modules/@scope/b/c.js', '/data/node_modules/a/d.js'];
      should(packageOf(missing("Cannot find module './part'", within))).equal('@scope/b');
    });

    it('is a fault of the package where no package is named', () => {
      for (const thrown of [
        missing("Cannot find module './part'", []),
        missing('canary'),
        new Error("Cannot find module 'axios'"),
      ]) {
        should(internalFault(thrown).reason).equal('unexpected');
      }
    });
  });

  it('differs from other unsupported requests', () => {
    isInternalFault(new CemmError('UNSUPPORTED', { reason: 'unexpected' })).should.be.true();
    isInternalFault(new CemmError('UNSUPPORTED', { reason: 'request_refused' })).should.be.false();
  });
});

/** The status of a receiver that cannot start. */
import type { NodeStatus } from 'node-red';
import 'should';
import { Reporter } from '../../../nodes/cemm-webhook-in/reporter';
import { errorStatus } from '../../../nodes/lib/run/status';
import { createTranslate } from '../../../nodes/lib/run/translate';
import { CemmError } from '../../../src/errors';
import { catalogueLookup } from '../../support/editor/catalogue-lookup';

/** The status with which the receiver reports the error. */
function blockedStatus(error: CemmError): NodeStatus[] {
  const shown: NodeStatus[] = [];
  const translate = createTranslate(catalogueLookup(['cemm-webhook-in', 'cemm-connection']));
  const runner = {
    translate,
    status: () => undefined,
    report(reported: CemmError, status: NodeStatus | null = errorStatus(reported, translate)): void {
      if (status !== null) shown.push(status);
    },
  };
  new Reporter(runner, { warn: () => undefined }).block(error);
  return shown;
}

describe('a receiver that cannot start', () => {
  it('names in its status a variable that is not set', () => {
    const unset = new CemmError('CONFIG', { reason: 'env_not_set', params: { name: 'CEMM_KEY' } });
    blockedStatus(unset).should.eql([{ fill: 'red', shape: 'ring', text: 'not set: CEMM_KEY' }]);
  });

  it('names in its status the field of a stored value that has no text of its own', () => {
    const wrong = new CemmError('CONFIG', { reason: 'property', params: { field: 'channel', check: '', why: '' } });
    blockedStatus(wrong).should.eql([{ fill: 'red', shape: 'ring', text: 'check: Channel' }]);
  });

  it('says what is wrong in the words of a receiver', () => {
    const missing = new CemmError('CONFIG', { reason: 'webhook_hmac_key' });
    blockedStatus(missing).should.eql([{ fill: 'red', shape: 'ring', text: 'HMAC key missing' }]);
    const taken = new CemmError('CONFIG', { reason: 'webhook_port_in_use', params: { port: '1881' } });
    blockedStatus(taken).should.eql([{ fill: 'red', shape: 'ring', text: 'port 1881 is in use' }]);
  });
});

import { inspect } from 'node:util';
import should from 'should';
import { toMacText, toMonitorId, toRemoteUid } from '../../../src/protocol/mac';

const id = '001ec08596cc';

describe('protocol/mac', () => {
  for (const text of [
    '00-1E-C0-85-96-CC',
    '00:1E:C0:85:96:CC',
    '00:1e:c0:85:96:cc',
    '001EC08596CC',
    ' 001ec08596cc\n',
    '\t00-1e-c0-85-96-cc ',
  ]) {
    it(`reads ${JSON.stringify(text)}`, () => {
      should(toMonitorId(text)).equal(id);
    });
  }

  for (const value of [
    '',
    'c',
    'cc',
    '001ec08596c',
    '001ec08596cc0',
    '0001ec08596cc',
    'g01ec08596cc',
    'ghijklmnopqr',
    '00:1E:C0:85:96',
    '00:1E:C0:85:96:CC:00',
    '00:1E:C0:85:96:CC0',
    '000:1E:C0:85:96:CC',
    'x00:1E:C0:85:96:CC',
    '00:1E-C0:85:96:CC',
    '00.1E.C0.85.96.CC',
    '00 1E C0 85 96 CC',
    '00:1E:C0:85:96:CG',
    0x1ec08596cc,
    null,
    undefined,
    [id],
  ]) {
    it(`is none: ${inspect(value)}`, () => {
      should(toMonitorId(value)).be.null();
    });
  }

  it('is written with hyphens for the remote API and with colons for users', () => {
    const known = toMonitorId(id);
    if (known === null) throw new Error('no MAC');
    should(toRemoteUid(known)).equal('00-1E-C0-85-96-CC');
    should(toMacText(known)).equal('00:1E:C0:85:96:CC');
    should([toMonitorId(toRemoteUid(known)), toMonitorId(toMacText(known))]).eql([id, id]);
  });
});

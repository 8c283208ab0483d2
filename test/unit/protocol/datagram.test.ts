import should from 'should';
import { discoveryPort, discoveryQuery, largestDatagram, parseDiscoveryReply } from '../../../src/protocol/datagram';
import { ProtocolError } from '../../../src/protocol/json';

const sound = { ip: '192.168.1.20', mac: '00:1E:C0:85:96:CC', version: '1.24', type: 'CEMM_basic', init_state: 1 };
const read = (body: unknown) => parseDiscoveryReply(Buffer.from(JSON.stringify(body)));

describe('protocol/datagram', () => {
  it('sends ten ASCII bytes on port 9777', () => {
    should(Buffer.from(discoveryQuery).toString('latin1')).equal('cemm_query');
    should(discoveryPort).equal(9777);
  });

  it('parses the reply of a monitor', () => {
    should(read(sound)).eql({ id: '001ec08596cc', ip: '192.168.1.20', core: '1.24', type: 'CEMM_basic' });
  });

  it('requires only the MAC address and the IP address', () => {
    should(read({ ip: sound.ip, mac: sound.mac })).eql({ id: '001ec08596cc', ip: sound.ip, core: null, type: null });
    for (const odd of ['', 124, null, ['1.24'], true]) {
      should(read({ ...sound, version: odd, type: odd })).match({ core: null, type: null });
    }
  });

  it('removes control characters and keeps 64 characters', () => {
    should(read({ ...sound, type: '\u001b[31mre\u0000d\u007f\u009f\n' }).type).equal('[31mred');
    should(read({ ...sound, version: 'x'.repeat(300) }).core).equal('x'.repeat(64));
    should(read({ ...sound, version: 'é~ ' }).core).equal('é~ ');
  });

  it('accepts 1024 bytes and no more', () => {
    const filled = (bytes: number) => {
      const empty = Buffer.from(JSON.stringify({ ...sound, filler: '' }));
      return Buffer.from(JSON.stringify({ ...sound, filler: 'x'.repeat(bytes - empty.length) }));
    };
    should(filled(largestDatagram).length).equal(1024);
    should(parseDiscoveryReply(filled(1024)).id).equal('001ec08596cc');
    should(() => parseDiscoveryReply(filled(1025))).throw(ProtocolError, { path: '$', expected: 'at most 1024 bytes' });
  });

  for (const [body, path, expected] of [
    [null, '$', 'an object'],
    [5, '$', 'an object'],
    ['cemm', '$', 'an object'],
    [[sound], '$', 'an object'],
    [{ ...sound, mac: '12:34' }, '$.mac', 'a MAC address'],
    [{ ip: sound.ip }, '$.mac', 'a MAC address'],
    [{ ...sound, ip: 5 }, '$.ip', 'an address'],
    [{ mac: sound.mac }, '$.ip', 'an address'],
  ] as const) {
    it(`refuses ${JSON.stringify(body)} at ${path}`, () => {
      should(() => read(body)).throw(ProtocolError, { path, expected });
    });
  }
});

import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import should from 'should';
import type { HmacKey, InstallationKeys } from '../../../src/webhook/keys';
import {
  type AuthenticationRules,
  type Authenticator,
  createAuthenticator,
  type RequestHead,
  shortestKey,
  sign,
} from '../../../src/webhook/signature';

const key = 'a key of twenty-four bytes';
const body = Buffer.from('{"format":"basic-v1","cemm":24000001,"time":1768478400,"data":{}}');

function signed(signature: string | undefined): RequestHead {
  return { headers: signature === undefined ? {} : { 'x-signature': signature }, url: '/cemm' };
}

function resultOf(
  signature: string | undefined,
  bytes: Buffer = body,
  current: HmacKey = key,
  previous?: HmacKey,
): string {
  const proof = createAuthenticator({ hmac: { current, previous } });
  const caller = signed(signature);
  return proof.checkHead(caller) ?? proof.matchSignature(caller, bytes) ?? 'bad_signature';
}

/** RFC 4231, section 4: HMAC-SHA-512 of test cases 1 to 4, 6 and 7 (5 is a truncated MAC). */
const rfc4231 = [
  {
    key: '0b'.repeat(20),
    data: '4869205468657265',
    mac: '87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cdedaa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854',
  },
  {
    key: '4a656665',
    data: '7768617420646f2079612077616e7420666f72206e6f7468696e673f',
    mac: '164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737',
  },
  {
    key: '0102030405060708090a0b0c0d0e0f10111213141516171819',
    data: 'cd'.repeat(50),
    mac: 'b0ba465637458c6990e5a8c5f61d4af7e576d97ff94b872de76f8050361ee3dba91ca5c11aa25eb4d679275cc5788063a5f19741120c4f2de2adebeb10a298dd',
  },
  {
    key: 'aa'.repeat(20),
    data: 'dd'.repeat(50),
    mac: 'fa73b0089d56a284efb0f0756c890be9b1b5dbdd8ee81a3655f83e33b2279d39bf3e848279a722c806b485a47e67c807b946a337bee8942674278859e13292fb',
  },
  {
    key: 'aa'.repeat(131),
    data: Buffer.from('Test Using Larger Than Block-Size Key - Hash Key First').toString('hex'),
    mac: '80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f3526b56d037e05f2598bd0fd2215d6a1e5295e64f73f63f0aec8b915a985d786598',
  },
  {
    key: 'aa'.repeat(131),
    data: Buffer.from(
      'This is a test using a larger than block-size key and a larger than block-size data. The key needs to be hashed before being used by the HMAC algorithm.',
    ).toString('hex'),
    mac: 'e37b6a775dc87dbaa4dfa9f96e5e3ffddebd71f8867289865df5a32d20cdc944b6022cac3c4982b10d5eeb55c3e4de15134676fb6de0446065c97440fa8c6a58',
  },
];

describe('authentication of a delivery', () => {
  describe('HMAC-SHA512', () => {
    rfc4231.forEach(({ key: hexKey, data, mac }, index) => {
      it(`WA13: accepts RFC 4231 vector ${index + 1} and no variation of it`, () => {
        const text = Buffer.from(hexKey, 'hex');
        const bytes = Buffer.from(data, 'hex');
        resultOf(mac, bytes, text).should.equal('current');
        resultOf(mac.toUpperCase(), bytes, text).should.equal('current');
        for (let bit = 0; bit < 512; bit++) {
          const flipped = Buffer.from(mac, 'hex');
          flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
          resultOf(flipped.toString('hex'), bytes, text).should.equal('bad_signature');
        }
      });
    });

    it('WA13: uses the key as UTF-8 text', () => {
      const expected = createHmac('sha512', Buffer.from('sleutel €', 'utf8')).update(body).digest('hex');
      sign('sleutel €', body).should.equal(expected);
      resultOf(expected, body, 'sleutel €').should.equal('current');
    });

    it('WA3, WA4: rejects a truncated or extended signature', () => {
      const good = sign(key, body);
      for (let length = 0; length < 128; length++) {
        resultOf(good.slice(0, length)).should.equal(length === 0 ? 'missing_signature' : 'bad_signature');
      }
      for (const tail of ['0', '00', 'zz', ' 00', '\n00', good, '\0', ',', 'g']) {
        resultOf(good + tail).should.equal('bad_signature');
      }
    });

    it('WA5: rejects a character that is not a hex digit at every position', () => {
      const good = sign(key, body);
      for (let at = 0; at < 128; at++) {
        for (const character of ['g', 'G', ' ', '-', '/', ':', '@', '`', '\u0660', '０']) {
          resultOf(good.slice(0, at) + character + good.slice(at + 1)).should.equal('bad_signature');
        }
      }
    });

    it('WA5, WA7: rejects other notations and two signatures in one header', () => {
      const good = sign(key, body);
      const base64 = Buffer.from(good, 'hex').toString('base64');
      for (const text of [`sha512=${good}`, base64, `${good}, ${good}`, `0x${good}`, `"${good}"`]) {
        resultOf(text).should.equal('bad_signature');
      }
    });

    it('WA6: accepts surrounding spaces and digits in any case', () => {
      const good = sign(key, body);
      const mixed = Array.from(good)
        .map((digit, index) => (index % 2 ? digit.toUpperCase() : digit))
        .join('');
      for (const text of [` ${good}\t`, good.toUpperCase(), mixed]) resultOf(text).should.equal('current');
    });

    it('WA1: distinguishes a missing signature from a wrong one', () => {
      resultOf(undefined).should.equal('missing_signature');
      resultOf('   ').should.equal('missing_signature');
      resultOf(sign('another key', body)).should.equal('bad_signature');
    });

    it('WA8: rejects a body with any changed bit', () => {
      const good = sign(key, body);
      for (let bit = 0; bit < body.length * 8; bit++) {
        const changed = Buffer.from(body);
        changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
        resultOf(good, changed).should.equal('bad_signature');
      }
    });

    it('WB6: distinguishes bytes that decode to the same text', () => {
      const broken = Buffer.from([0x22, 0xe2, 0x22]);
      const replaced = Buffer.from('"\ufffd"', 'utf8');
      resultOf(sign(key, broken), replaced).should.equal('bad_signature');
    });

    it('WA2: accepts any body that it was computed for, and only with its key', () => {
      fc.assert(
        fc.property(
          fc.uint8Array({ maxLength: 2000 }),
          fc.string({ minLength: 1 }),
          fc.string({ minLength: 1 }),
          (bytes, one, other) => {
            fc.pre(one.trim() !== '' && other.trim() !== '' && one !== other);
            // HMAC itself pads short keys with NUL bytes, so a key and the same with trailing NULs are one key.
            fc.pre(one.replace(/\0+$/, '') !== other.replace(/\0+$/, ''));
            const buffer = Buffer.from(bytes);
            resultOf(sign(one, buffer), buffer, one).should.equal('current');
            resultOf(sign(one, buffer), buffer, other).should.equal('bad_signature');
          },
        ),
        { numRuns: 2000 },
      );
    });

    it('WA25: accepts the previous and the current key, and reports which', () => {
      resultOf(sign('old', body), body, 'new', 'old').should.equal('previous');
      resultOf(sign('new', body), body, 'new', 'old').should.equal('current');
      resultOf(sign('older', body), body, 'new', 'old').should.equal('bad_signature');
      resultOf(sign('', body), body, 'new', '').should.equal('bad_signature');
      resultOf(sign(' ', body), body, 'new', ' ').should.equal('bad_signature');
    });
  });

  describe('HMAC-SHA512 with keys of the installation', () => {
    let proof: Authenticator;
    const keys: InstallationKeys = { current: 'new', previous: 'old' };
    const whose = (signedWith: string, among: InstallationKeys | null | undefined): string | null =>
      proof.matchSignature(signed(sign(signedWith, body)), body, among);

    before(() => {
      proof = createAuthenticator({ hmac: 'per_request' });
    });

    it('requires a signature before the keys are looked up', () => {
      proof.methods.should.deepEqual(['hmac']);
      should(proof.checkHead(signed(undefined))).equal('missing_signature');
      should(proof.checkHead(signed('abc'))).equal('bad_signature');
      should(proof.checkHead(signed(sign('anything', body)))).be.null();
    });

    it('reports which key matched, or none', () => {
      should(whose('new', keys)).equal('current');
      should(whose('old', keys)).equal('previous');
      should(whose('older', keys)).be.null();
      should(whose('new', { ...keys, previous: undefined })).equal('current');
      should(whose('old', { ...keys, previous: undefined })).be.null();
    });

    it('matches nothing for an unknown installation', () => {
      for (const key of ['new', 'old', 'null', 'undefined', '\0']) {
        should(whose(key, null)).be.null();
        should(whose(key, undefined)).be.null();
      }
    });
  });

  it('matches no key for a missing or malformed signature', () => {
    for (const hmac of [{ current: key }, 'per_request'] as const) {
      const proof = createAuthenticator({ hmac });
      for (const text of [undefined, '', 'abc', `${sign(key, body)}00`, 'g'.repeat(128)]) {
        should(proof.matchSignature(signed(text), body, { current: key })).be.null();
      }
    }
    const keyOnly = createAuthenticator({ header: { name: 'X-Key', key: 'one' } });
    should(keyOnly.matchSignature(signed(sign(key, body)), body)).be.null();
  });

  describe('keys', () => {
    let header: Authenticator;
    let query: Authenticator;

    before(() => {
      header = createAuthenticator({ header: { name: 'X-API-Key', key: 'grüße+/=' } });
      query = createAuthenticator({ query: { name: 'api_key', key: 'a+b/c==' } });
    });

    it('WA18: compares a header key as bytes, with any case of its name, without surrounding spaces', () => {
      const sent = Buffer.from('grüße+/=', 'utf8').toString('latin1');
      should(header.checkHead({ headers: { 'x-api-key': `  ${sent} ` } })).be.null();
      for (const value of [undefined, '', 'grusse', `${sent}, ${sent}`, `${sent}x`, sent.slice(1)]) {
        should(header.checkHead({ headers: value === undefined ? {} : { 'x-api-key': value } })).equal('bad_key');
      }
    });

    it('are sufficient where no other method is configured', () => {
      header.methods.should.deepEqual(['header']);
      query.methods.should.deepEqual(['query']);
      createAuthenticator({}).methods.should.deepEqual([]);
      should(createAuthenticator({}).checkHead({ headers: {} })).be.null();
    });

    it('compares a key in the URL, percent-encoded or as typed', () => {
      for (const url of [
        '/cemm?api_key=a+b/c==',
        '/cemm?api_key=a%2Bb%2Fc%3D%3D',
        '/cemm?x=1&api_key=a+b/c==&y',
        '?api_key=a+b/c==',
      ]) {
        should(query.checkHead({ headers: {}, url })).be.null();
      }
    });

    it('WA17: refuses a key that is missing, wrong, repeated or a list', () => {
      const good = 'a+b/c==';
      for (const url of [
        undefined,
        '/cemm',
        '/cemm?',
        '/cemm?api_key',
        '/cemm?api_key=',
        `/cemm?api_key=${good}x`,
        `/cemm?api_key=${good}&api_key=${good}`,
        `/cemm?api_key=${good}&api_key=x`,
        `/cemm?api_key[]=${good}`,
        `/cemm?api_key[a]=${good}`,
        `/cemm?API_KEY=${good}`,
        `/cemm&api_key=${good}`,
        `/cemm/api_key=${good}`,
        '/cemm?api_key=%',
        `/cemm?${'k=v&'.repeat(10_000)}`,
      ]) {
        should(query.checkHead({ headers: {}, url })).equal('bad_key', String(url).slice(0, 60));
      }
    });
  });

  it('WA14: requires every configured method: a valid key does not replace a missing signature', () => {
    const proof = createAuthenticator({
      hmac: { current: key },
      header: { name: 'X-Key', key: 'one' },
      query: { name: 'k', key: 'two' },
    });
    const signature = sign(key, body);
    const complete = { headers: { 'x-signature': signature, 'x-key': 'one' }, url: '/cemm?k=two' };
    should(proof.checkHead(complete)).be.null();
    should(proof.matchSignature(complete, body)).equal('current');
    should(proof.checkHead({ ...complete, headers: { 'x-key': 'one' } })).equal('missing_signature');
    should(proof.checkHead({ ...complete, headers: { 'x-signature': signature } })).equal('bad_key');
    should(proof.checkHead({ ...complete, url: '/cemm' })).equal('bad_key');
    proof.methods.should.deepEqual(['hmac', 'header', 'query']);
  });

  it('WA11: refuses a blank key', () => {
    for (const blank of ['', ' ', '\n\t']) {
      (() => createAuthenticator({ hmac: { current: blank } })).should.throw(RangeError, { message: /blank/ });
      (() => createAuthenticator({ header: { name: 'X-Key', key: blank } })).should.throw(RangeError);
      (() => createAuthenticator({ query: { name: 'k', key: blank } })).should.throw(RangeError);
    }
    (() => createAuthenticator({ hmac: { current: new Uint8Array() } })).should.throw(RangeError);
  });

  it('WA16: takes the same time for a nearly correct key and a wrong one', () => {
    const secret = 'k'.repeat(4000);
    const proof = createAuthenticator({ header: { name: 'k', key: secret } });
    const time = (value: string): number => {
      const samples: number[] = [];
      for (let run = 0; run < 400; run++) {
        const start = process.hrtime.bigint();
        proof.checkHead({ headers: { k: value } });
        samples.push(Number(process.hrtime.bigint() - start));
      }
      return samples.sort((a, b) => a - b)[100] ?? 0;
    };
    const near = `${'k'.repeat(3999)}x`;
    const far = `x${'k'.repeat(3999)}`;
    time(near);
    // Lower quartiles, best of three: a comparison that stops at the first difference would differ by far more.
    const ratio = Math.min(...[1, 2, 3].map(() => Math.abs(Math.log(time(near) / time(far)))));
    ratio.should.be.below(0.5);
  });

  it('tells a short key of any method, also a previous one, and whether the keys are those of the installation', () => {
    const [long, short] = ['k'.repeat(shortestKey), 'k'.repeat(shortestKey - 1)];
    const hasShort = (rules: AuthenticationRules): boolean => createAuthenticator(rules).hasShortKey;
    hasShort({ hmac: { current: long, previous: long } }).should.be.false();
    hasShort({ hmac: { current: short } }).should.be.true();
    hasShort({ hmac: { current: long, previous: short } }).should.be.true();
    hasShort({ hmac: { current: long, previous: ' ' } }).should.be.false();
    hasShort({ hmac: { current: long }, header: { name: 'k', key: short } }).should.be.true();
    hasShort({ header: { name: 'k', key: long }, query: { name: 'k', key: short } }).should.be.true();
    hasShort({ header: { name: 'k', key: long }, query: { name: 'k', key: long } }).should.be.false();
    hasShort({ hmac: 'per_request' }).should.be.false();
    createAuthenticator({ hmac: 'per_request' }).isPerRequest.should.be.true();
    createAuthenticator({ hmac: { current: long } }).isPerRequest.should.be.false();
  });
});

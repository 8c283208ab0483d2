/** The detection of secrets in received text. */
import { inspect } from 'node:util';
import should from 'should';
import { createRemoteClient } from '../../../src/clients/remote-client';
import { mentions } from '../../../src/clients/redaction';

/** Its base64 contains `+` and `/` twice each, and padding; percent-encoding changes it, too. */
const secret = 'k-1???>>>???>>>é';
const bytes = Buffer.from(secret, 'utf8');

describe('redaction of secrets in received text', () => {
  it('uses a secret that differs in every encoding', () => {
    should(bytes.toString('base64')).equal('ay0xPz8/Pj4+Pz8/Pj4+w6k=');
  });

  const spellings: Readonly<Record<string, string>> = {
    plain: secret,
    'percent-encoded': encodeURIComponent(secret),
    'percent-encoded in lower case': encodeURIComponent(secret).toLowerCase(),
    base64: bytes.toString('base64'),
    'base64 without padding': bytes.toString('base64').replace(/=+$/, ''),
    base64url: bytes.toString('base64url'),
    hex: bytes.toString('hex'),
    'hex in capitals': bytes.toString('hex').toUpperCase(),
    'in capitals': secret.toUpperCase(),
  };
  for (const [name, spelling] of Object.entries(spellings)) {
    it(`is found ${name}`, () => {
      for (const text of [spelling, `http://${spelling}.example/?a=b`, `x${spelling}`, `${spelling}x`]) {
        should(mentions(text, [secret])).be.true(text);
      }
    });
  }

  it('is found in base64 with and without padding', () => {
    for (const long of ['a secret', 'a secret.', 'a secret..']) {
      const padded = Buffer.from(long).toString('base64');
      for (const text of [padded, padded.replace(/=/g, ''), `${padded.replace(/=/g, '')}.`]) {
        should(mentions(text, [long])).be.true(text);
      }
    }
  });

  it('is found among several secrets', () => {
    should(mentions(`key=${secret}`, ['another one', secret])).be.true();
    should(mentions(`key=${secret}`, [secret, 'another one'])).be.true();
  });

  it('is not found when it is missing or incomplete', () => {
    for (const text of [
      '',
      'zon',
      secret.slice(1),
      bytes.toString('hex').slice(1),
      encodeURIComponent(secret).slice(1),
    ]) {
      should(mentions(text, [secret])).be.false(text);
    }
    should(mentions(secret, [])).be.false();
    should(mentions(secret, ['another one'])).be.false();
  });

  it('is not found in text that differs from its base64 by one character', () => {
    const base64 = bytes.toString('base64').replace(/=+$/, '');
    for (const text of [base64.replace(/[+/]/g, ''), base64.replace(/[+/]/g, '.'), base64.replace(/.$/, '=')]) {
      should(mentions(text, [secret])).be.false(text);
    }
  });
});

describe('the API key of a remote client', () => {
  it('is not in the logged properties of the client', () => {
    const client = createRemoteClient({ baseUrl: 'https://open-api.invalid/v1/', apiKey: secret });
    should(mentions(inspect(client, { depth: Infinity, showHidden: true, getters: true }), [secret])).be.false();
    should(mentions(JSON.stringify(client), [secret])).be.false();
    client.close();
  });
});

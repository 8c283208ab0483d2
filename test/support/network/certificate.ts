/** Makes a self-signed certificate (X.509 v3 in DER, RFC 5280), so that the repository contains no private key. */
import { generateKeyPairSync, sign } from 'node:crypto';

const der = (tag: number, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  // Browsers refuse a length with more bytes than it needs.
  const length = body.length < 128 ? [body.length] : body.length < 256 ? [0x81, body.length] : twoBytes(body.length);
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
};
const twoBytes = (length: number): number[] => [0x82, length >> 8, length & 0xff];
const sequence = (...parts: Buffer[]): Buffer => der(0x30, ...parts);
const ecdsaWithSha256 = sequence(der(0x06, Buffer.from('2a8648ce3d040302', 'hex')));

function name(commonName: string): Buffer {
  const attribute = sequence(der(0x06, Buffer.from('550403', 'hex')), der(0x0c, Buffer.from(commonName)));
  return sequence(der(0x31, attribute));
}

const time = (text: string): Buffer => der(0x17, Buffer.from(text));

export function selfSigned(commonName: string): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const serial = der(0x02, Buffer.from([1]));
  const validity = sequence(time('200101000000Z'), time('491231235959Z'));
  const subject = name(commonName);
  // Browsers accept no older version.
  const version3 = der(0xa0, der(0x02, Buffer.from([2])));
  const about = sequence(
    version3,
    serial,
    ecdsaWithSha256,
    subject,
    validity,
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = sign('sha256', about, privateKey);
  const certificate = sequence(about, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature));
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
  };
}

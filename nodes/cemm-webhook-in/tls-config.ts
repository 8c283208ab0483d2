/** The certificate of a core tls-config node, for a port of our own. */
import { createSecureContext } from 'node:tls';
import type { NodeAPI } from 'node-red';
import { CemmError } from '../../src/clients/errors';
import type { Certificate } from '../../src/webhook/delivery-server';

/** @throws CemmError CONFIG `webhook_tls_missing`, `webhook_tls_unusable` */
export function findCertificate(RED: Pick<NodeAPI, 'nodes'>, id: string): Certificate {
  const node: unknown = RED.nodes.getNode(id);
  if (!isTlsConfig(node)) throw refusal('tls_missing', 'The TLS configuration of the node is missing or disabled.');
  const options: object = {};
  node.addTLSOptions(options);
  const certificate = {
    key: contentOf(options, 'key'),
    cert: contentOf(options, 'cert'),
    ca: contentOf(options, 'ca'),
    passphrase: contentOf(options, 'passphrase')?.toString(),
  };
  try {
    if (certificate.key === undefined || certificate.cert === undefined) throw new Error('no certificate');
    createSecureContext(certificate);
  } catch {
    throw refusal('tls_unusable', 'The TLS configuration has no certificate and key that go together.');
  }
  return certificate;
}

interface TlsConfigNode {
  addTLSOptions(options: object): void;
}

function isTlsConfig(node: unknown): node is TlsConfigNode {
  return typeof node === 'object' && node !== null && typeof Reflect.get(node, 'addTLSOptions') === 'function';
}

function contentOf(options: object, name: string): string | Buffer | undefined {
  const content: unknown = Reflect.get(options, name);
  return typeof content === 'string' || Buffer.isBuffer(content) ? content : undefined;
}

function refusal(reason: string, message: string): CemmError {
  return new CemmError('CONFIG', message, { reason: `webhook_${reason}` });
}

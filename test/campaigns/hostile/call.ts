/** Sends one hostile case and checks its outcome. */
import { createSocket } from 'node:dgram';
import { connect } from 'node:net';
import { discoveryPort } from '../../../src/protocol/datagram';
import type { HostileCase } from './cases';
import { spellingsIn } from '../../support/node-red/secrets';

export interface Outcome {
  /** Status of the first response; null without one. */
  readonly status: number | null;
  readonly text: string;
  readonly end: 'closed' | 'left' | 'hung';
}

/** Much longer than the 3 s that a body may take. */
const longestMs = 20_000;

export function send(port: number, hostile: HostileCase): Promise<Outcome> {
  return hostile.kind === 'datagram' ? sendDatagram(hostile) : sendCall(port, hostile);
}

function sendCall(port: number, { bytes, waits, from }: HostileCase): Promise<Outcome> {
  return new Promise((resolve) => {
    let text = '';
    let end: Outcome['end'] = 'closed';
    const socket = connect({ port, host: '127.0.0.1', localAddress: from }, () => {
      socket.write(bytes, () => {
        if (waits) return;
        end = 'left';
        if (bytes.length % 2 === 0) socket.resetAndDestroy();
        else socket.destroy();
      });
    });
    const limit = setTimeout(() => {
      end = 'hung';
      socket.destroy();
    }, longestMs);
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(limit);
      const status = /^HTTP\/1\.[01] (\d{3})/.exec(text)?.[1];
      resolve({ status: status === undefined ? null : Number(status), text, end });
    });
  });
}

function sendDatagram({ bytes, from }: HostileCase): Promise<Outcome> {
  return new Promise((resolve) => {
    const socket = createSocket({ type: 'udp4', reuseAddr: true });
    const close = (): void => {
      socket.close(() => {
        resolve({ status: null, text: '', end: 'left' });
      });
    };
    socket.on('error', close);
    socket.bind(0, from, () => {
      socket.send(bytes, discoveryPort, '127.255.255.255', close);
      socket.setBroadcast(true);
    });
  });
}

const authenticationStatuses = [400, 401, 413, 415, 429];
const admissionStatuses = [400, 403, 413, 422];

/**
 * Returns the problem of the outcome, or null.
 * @param isOwnPort only the server of the webhook node answers there
 */
export function complaint(
  hostile: HostileCase,
  outcome: Outcome,
  secrets: readonly string[],
  isOwnPort: boolean,
): string | null {
  const { status, text, end } = outcome;
  if (end === 'hung') return 'was neither answered nor closed';
  for (const secret of secrets) {
    const [spelling] = spellingsIn(text, secret);
    if (spelling !== undefined) return `reveals a key (${spelling})`;
  }
  if (status === null) return null;
  switch (hostile.kind) {
    case 'unsigned':
      return allowed(outcome, authenticationStatuses) ?? ownAnswer(text);
    case 'signed':
      return allowed(outcome, isJson(hostile.body) ? admissionStatuses : [400, 413]) ?? ownAnswer(text);
    case 'any':
      // All cases are from one monitor, whose deliveries per minute are limited.
      return allowed(outcome, isJson(hostile.body) ? [200, 400, 413, 422, 429, 503] : [400, 413]) ?? ownAnswer(text);
    case 'malformed':
      if (isAccepted(text)) return 'was accepted';
      return isOwnPort && /<html|<pre|node_modules|x-powered-by/i.test(text) ? `answered ${text.slice(0, 300)}` : null;
    case 'admin':
      return isAccepted(text) || text.includes('"unexpected"') ? `answered ${text.slice(-200)}` : null;
    case 'datagram':
      return null;
  }
}

export function isAccepted(text: string): boolean {
  return text.includes('"status":"accepted"');
}

function allowed({ status, text }: Outcome, statuses: readonly number[]): string | null {
  return status !== null && statuses.includes(status) ? null : `answered ${text.slice(0, 300)}`;
}

/** A response of the package is JSON of at most 300 bytes, without a stack or path. */
function ownAnswer(text: string): string | null {
  const body = text.slice(text.indexOf('\r\n\r\n') + 4);
  const isOurs = /^\{"(status|error)":"[a-z_]+"/.test(body) && Buffer.byteLength(body) < 300;
  return isOurs && !/node_modules|\bat \//.test(body)
    ? null
    : `was not answered by the webhook node: ${body.slice(0, 300)}`;
}

/** Checked with another parser than that of the package. */
function isJson(body: Buffer | null): boolean {
  if (body === null) return false;
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    return true;
  } catch {
    return false;
  }
}

/** Hostile requests: the bytes that an attacker or a faulty monitor sends to Node-RED. */
import { createHmac } from 'node:crypto';
import { connectionRoutes } from '../../../nodes/cemm-connection/config';
import { Random } from '../../support/random';
import { deliveryLike, jsonText, mutated } from './json-corpus';

/**
 * `unsigned`: to the webhook without a valid signature. `signed`: with one, from a monitor that is not on the list. `any`: with
 * one, to a path that accepts all monitors. `malformed`: not or not quite HTTP. `admin`: to the admin routes. `datagram`: to the
 * discovery port.
 */
export const kinds = ['unsigned', 'signed', 'any', 'malformed', 'admin', 'datagram'] as const;

export type Kind = (typeof kinds)[number];

export interface HostileCase {
  readonly kind: Kind;
  readonly bytes: Buffer;
  /** False: disconnects after sending its bytes. */
  readonly waits: boolean;
  /** The loopback address of the sender. */
  readonly from: string;
  /** The body, if the request is complete and tests only the JSON. */
  readonly body: Buffer | null;
}

export interface Target {
  readonly key: string;
  /** `host:port` of the Node-RED. */
  readonly host: string;
}

export const hookPath = '/cemm';
export const openPath = '/cemm-any';

export function hostileCase(seed: number, index: number, target: Target): HostileCase {
  const random = new Random(Math.imul(seed, 0x9e3779b1) + Math.imul(index, 0x85ebca6b));
  // From many addresses, and often from the same one.
  const from = random.happens(0.3) ? '127.0.3.1' : `127.0.${random.int(0, 3)}.${random.int(2, 250)}`;
  const kind = kinds[[0, 0, 0, 1, 1, 2, 2, 3, 3, 3, 4, 5][index % 12] ?? 0] ?? 'unsigned';
  switch (kind) {
    case 'unsigned':
      return { kind, from, waits: true, body: null, bytes: unsignedCall(random, target) };
    case 'signed':
    case 'any': {
      const body = jsonText(random);
      const path = kind === 'signed' ? hookPath : openPath;
      return { kind, from, waits: true, body, bytes: request(target, path, body, [signature(target.key, body)]) };
    }
    case 'malformed':
      return { kind, from, body: null, ...malformedCall(random, target) };
    case 'admin':
      return { kind, from, waits: true, body: null, bytes: adminCall(random, target) };
    case 'datagram':
      return { kind, from, waits: false, body: null, bytes: datagram(random) };
  }
}

function signature(key: string, body: Buffer): string {
  return `X-Signature: ${createHmac('sha512', key).update(body).digest('hex')}`;
}

function request({ host }: Target, path: string, body: Buffer, lines: readonly string[], method = 'POST'): Buffer {
  const head = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${host}`,
    'Connection: close',
    ...(lines.some((line) => /^content-type:/i.test(line)) ? [] : ['Content-Type: application/json']),
    ...(lines.some((line) => /^(content-length|transfer-encoding):/i.test(line))
      ? []
      : [`Content-Length: ${body.length}`]),
    ...lines,
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
}

/** Never a valid signature alone: other keys, malformed signatures, the signature of another body. */
function unsignedCall(random: Random, target: Target): Buffer {
  const body = random.happens(0.5) ? Buffer.from(deliveryLike(random, 0)) : jsonText(random);
  const good = createHmac('sha512', target.key).update(body).digest('hex');
  const flipped = random.int(0, 127);
  const digit = ((parseInt(good[flipped] ?? '0', 16) + random.int(1, 15)) % 16).toString(16);
  const wrong = random.pick([
    'ab'.repeat(64),
    createHmac('sha512', '').update(body).digest('hex'),
    createHmac('sha512', `${target.key} `).update(body).digest('hex'),
    createHmac('sha512', target.key)
      .update(Buffer.concat([body, Buffer.from(' ')]))
      .digest('hex'),
    createHmac('sha256', target.key).update(body).digest('hex'),
    createHmac('sha512', target.key).update(body).digest('base64'),
    good.slice(0, random.int(0, 127)),
    good + random.pick(['0', 'zz', ', ' + good, ';', '%00']),
    `sha512=${good}`,
    good.slice(0, flipped) + digit + good.slice(flipped + 1),
    random.text(random.int(0, 140), '0123456789abcdefXYZ -_=,;"'),
  ]);
  const lines = random.happens(0.05) ? [] : [`X-Signature: ${wrong}`];
  if (lines.length > 0 && random.happens(0.2)) lines.push(`X-Signature: ${good}`);
  if (random.happens(0.1)) lines.push(`X-API-Key: ${target.key}`);
  if (random.happens(0.1)) lines.push('Content-Encoding: gzip');
  if (random.happens(0.1))
    lines.push(
      `Content-Type: ${random.pick(['text/plain', 'multipart/form-data', 'application/json; charset=utf-16'])}`,
    );
  if (random.happens(0.1)) lines.push(`X-Forwarded-For: 127.0.0.${random.int(1, 9)}`);
  const query = random.happens(0.2)
    ? `?api_key=${encodeURIComponent(target.key)}&${random.text(random.int(0, 60), 'a[]=&%2e0')}`
    : '';
  return request(target, hookPath + query, body, lines);
}

/** Requests that are aborted, have a wrong length, invalid chunks, or are not HTTP. */
function malformedCall(random: Random, target: Target): { bytes: Buffer; waits: boolean } {
  const body = Buffer.from(deliveryLike(random, 0));
  const wrong = 'X-Signature: ' + '0'.repeat(128);
  const whole = request(target, hookPath, body, [wrong]);
  const chunks = (size: string, end: string): Buffer =>
    Buffer.concat([
      request(target, hookPath, Buffer.alloc(0), [wrong, 'Transfer-Encoding: chunked']),
      Buffer.from(`${size}\r\n`),
      body,
      Buffer.from(end),
    ]);
  const length = body.length.toString(16);
  switch (random.int(0, 11)) {
    case 0:
      return { bytes: whole.subarray(0, random.int(1, whole.length - 1)), waits: false };
    case 1:
      return { bytes: mutated(random, whole), waits: false };
    case 2:
      return {
        bytes: request(target, hookPath, body, [
          wrong,
          `Content-Length: ${random.pick(['-1', '0', '1e3', '5, 5', '99999999999999999999', ''])}`,
        ]),
        waits: random.happens(0.02),
      };
    case 3:
      return {
        bytes: request(target, hookPath, body, [wrong, `Content-Length: ${body.length}`, 'Transfer-Encoding: chunked']),
        waits: true,
      };
    case 4:
      return {
        bytes: chunks(
          random.pick([length, `0${length}`, 'zz', '-1', 'ffffffffffffffff', `${length};x="y"`]),
          random.pick(['\r\n0\r\n\r\n', '0\r\n', '\r\n0\r\nX: y\r\n\r\n']),
        ),
        waits: random.happens(0.02),
      };
    case 5:
      return {
        bytes: request(target, hookPath, body, [wrong, `X-Filler: ${'x'.repeat(random.int(1, 40_000))}`]),
        waits: true,
      };
    case 6:
      return { bytes: request(target, pathVariant(random), body, [wrong]), waits: true };
    case 7:
      return {
        bytes: request(
          target,
          hookPath,
          body,
          [wrong],
          random.pick(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'BREW']),
        ),
        waits: true,
      };
    case 8:
      return {
        bytes: request(
          target,
          hookPath,
          Buffer.alloc(0),
          ['Upgrade: websocket', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: eA==', 'Connection: Upgrade'],
          'GET',
        ),
        waits: false,
      };
    case 9:
      return { bytes: Buffer.concat([whole, whole, random.bytes(random.int(0, 20))]), waits: true };
    case 10:
      return {
        bytes: Buffer.from(
          `${random.pick(['POST', 'post', 'POST\t', '\0', 'P'])} ${hookPath} ${random.pick(['HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTCPCP/1.0', ''])}\r\n${random.pick(['', 'Host: x\r\n', ' folded\r\n', ': no name\r\n', 'A: b\n'])}\r\n`,
          'latin1',
        ),
        waits: false,
      };
    default:
      return { bytes: random.bytes(random.int(1, 300)), waits: false };
  }
}

function pathVariant(random: Random): string {
  return random.pick([
    '//cemm',
    '/cemm/.',
    '/./cemm',
    '/x/../cemm',
    '/cemm;a=b',
    '/%63emm',
    '/cemm%2f',
    '/cemm%00',
    '/CEMM/',
    '/cemm?' + 'x'.repeat(random.int(0, 20_000)),
    '/cemm#x',
    'http://127.0.0.1/cemm',
    '/cemm/%',
    '*',
  ]);
}

const routes = [
  ...Object.values(connectionRoutes),
  'cemm-webhook-in/test',
  'cemm-webhook-in/deliveries',
  'cemm-webhook-in/server',
  'cemm-webhook-in/record',
  'cemm-webhook-in/report',
];

/** Dialog input whose hosts are loopback or invalid, so that no lookup leaves this machine. */
function adminCall(random: Random, target: Target): Buffer {
  const host = random.pick([
    '127.0.0.1:1',
    '',
    '[::1',
    'a b',
    'http://127.0.0.1:1/x',
    '127.0.0.1:99999',
    'x'.repeat(5000),
    '-',
    '\0',
  ]);
  const form: Record<string, unknown> = {
    id: random.pick(['hook', 'connection', '', '__proto__', 'x'.repeat(300)]),
    mode: random.pick(['local', 'remote', 'demo', '', 'constructor', 7, null]),
    host,
    baseUrl: random.pick(['http://127.0.0.1:1/v1/', 'file:///etc/passwd', 'x', '']),
    apiKey: random.pick(['__PWRD__', '', 'wrong', 5]),
    path: hookPath,
    hmac: true,
    hmacKey: random.pick(['__PWRD__', 'wrong', '']),
    monitor: random.pick(['', '../..', '001122334455', {}]),
    timezone: random.pick(['Europe/Amsterdam', 'Mars/Olympus', 5]),
  };
  const body = random.happens(0.6) ? Buffer.from(JSON.stringify(form)) : jsonText(random);
  const lines = random.happens(0.7) ? ['X-CEMM-Request: dialog'] : [];
  if (random.happens(0.2))
    lines.push(`Content-Type: ${random.pick(['text/plain', 'application/x-www-form-urlencoded'])}`);
  if (random.happens(0.2)) lines.push('Origin: http://other.example');
  const path = `/${random.pick(routes)}${random.pick(['', '?id=hook', '?id[]=hook', '?id=__proto__', '?id=%00'])}`;
  return request(target, path, body, lines, random.happens(0.7) ? 'POST' : 'GET');
}

/** Invalid discovery responses: garbage, wrong sizes, and forged addresses. */
function datagram(random: Random): Buffer {
  const forged = { ip: `10.0.0.${random.int(1, 250)}`, mac: '00:1E:C0:85:96:CC', version: '1', type: 'CEMM_basic' };
  return random.pick([
    random.bytes(random.int(0, 1400)),
    jsonText(random).subarray(0, 8000),
    Buffer.alloc(random.int(0, 60_000), 0x20),
    Buffer.from(JSON.stringify(forged)),
    Buffer.from(JSON.stringify({ ...forged, mac: random.pick(['', 'x', 5, null, {}]) })),
    Buffer.from('cemm_query'),
  ]);
}

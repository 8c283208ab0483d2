/**
 * A server that answers byte by byte as a test defines. On node:net, because a real HTTP server can neither stop inside a
 * header nor send a wrong length. Listens on loopback, on any free port.
 */
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { ErrorCode } from '../../../src/errors';
import { listenOnLoopback } from './loopback';

export interface ReceivedRequest {
  readonly method: string;
  /** As sent, with the query. */
  readonly target: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** Number of earlier requests on this connection. */
  readonly earlierOnSocket: number;
}

/** Action on the connection after one request has arrived. */
export type Act = (socket: Socket) => void;

export interface FaultServer {
  readonly port: number;
  /** `http://127.0.0.1:port` */
  readonly origin: string;
  /** Every request so far. */
  readonly requests: readonly ReceivedRequest[];
  /** Connections so far. */
  readonly connections: number;
  /** Connections that are open now. */
  readonly open: number;
  close(): Promise<void>;
}

export async function startFaultServer(script: (request: ReceivedRequest) => Act): Promise<FaultServer> {
  const requests: ReceivedRequest[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    let received = '';
    let earlierOnSocket = 0;
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      for (let end = received.indexOf('\r\n\r\n'); end >= 0; end = received.indexOf('\r\n\r\n')) {
        const request = readRequest(received.slice(0, end), earlierOnSocket++);
        received = received.slice(end + 4);
        requests.push(request);
        script(request)(socket);
      }
    });
  });
  const port = await listenOnLoopback(server);
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    requests,
    get connections() {
      return connections;
    },
    get open() {
      return sockets.size;
    },
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}

function readRequest(head: string, earlierOnSocket: number): ReceivedRequest {
  const [line = '', ...lines] = head.split('\r\n');
  const [method = '', target = ''] = line.split(' ');
  const [path = '', query = ''] = target.split('?');
  const headers = new Map(
    lines.map((text) => {
      const colon = text.indexOf(':');
      return [text.slice(0, colon).toLowerCase(), text.slice(colon + 1).trim()];
    }),
  );
  return { method, target, path, query: new URLSearchParams(query), headers, earlierOnSocket };
}

export type Bytes = string | Uint8Array;

const bytesOf = (data: Bytes): Buffer => (typeof data === 'string' ? Buffer.from(data, 'utf8') : Buffer.from(data));

export type HeaderLines = Readonly<Record<string, string>>;

/** The head of a response; `headers` are unchanged. */
export function head(status: number, headers: HeaderLines = {}, version = '1.1'): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/${version} ${status} Said\r\n${lines.join('')}\r\n`;
}

/** A complete and correct response with a length, on a connection that stays open. */
export function answer(status: number, body: Bytes = '', headers: HeaderLines = {}): Act {
  const bytes = bytesOf(body);
  return sendBytes(
    head(status, { 'Content-Type': 'application/json', ...headers, 'Content-Length': `${bytes.length}` }),
    bytes,
  );
}

/** JSON with status 200. */
export function json(value: unknown, status = 200): Act {
  return answer(status, JSON.stringify(value));
}

/** These bytes, and the connection stays open. */
export function sendBytes(...parts: Bytes[]): Act {
  return (socket) => {
    socket.write(Buffer.concat(parts.map(bytesOf)));
  };
}

/** These bytes, then the connection is closed in order (FIN). */
function sendAndClose(...parts: Bytes[]): Act {
  return (socket) => {
    socket.end(Buffer.concat(parts.map(bytesOf)));
  };
}

/** These bytes; then the connection is reset (RST), after a delay for their arrival. */
export function sendAndReset(...parts: Bytes[]): Act {
  const bytes = Buffer.concat(parts.map(bytesOf));
  return (socket) => {
    if (bytes.length === 0) socket.resetAndDestroy();
    // A reset discards what the other side has not read yet.
    else socket.write(bytes, () => setTimeout(() => socket.resetAndDestroy(), 30));
  };
}

/** The first part at once, then one byte at a time, while the connection is open. */
function drip(first: Bytes, rest: Bytes): Act {
  const bytes = bytesOf(rest);
  return (socket) => {
    let index = 0;
    socket.write(bytesOf(first));
    const timer = setInterval(() => {
      socket.write(bytes.subarray(index % bytes.length, (index % bytes.length) + 1));
      index += 1;
    }, 20);
    socket.on('close', () => {
      clearInterval(timer);
    });
  };
}

/** The first part, then the same chunk repeatedly, as fast as the client reads it. */
function endless(first: Bytes, chunk: Bytes): Act {
  const bytes = bytesOf(chunk);
  return (socket) => {
    socket.write(bytesOf(first));
    const more = (): void => {
      while (socket.writable) if (!socket.write(bytes)) return;
    };
    socket.on('drain', more);
    more();
  };
}

/** No response at all. */
export const silent: Act = () => undefined;

const sound = (length: number): HeaderLines => ({ 'Content-Type': 'application/json', 'Content-Length': `${length}` });
const chunked: HeaderLines = { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' };
const page = '<!DOCTYPE html><html><body>Please log in</body></html>';
const half = '{"data":{"t1":[17000';

/** Responses without usable data, whatever the request: by the error that a client reports. */
const faultsByCode = {
  DEADLINE: {
    silence: silent,
    'dripping headers': drip('HTTP/1.1 200 OK\r\n', 'X-Slow: yes\r\n'),
    'dripping body': drip(head(200, sound(100_000)), ' '),
    'headers, then silence': sendBytes(head(200, sound(100))),
    'silence in mid-body': sendBytes(head(200, sound(100)), half),
    'another protocol': sendBytes('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n'),
    'endless interim answers': endless('', head(102).repeat(100)),
  },
  NETWORK: {
    'closed before headers': sendAndClose(),
    'closed in headers': sendAndClose('HTTP/1.1 200 OK\r\nContent-Type: appl'),
    'reset before headers': sendAndReset(),
    'reset in headers': sendAndReset('HTTP/1.1 200 OK\r\nContent-Type: appl'),
    'reset in body': sendAndReset(head(200, sound(100)), half),
    'truncated, with length': sendAndClose(head(200, sound(100)), half),
    'last chunk missing': sendAndClose(head(200, chunked), '5\r\n{"dat\r\n'),
    'chunk without a size': sendBytes(head(200, chunked), `size\r\n${half}`),
  },
  BAD_PAYLOAD: {
    'truncated, without length': sendAndClose(head(200, { 'Content-Type': 'application/json' }), half),
    'length too short': sendBytes(head(200, sound(10)), '{"data":{"t1":[1,2]}}'),
    'two lengths': sendBytes('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}'),
    'garbage instead of HTTP': sendAndClose('SSH-2.0-OpenSSH_9.6\r\n'),
    'gzip bomb': answer(200, gzipSync(Buffer.alloc(50_000_000)), { 'Content-Encoding': 'gzip' }),
    'corrupt gzip': answer(200, 'not gzip', { 'Content-Encoding': 'gzip' }),
    'gzip without saying so': answer(200, gzipSync('{"data":{}}')),
    'HTML page': answer(200, page, { 'Content-Type': 'text/html' }),
    'HTML page called JSON': answer(200, `\n ${page}`),
    'invalid UTF-8': answer(
      200,
      Buffer.concat([Buffer.from('{"data":"'), Buffer.from([0xe2, 0x28]), Buffer.from('"}')]),
    ),
    'status 204': sendBytes(head(204)),
    'empty body': answer(200),
    null: answer(200, 'null'),
    'a number': answer(200, '1e999'),
    'a list': answer(200, '[1]'),
    NaN: answer(200, '{"data":NaN}'),
    'deep nest': answer(200, `{"data":${'['.repeat(12_000)}${']'.repeat(12_000)}}`),
    'another shape': answer(200, '{"error":"something is wrong"}'),
    'header with a null byte': sendBytes(`HTTP/1.1 200 OK\r\nX-Null: \0\r\nContent-Length: 2\r\n\r\n{}`),
    'text after the JSON': answer(200, '{"data":{}} and more'),
    'UTF-16': answer(200, Buffer.from('\uFEFF{"data":{}}', 'utf16le')),
    'a string': answer(200, '"data"'),
  },
  TOO_LARGE: {
    'endless headers': endless('HTTP/1.1 200 OK\r\n', `X-Filler: ${'x'.repeat(1000)}\r\n`),
    'endless body': endless(head(200, { 'Content-Type': 'application/json' }), ' '.repeat(65_536)),
    'huge length': sendBytes(head(200, sound(3_000_000))),
  },
  REDIRECT: {
    'redirect on the same host': sendBytes(head(302, { Location: '/other', 'Content-Length': '0' })),
    'redirect without target': sendBytes(head(301, { 'Content-Length': '0' })),
    'redirect to itself': sendBytes(head(308, { Location: '', 'Content-Length': '0' })),
    'redirect to another host': sendBytes(head(302, { Location: 'http://192.0.2.1/', 'Content-Length': '0' })),
    'redirect, garbled': sendBytes(head(307, { Location: 'ht!tp:\\\\%', 'Content-Length': '0' })),
  },
} satisfies Partial<Record<ErrorCode, Readonly<Record<string, Act>>>>;

export const faults = {
  ...faultsByCode.DEADLINE,
  ...faultsByCode.NETWORK,
  ...faultsByCode.BAD_PAYLOAD,
  ...faultsByCode.TOO_LARGE,
  ...faultsByCode.REDIRECT,
};

export type FaultCase = keyof typeof faults;

const codes = Object.keys(faultsByCode) as (keyof typeof faultsByCode)[];

export function expectedCode(fault: FaultCase): ErrorCode | undefined {
  return codes.find((code) => fault in faultsByCode[code]);
}

/** Unusual but correct responses: `body` must be received. */
export function disguises(body: string): Readonly<Record<string, Act>> {
  const length = `${Buffer.byteLength(body)}`;
  return {
    'HTTP/1.0 without length': sendAndClose(head(200, {}, '1.0'), body),
    'no content type': sendBytes(head(200, { 'Content-Length': length }), body),
    'called HTML': sendBytes(head(200, { 'CONTENT-TYPE': 'text/html', 'content-LENGTH': length }), body),
    'called compressed with identity': sendBytes(
      head(200, { 'Content-Encoding': 'identity', 'Content-Length': length }),
      body,
    ),
    'a byte order mark': answer(200, `\uFEFF${body}`),
    'one byte per chunk': sendBytes(
      head(200, chunked),
      [...Buffer.from(body)].map((byte) => `1\r\n${String.fromCharCode(byte)}\r\n`).join(''),
      '0\r\n\r\n',
    ),
    'after a hundred interim answers': sendBytes(head(102).repeat(100), head(200, { 'Content-Length': length }), body),
    'bytes that were not announced': sendBytes(head(200, { 'Content-Length': length }), body, 'and more'),
  };
}

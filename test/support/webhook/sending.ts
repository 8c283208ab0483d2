/** Sends deliveries to a running Node-RED like a monitor, and in every way a monitor could. */
import { connect } from 'node:net';
import type { Agent } from 'node:http';
import { sign } from '../../../src/webhook/signature';
import { exchange } from '../network/exchange';

export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly ms: number;
}

let counter = 0;

/** A delivery of one reading with a unique value. */
export function delivery(more: Readonly<Record<string, unknown>> = {}): Buffer {
  counter += 1;
  const time = Math.floor(Date.now() / 1000);
  const data = { zon: { electric_energy_export: { reading: { time, value: counter } } } };
  return Buffer.from(JSON.stringify({ format: 'basic-v1', cemm: 24000001, time, data, ...more }));
}

/** As from a fleet: one monitor sends no more than its receiver's quota. */
export function deliveryOfMany(more: Readonly<Record<string, unknown>> = {}): Buffer {
  return delivery({ cemm: 24000001 + (counter % 1000), ...more });
}

/** The number added by `delivery`. */
export function valueIn(body: Buffer): number {
  const match = /"value":\s*(\d+)/.exec(body.toString('utf8'));
  return Number(match?.[1]);
}

export interface Sender {
  readonly url: string;
  readonly key: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly agent?: Agent;
  /** The loopback address of the sender. */
  readonly localAddress?: string;
}

/** One POST with a length; resolves with the response. Rejects if the connection breaks first. */
export async function post(
  { url, key, headers = {}, agent, localAddress }: Sender,
  body: Buffer,
  more: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const started = performance.now();
  const length = { 'content-type': 'application/json', 'content-length': body.length, 'x-signature': sign(key, body) };
  const options = { method: 'POST', agent: agent ?? false, headers: { ...length, ...headers, ...more }, localAddress };
  const { status, text } = await exchange(url, options, body);
  return { status, text, ms: performance.now() - started };
}

/** The head of a call, unchanged; `lines` are header lines without line ends. */
export function head(sender: Sender, signature: string, lines: readonly string[]): Buffer {
  const { host, pathname, search } = new URL(sender.url);
  const own = Object.entries(sender.headers ?? {}).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from(
    [
      `POST ${pathname}${search} HTTP/1.1`,
      `Host: ${host}`,
      'Content-Type: application/json',
      `X-Signature: ${signature}`,
      ...own,
      ...lines,
      '',
      '',
    ].join('\r\n'),
  );
}

/** Writes the pieces one after the other and resolves with the whole response. */
export function raw(url: string, pieces: readonly Buffer[]): Promise<Reply> {
  const started = performance.now();
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => {
      for (const piece of pieces) socket.write(piece);
    });
    socket.setNoDelay(true);
    const finish = (): void => {
      const status = /^HTTP\/1\.1 (?!100)(\d{3})/m.exec(text)?.[1];
      socket.destroy();
      if (status === undefined) reject(new Error(`closed without an answer: ${text.slice(0, 200)}`));
      else resolve({ status: Number(status), text, ms: performance.now() - started });
    };
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
      if (/^HTTP\/1\.1 (?!100)\d{3}[^]*\r\n\r\n[^]*\}$/m.test(text)) finish();
    });
    socket.on('close', finish);
    socket.on('error', () => undefined);
  });
}

const ends = '\r\n';

/** One body in all its forms on the wire, each with its own signature over exactly these bytes. */
export const shapes: Readonly<Record<string, (sender: Sender, body: Buffer, signature: string) => Buffer[]>> = {
  'with a length': (sender, body, signature) => [head(sender, signature, [`Content-Length: ${body.length}`]), body],
  'with a length, cut inside a character': (sender, body, signature) => {
    const middle = Math.max(body.indexOf(0xe2) + 1, 1);
    return [
      head(sender, signature, [`Content-Length: ${body.length}`]),
      body.subarray(0, middle),
      body.subarray(middle),
    ];
  },
  'chunked, one byte at a time': (sender, body, signature) => [
    head(sender, signature, ['Transfer-Encoding: chunked']),
    ...Array.from(body, (byte) => Buffer.concat([Buffer.from(`1${ends}`), Buffer.of(byte), Buffer.from(ends)])),
    Buffer.from(`0${ends}${ends}`),
  ],
  'with Expect: 100-continue': (sender, body, signature) => [
    head(sender, signature, [`Content-Length: ${body.length}`, 'Expect: 100-continue']),
    body,
  ],
  'chunked with Expect: 100-continue': (sender, body, signature) => [
    head(sender, signature, ['Transfer-Encoding: chunked', 'Expect: 100-continue']),
    Buffer.from(`${body.length.toString(16)}${ends}`),
    body,
    Buffer.from(`${ends}0${ends}${ends}`),
  ],
  'with the signature in capitals and a charset': (sender, body, signature) => [
    head(sender, signature.toUpperCase(), [`Content-Length: ${body.length}`]),
    body,
  ],
};

/** The same delivery in different JSON styles. */
export const formats: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  'as it is': (body) => body,
  'spaced and with line ends': (body) =>
    Buffer.from(`\r\n ${JSON.stringify(JSON.parse(body.toString('utf8')), null, '\t').replaceAll('\n', '\r\n')}\n\n`),
  'with escapes and text beyond ASCII': (body) =>
    Buffer.from(body.toString('utf8').replace('{', '{"note":"prijs \u20ac \u65e5\u672c","\\u006eote2":"\\u20ac\\/",')),
  'with a byte order mark': (body) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body]),
};

/** Keeps sending until stopped, several at a time; `replies` has the results. */
export class Traffic {
  readonly replies: Reply[] = [];
  readonly sent: number[] = [];
  readonly broken: unknown[] = [];
  private running = true;
  private readonly workers: Promise<void>[];

  constructor(
    readonly sender: () => Sender,
    inTheAir: number,
    private readonly pauseMs: number,
    private readonly make: () => Buffer = () => deliveryOfMany(),
  ) {
    this.workers = Array.from({ length: inTheAir }, () => this.work());
  }

  async stop(): Promise<void> {
    this.running = false;
    await Promise.all(this.workers);
  }

  count(status: number): number {
    return this.replies.filter((reply) => reply.status === status).length;
  }

  private async work(): Promise<void> {
    while (this.running) {
      const body = this.make();
      try {
        const reply = await post(this.sender(), body);
        this.replies.push(reply);
        if (reply.status === 200) this.sent.push(valueIn(body));
      } catch (error) {
        this.broken.push(error);
      }
      await new Promise((resolve) => setTimeout(resolve, this.pauseMs));
    }
  }
}

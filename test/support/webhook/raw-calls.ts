/** Raw connections to a receiver, for the faults of a webhook path. */
import { connect } from 'node:net';
import { sign } from '../../../src/webhook/signature';
import { key } from './receiver-harness';

/** A signed call, byte by byte. */
export function call(body: Buffer, more: readonly string[] = [], { target = '/cemm', version = '1.1' } = {}): Buffer {
  const lengths = more.some((line) => /^(content-length|transfer-encoding):/i.test(line))
    ? []
    : [`Content-Length: ${body.length}`];
  const lines = [
    `POST ${target} HTTP/${version}`,
    'Host: 127.0.0.1',
    'Content-Type: application/json',
    `X-Signature: ${sign(key, body)}`,
    ...lengths,
    ...more,
    '',
    '',
  ];
  return Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), body]);
}

/** Writes the bytes, optionally closes its side, and resolves with all data until the other side has closed. */
export function speak(port: number, bytes: Buffer, { end = false, until = 0 } = {}): Promise<string> {
  return new Promise((resolve) => {
    let heard = '';
    const socket = connect(port, '127.0.0.1', () => {
      if (end) socket.end(bytes);
      else socket.write(bytes);
    });
    socket.on('data', (chunk: Buffer) => {
      heard += chunk.toString('latin1');
      if (until > 0 && statuses(heard).length >= until) socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      resolve(heard);
    });
  });
}

/** The statuses of the responses, in order. */
export function statuses(heard: string): number[] {
  return [...heard.matchAll(/HTTP\/1\.[01] (\d{3}) /g)]
    .map((match) => Number(match[1]))
    .filter((status) => status !== 100);
}

/** Load on keep-alive sockets: a socket sends its next call when the response to the previous one is complete. */
import { connect } from 'node:net';
import { median } from './interleaved';

export interface Load {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Responses with another status than 200. */
  readonly refused: number;
}

/** Sends each call once, over this number of sockets. */
export async function send(port: number, calls: readonly Buffer[], sockets: number): Promise<Load> {
  const waits: number[] = [];
  let next = 0;
  let refused = 0;
  const started = performance.now();
  await Promise.all(
    Array.from(
      { length: sockets },
      () =>
        new Promise<void>((resolve, reject) => {
          const socket = connect(port, '127.0.0.1');
          let asked = 0;
          let answer = '';
          const ask = (): void => {
            const call = calls[next++];
            if (call === undefined) {
              socket.destroy();
              resolve();
              return;
            }
            asked = performance.now();
            socket.write(call);
          };
          socket.setNoDelay(true);
          socket.on('connect', ask);
          socket.on('error', reject);
          socket.on('end', () => {
            reject(new Error('The server closed the socket.'));
          });
          socket.on('data', (chunk) => {
            answer += chunk.toString('latin1');
            if (!isComplete(answer)) return;
            waits.push(performance.now() - asked);
            if (!answer.startsWith('HTTP/1.1 200')) refused++;
            answer = '';
            ask();
          });
        }),
    ),
  );
  const seconds = (performance.now() - started) / 1000;
  waits.sort((a, b) => a - b);
  return {
    perSecond: waits.length / seconds,
    p50Ms: median(waits),
    p99Ms: waits[Math.floor(waits.length * 0.99)] ?? NaN,
    refused,
  };
}

function isComplete(answer: string): boolean {
  const head = answer.indexOf('\r\n\r\n');
  if (head < 0) return false;
  const length = /content-length: *(\d+)/i.exec(answer.slice(0, head))?.[1];
  return length !== undefined && answer.length >= head + 4 + Number(length);
}

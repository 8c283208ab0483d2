/** Sends requests unchanged, byte for byte, many at a time. */
import { connect } from 'node:net';

/** Ends an attack without a response. */
const patienceMs = 6000;

/** Returns the whole response; a HEAD or a CONNECT may have no end of its own. */
export function exchange(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text, 'latin1'));
    const closeSocket = (): void => {
      clearTimeout(limit);
      socket.destroy();
      resolve(answer);
    };
    const limit = setTimeout(closeSocket, patienceMs);
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')));
    socket.on('close', closeSocket);
    socket.on('error', closeSocket);
  });
}

export function requestText(method: string, address: string, lines: readonly string[] = []): string {
  const own = /^(?:POST|PUT|PATCH)$/i.test(method) ? ['Content-Type: application/json', 'Content-Length: 2'] : [];
  const head = [`${method} ${address} HTTP/1.1`, 'Host: home.example.org', 'Connection: close', ...own, ...lines];
  return `${head.join('\r\n')}\r\n\r\n${own.length > 0 ? '{}' : ''}`;
}

export function decodedPath(url: string): string {
  return decodeURIComponent(url.split('?')[0] ?? '');
}

/** Sixteen at a time. */
export async function inTurn<T>(things: readonly T[], work: (thing: T) => Promise<void>): Promise<void> {
  const queue = [...things];
  const worker = async (): Promise<void> => {
    for (let thing = queue.shift(); thing !== undefined; thing = queue.shift()) await work(thing);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}

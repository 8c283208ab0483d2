/** Receives the next deliveries of a webhook as they come, for a report. Checks no key: what comes is only recorded. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { systemClock } from '../time/clock';
import type { ReceivedDelivery } from './deliveries';
import { DeliveryRecorder } from './delivery-recorder';

export interface RecordOptions {
  readonly port: number;
  readonly address: string;
  /** Ends the recording before all deliveries have come. */
  readonly signal: AbortSignal;
  readonly onListening: (port: number) => void;
  readonly onDelivery: (count: number) => void;
}

const mostBytes = 1_000_000;
const requestMs = 30_000;

/**
 * @returns ten deliveries, or those of an hour
 * @throws {Error} of `listen`, if the port is in use
 */
export function recordDeliveries({
  port,
  address,
  signal,
  ...on
}: RecordOptions): Promise<readonly ReceivedDelivery[]> {
  return new Promise((resolve, reject) => {
    const server = createServer({ requestTimeout: requestMs, headersTimeout: requestMs }, (request, response) => {
      void receiveDelivery(request, response).then((delivery) => {
        if (delivery === null || !recorder.isRecording) return;
        recorder.add(delivery);
        on.onDelivery(recorder.deliveries.length);
      });
    });
    const recorder = new DeliveryRecorder(systemClock, close);
    const endRecording = (): void => {
      recorder.end();
    };
    recorder.record();
    server.once('error', (error) => {
      endRecording();
      reject(error);
    });
    server.listen(port, address, () => {
      const bound = server.address();
      on.onListening(typeof bound === 'object' && bound !== null ? bound.port : port);
    });
    signal.addEventListener('abort', endRecording);

    function close(): void {
      signal.removeEventListener('abort', endRecording);
      server.close(() => {
        resolve(recorder.deliveries);
      });
      server.closeIdleConnections();
    }
  });
}

/** Null for a request that is no delivery, or a broken one. */
async function receiveDelivery(request: IncomingMessage, response: ServerResponse): Promise<ReceivedDelivery | null> {
  const at = Date.now();
  try {
    const body = request.method === 'POST' ? await readDeliveryBody(request) : null;
    response.writeHead(body === null ? 400 : 200, { 'Content-Type': 'application/json', Connection: 'close' });
    response.end(body === null ? '{"error":"no delivery"}' : '{"ok":true}');
    return body === null ? null : { at, headers: request.headers, body };
  } catch {
    return null;
  }
}

/** Null if the body is too large. */
async function readDeliveryBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > mostBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes);
}

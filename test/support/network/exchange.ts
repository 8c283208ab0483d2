/** One HTTP request on a socket of its own unless an agent is given. */
import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request, type RequestOptions } from 'node:http';
import { text } from 'node:stream/consumers';

export interface Response {
  readonly status: number;
  readonly text: string;
  readonly headers: IncomingHttpHeaders;
}

/** Rejects if the connection breaks before the whole response is there. */
export async function exchange(url: string, options: RequestOptions, body?: Buffer | string): Promise<Response> {
  const call = request(url, { agent: false, ...options });
  // A reset after the response has begun is an error of its body.
  call.on('error', () => undefined);
  call.end(body);
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 0, text: await text(response), headers: response.headers };
}

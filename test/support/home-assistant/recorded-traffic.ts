/** Messages of Home Assistant's websocket as they come, to compare the real one with the one of the long tests. */
import { EventEmitter, on, once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { WebSocket } from 'ws';
import { isRecord, type UnknownRecord } from '../../../src/checks/record';
import { startRequests, statisticsRequests } from './recorded-requests';

export const recordedFile = path.resolve(__dirname, '../../recorded/home-assistant-websocket.json');

interface Exchange {
  readonly request: unknown;
  /** Without its id. */
  readonly answer: unknown;
}

/** What Home Assistant says first, the forms of the answers to `startRequests`, and all answers to `statisticsRequests`. */
export interface Traffic {
  readonly greeting: readonly unknown[];
  readonly start: readonly Exchange[];
  readonly statistics: readonly Exchange[];
}

export function recordedTraffic(): unknown {
  return JSON.parse(readFileSync(recordedFile, 'utf8'));
}

/** @param stored is called before each question, until what was imported before it is there */
export async function trafficOf(url: string, token: string, stored: () => Promise<void>): Promise<Traffic> {
  const refused = await MessageSocket.open(url, 'another token');
  refused.close();
  const socket = await MessageSocket.open(url, token);
  const statistics: Exchange[] = [];
  for (const request of statisticsRequests) {
    if (request['type'] === 'recorder/statistics_during_period') await stored();
    statistics.push({ request, answer: await socket.ask(request) });
  }
  const start: Exchange[] = [];
  for (const { request, fields } of startRequests) {
    start.push({ request, answer: formOf(await socket.ask(request), fields) });
  }
  statistics.push({ request: { id: 1, type: 'ping' }, answer: await socket.askAgain() });
  socket.close();
  return { greeting: [...refused.greeting, ...socket.greeting], start, statistics };
}

/** One exchange a line. */
export function asText({ greeting, start, statistics }: Traffic): string {
  const lines = (list: readonly unknown[]): string => `[\n${list.map((one) => JSON.stringify(one)).join(',\n')}\n]`;
  return `{\n"greeting": ${lines(greeting)},\n"start": ${lines(start)},\n"statistics": ${lines(statistics)}\n}\n`;
}

/** The kinds of these fields of the result. */
function formOf(answer: unknown, fields: readonly string[]): unknown {
  if (!isRecord(answer)) return answer;
  const { result } = answer;
  const kinds = isRecord(result) ? fields.map((field): [string, string] => [field, nameJsonType(result[field])]) : null;
  return { ...answer, result: kinds === null ? nameJsonType(result) : Object.fromEntries(kinds) };
}

function nameJsonType(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value;
}

class MessageSocket {
  /** Answers before the first command. */
  readonly greeting: unknown[] = [];
  private id = 0;
  private readonly messages = new EventEmitter();

  private constructor(private readonly socket: WebSocket) {
    socket.on('message', (data: Buffer) => {
      const parsed: unknown = JSON.parse(data.toString());
      // After `supported_features` several messages can come at once.
      for (const message of Array.isArray(parsed) ? parsed : [parsed]) this.messages.emit('message', message);
    });
  }

  static async open(url: string, token: string): Promise<MessageSocket> {
    const opened = new MessageSocket(new WebSocket(`${url.replace('http', 'ws')}/api/websocket`));
    await opened.greeted();
    opened.socket.send(JSON.stringify({ type: 'auth', access_token: token }));
    await opened.greeted();
    return opened;
  }

  private async greeted(): Promise<void> {
    const messages: unknown[] = await once(this.messages, 'message');
    this.greeting.push(...messages);
  }

  ask(request: UnknownRecord): Promise<unknown> {
    return this.answerTo(++this.id, request);
  }

  /** An id that was used before. */
  askAgain(): Promise<unknown> {
    return this.answerTo(1, { type: 'ping' });
  }

  close(): void {
    this.socket.close();
  }

  private async answerTo(id: number, request: UnknownRecord): Promise<unknown> {
    const messages = on(this.messages, 'message', { signal: AbortSignal.timeout(30_000) });
    this.socket.send(JSON.stringify({ id, ...request }));
    try {
      for await (const [message] of messages) {
        if (!isRecord(message) || message['id'] !== id) continue;
        return Object.fromEntries(Object.entries(message).filter(([name]) => name !== 'id'));
      }
    } catch (error) {
      throw new Error(`no answer to ${JSON.stringify(request)}`, { cause: error });
    }
    throw new Error('the websocket was closed');
  }
}

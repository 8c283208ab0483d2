/** Home Assistant's websocket (https://developers.home-assistant.io/docs/api/websocket): commands with one answer each. */
import { once } from 'node:events';
import { WebSocket, type RawData } from 'ws';
import { isRecord, type UnknownRecord } from '../../../src/checks/record';

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

export class CommandSocket {
  private id = 0;
  private readonly waiting = new Map<number, Waiting>();

  private constructor(private readonly socket: WebSocket) {
    socket.on('message', (data: RawData) => {
      this.read(JSON.parse(decodeMessage(data)));
    });
    socket.on('close', () => {
      for (const { reject } of this.waiting.values()) reject(new Error('Home Assistant closed the websocket'));
      this.waiting.clear();
    });
  }

  static async connect(url: string, token: string): Promise<CommandSocket> {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/api/websocket`);
    await once(socket, 'message');
    const answered = once(socket, 'message');
    socket.send(JSON.stringify({ type: 'auth', access_token: token }));
    const [answer] = (await answered) as unknown[];
    if (!Buffer.isBuffer(answer) || !answer.toString().includes('"auth_ok"')) throw new Error('the token is refused');
    return new CommandSocket(socket);
  }

  /** Rejects with the code and the sentence of Home Assistant. */
  command(type: string, fields: UnknownRecord = {}): Promise<unknown> {
    const id = ++this.id;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.socket.send(JSON.stringify({ id, type, ...fields }));
    });
  }

  close(): void {
    this.socket.close();
  }

  private read(message: unknown): void {
    if (!isRecord(message) || message['type'] !== 'result' || typeof message['id'] !== 'number') return;
    const waiting = this.waiting.get(message['id']);
    this.waiting.delete(message['id']);
    if (message['success'] === true) waiting?.resolve(message['result']);
    else waiting?.reject(new Error(JSON.stringify(message['error'])));
  }
}

function decodeMessage(data: RawData): string {
  return Buffer.isBuffer(data)
    ? data.toString()
    : Buffer.concat(Array.isArray(data) ? data : [Buffer.from(data)]).toString();
}

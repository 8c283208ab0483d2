/**
 * The part of Home Assistant's websocket that node-red-contrib-home-assistant-websocket needs: login, the lists that it loads
 * at its start, and the statistics of the recorder (https://developers.home-assistant.io/docs/api/websocket).
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import { CommandError, LongTermStatistics } from './home-assistant-statistics';

type Fields = Readonly<Record<string, unknown>>;

const haVersion = '2026.11.0';
const token = 'long-lived-token-of-the-tests';

/** Commands of the node at its start → result. */
const results: Readonly<Record<string, unknown>> = {
  supported_features: null,
  subscribe_events: null,
  subscribe_entities: null,
  unsubscribe_events: null,
  'auth/current_user': { id: 'admin', name: 'Admin', is_owner: true, is_admin: true, credentials: [], mfa_modules: [] },
  get_config: { components: ['recorder'], state: 'RUNNING', version: haVersion, time_zone: 'Europe/Amsterdam' },
  get_services: { homeassistant: { restart: {} } },
  'config/area_registry/list': [],
  'config/device_registry/list': [],
  'config/entity_registry/list': [],
  'config/floor_registry/list': [],
  'config/label_registry/list': [],
};

export class HomeAssistant {
  readonly statistics = new LongTermStatistics();
  /** Accepted commands of the recorder, in order. */
  readonly taken: Fields[] = [];
  /** Reasons of refused commands. */
  readonly refused: string[] = [];
  /** Number of connections. The node counts itself as connected when it subscribes to events, two commands after its login. */
  connections = 0;
  /** The last connected client. An earlier one can close after its login. */
  private client: WebSocket | null = null;
  /** While this returns true, commands of the recorder are answered with an error. */
  isFailing: (command: Fields) => boolean = () => false;
  /** Commands of the recorder for which this returns true wait for `release`. */
  isHeld: (command: Fields) => boolean = () => false;
  private readonly held: (() => void)[] = [];

  private constructor(
    private readonly http: Server,
    private readonly sockets: WebSocketServer,
  ) {}

  static async start(): Promise<HomeAssistant> {
    const http = createServer((_, response) => response.writeHead(404).end());
    const sockets = new WebSocketServer({ server: http, path: '/api/websocket' });
    const started = new HomeAssistant(http, sockets);
    sockets.on('connection', (socket) => {
      started.serve(socket);
    });
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    return started;
  }

  /** For the `server` node. */
  get credentials(): { readonly host: string; readonly access_token: string } {
    return { host: `http://127.0.0.1:${(this.http.address() as AddressInfo).port}`, access_token: token };
  }

  /** True while a client is connected. */
  get isReady(): boolean {
    return this.client !== null;
  }

  /** Takes and answers the commands that wait, and holds none from now on. */
  release(): void {
    this.isHeld = () => false;
    for (const take of this.held.splice(0)) take();
  }

  async close(): Promise<void> {
    for (const socket of this.sockets.clients) socket.terminate();
    this.sockets.close();
    await new Promise((resolve) => this.http.close(resolve));
  }

  private serve(socket: WebSocket): void {
    let isLoggedIn = false;
    let lastId = 0;
    const send = (message: Fields): void => {
      socket.send(JSON.stringify(message));
    };
    send({ type: 'auth_required', ha_version: haVersion });
    socket.on('close', () => {
      if (this.client === socket) this.client = null;
    });
    socket.on('message', (data: RawData) => {
      const message = JSON.parse((data as Buffer).toString()) as Fields;
      if (!isLoggedIn) {
        isLoggedIn = message['type'] === 'auth' && message['access_token'] === token;
        if (isLoggedIn) send({ type: 'auth_ok', ha_version: haVersion });
        else send({ type: 'auth_invalid', message: 'Invalid access token or password' });
        return;
      }
      const id = Number(message['id']);
      if (id <= lastId) {
        const error = { code: 'id_reuse', message: 'Identifier values have to increase.' };
        this.refused.push(`id_reuse: ${id} after ${lastId}`);
        send({ id, type: 'result', success: false, error });
        return;
      }
      lastId = id;
      if (message['type'] === 'subscribe_events' && this.client !== socket) {
        this.client = socket;
        this.connections += 1;
      }
      const answer = (): void => {
        for (const line of this.answersTo(id, message)) send({ id, ...line });
      };
      if (message['type'] === 'ping') send({ id, type: 'pong' });
      else if (this.isHeld(message)) this.held.push(answer);
      else answer();
    });
  }

  private answersTo(id: number, message: Fields): Fields[] {
    const type = String(message['type']);
    if (Object.hasOwn(results, type)) {
      const result = { type: 'result', success: true, result: results[type] };
      return type === 'subscribe_entities' ? [result, { type: 'event', event: { a: {} } }] : [result];
    }
    try {
      if (this.isFailing(message)) throw new CommandError('home_assistant_error', 'Unknown error');
      const result = this.statistics.take(message);
      this.taken.push(message);
      return [{ type: 'result', success: true, result }];
    } catch (thrown) {
      if (!(thrown instanceof CommandError)) throw thrown;
      const { code, message: sentence } = thrown;
      this.refused.push(`${type} (${id}): ${code}, ${sentence}`);
      return [{ type: 'result', success: false, error: { code, message: sentence } }];
    }
  }
}

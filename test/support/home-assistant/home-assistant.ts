/**
 * The part of Home Assistant's websocket that node-red-contrib-home-assistant-websocket needs for the example home-assistant-history
 * (https://developers.home-assistant.io/docs/api/websocket). Unlike the real Home Assistant, it fails or waits when a test says so.
 */
import { createServer, type Server } from 'node:http';
import { WebSocketServer, type WebSocket } from 'ws';
import { isRecord, type UnknownRecord } from '../../../src/checks/record';
import { LongTermStatistics } from './home-assistant-statistics';
import { listenOnLoopback } from '../network/loopback';

const haVersion = '2026.11.0';

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
  readonly taken: UnknownRecord[] = [];
  /** While this returns true, commands of the recorder are answered with an error. */
  isFailing: (command: UnknownRecord) => boolean = () => false;
  /** Commands of the recorder for which this returns true wait for `release`. */
  isHeld: (command: UnknownRecord) => boolean = () => false;
  private readonly held: (() => void)[] = [];

  private constructor(
    private readonly http: Server,
    private readonly sockets: WebSocketServer,
    private readonly port: number,
  ) {}

  static async start(): Promise<HomeAssistant> {
    const http = createServer((_, response) => response.writeHead(404).end());
    const sockets = new WebSocketServer({ server: http, path: '/api/websocket' });
    const started = new HomeAssistant(http, sockets, await listenOnLoopback(http));
    sockets.on('connection', (socket) => {
      started.serve(socket);
    });
    return started;
  }

  /** For the `server` node. */
  get credentials(): { readonly host: string; readonly access_token: string } {
    return { host: `http://127.0.0.1:${this.port}`, access_token: 'any' };
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
    const send = (message: UnknownRecord): void => {
      socket.send(JSON.stringify(message));
    };
    send({ type: 'auth_required', ha_version: haVersion });
    socket.on('message', (data: Buffer) => {
      const parsed: unknown = JSON.parse(data.toString());
      const { id, ...message } = isRecord(parsed) ? parsed : {};
      const answer = (): void => {
        for (const line of this.answersTo(message)) send({ id, ...line });
      };
      if (message['type'] === 'auth') send({ type: 'auth_ok', ha_version: haVersion });
      else if (message['type'] === 'ping') send({ id, type: 'pong' });
      else if (this.isHeld(message)) this.held.push(answer);
      else answer();
    });
  }

  private answersTo(message: UnknownRecord): UnknownRecord[] {
    const type = String(message['type']);
    if (Object.hasOwn(results, type)) {
      const result = { type: 'result', success: true, result: results[type] };
      return type === 'subscribe_entities' ? [result, { type: 'event', event: { a: {} } }] : [result];
    }
    if (this.isFailing(message)) {
      const error = { code: 'home_assistant_error', message: 'Unknown error' };
      return [{ type: 'result', success: false, error }];
    }
    const result = this.statistics.runCommand(message);
    this.taken.push(message);
    return [{ type: 'result', success: true, result }];
  }
}

/** A browser of Dashboard 2 without a page: speaks Socket.IO over Engine.IO 4 by polling, as the dashboard does at its start. */
import { Agent } from 'node:http';
import { exchange } from '../network/exchange';
import { until } from '../until';

const separator = '\u001e';

export interface SocketPlace {
  readonly port: number;
  /** Of the event server. */
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Address of this machine that the connection comes from. */
  readonly from?: string;
}

/** An event of the server: its name and its arguments, and the size of its text. */
export interface ServerEvent {
  readonly name: string;
  readonly args: readonly unknown[];
  readonly bytes: number;
  /** Epoch ms. */
  readonly at: number;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

export class DashboardSocket {
  readonly events: ServerEvent[] = [];
  /** Status of the refusal that ended it; null: it is open, or was closed here. */
  refused: number | null = null;
  /** Receives each event in place of the list, where there are too many to keep. */
  listener: ((event: ServerEvent) => void) | null = null;
  private readonly agent: Agent;
  private isClosed = false;

  private constructor(
    private readonly place: SocketPlace,
    private readonly session: string,
  ) {
    // A connection that is kept may be closed by the server at the moment of a request.
    this.agent = new Agent({ keepAlive: false });
  }

  /** @returns the status of the refusal if the server does not open a socket, 403 if it refuses the namespace */
  static async open(place: SocketPlace): Promise<DashboardSocket | number> {
    const opened = await pollSocket(place, null, '');
    const session = sessionIn(opened);
    if (session === undefined) return opened.status;
    const socket = new DashboardSocket(place, session);
    await socket.post('40');
    const joined = await pollSocket(place, null, session);
    // 44: an error of the middleware. 40: joined.
    if (!joined.text.split(separator).some((packet) => packet.startsWith('40'))) return 403;
    for (const packet of joined.text.split(separator)) socket.readPacket(packet);
    void socket.listen();
    return socket;
  }

  /** @throws if the server refuses it */
  static async opened(place: SocketPlace): Promise<DashboardSocket> {
    const socket = await DashboardSocket.open(place);
    if (typeof socket === 'number') throw new Error(`the dashboard answered ${socket}`);
    return socket;
  }

  async emit(name: string, ...args: readonly unknown[]): Promise<void> {
    await this.post(`42${JSON.stringify([name, ...args])}`);
  }

  /** The first event of this name. */
  async waitFor(name: string): Promise<ServerEvent> {
    return until(`the event ${name}`, () => this.events.find((one) => one.name === name));
  }

  close(): void {
    this.isClosed = true;
    this.agent.destroy();
  }

  private async post(body: string): Promise<void> {
    const { status } = await pollSocket(this.place, this.agent, this.session, body);
    if (status !== 200) throw new Error(`the dashboard answered ${status}`);
  }

  private async listen(): Promise<void> {
    for (;;) {
      const answer = await pollSocket(this.place, this.agent, this.session).catch(() => null);
      if (answer?.status !== 200) {
        if (!this.isClosed) this.refused = answer?.status ?? 0;
        return;
      }
      for (const packet of answer.text.split(separator)) {
        if (packet === '2') void this.post('3').catch(() => undefined);
        else this.readPacket(packet);
      }
    }
  }

  private readPacket(packet: string): void {
    if (!packet.startsWith('42')) return;
    const [name, ...args] = JSON.parse(packet.slice(2)) as [string, ...unknown[]];
    const event = { name, args, bytes: Buffer.byteLength(packet), at: Date.now() };
    if (this.listener === null) this.events.push(event);
    else this.listener(event);
  }
}

export function sessionIn({ text }: Answer): string | undefined {
  return /^0.*"sid":"([^"]+)"/.exec(text)?.[1];
}

/** One request of a poll, or with a body of a post; without a session it opens one. */
export function pollSocket(place: SocketPlace, agent: Agent | null, session: string, body?: string): Promise<Answer> {
  const { port, path = '/dashboard/socket.io/', headers = {}, from } = place;
  const query = `EIO=4&transport=polling${session === '' ? '' : `&sid=${session}`}`;
  const options = {
    path: `${path}?${query}`,
    agent: agent ?? false,
    localAddress: from,
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'text/plain;charset=UTF-8', ...headers },
  };
  return exchange(`http://127.0.0.1:${port}`, options, body);
}

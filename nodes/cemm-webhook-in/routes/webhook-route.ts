/** One webhook path: the node that receives there, its mount, and the requests that wait while that node is deployed. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { HttpExchange, errorResponse } from '../../../src/webhook/http-exchange';
import { type Clock, backgroundClock } from '../../../src/time/clock';
import type { DeliveryServer } from '../../../src/webhook/delivery-server';
import type { KeyLookup } from '../../../src/webhook/keys';
import {
  createPathPattern,
  removeQuery,
  type PathPattern,
  type InstallationPath,
} from '../../../src/webhook/path-pattern';
import { respondBusy, type Receiver } from '../../../src/webhook/receiver';
import { createReceiverState, type ReceiverState } from '../../../src/webhook/receiver-state';
import type { NodeRecording } from '../node-recording';

export interface WebhookRouteOwner {
  /** Node id. */
  readonly id: string;
  /** Null until the owner is ready. */
  receiver(): Pick<Receiver, 'handle'> | null;
  /** Null if the key is entered in the node. */
  readonly lookUpKeys: KeyLookup | null;
  readonly recording: NodeRecording | null;
}

/** @param url the route's path, without httpNodeRoot */
export type RequestListener = (req: IncomingMessage, res: ServerResponse, url: string) => void;

/** Adds a path to a server. */
export interface Mount {
  /** Null on Node-RED's own port. */
  readonly server: DeliveryServer | null;
  /** Prefix of the path: httpNodeRoot, or blank. */
  readonly root: string;
  /** True if another route takes the requests. */
  readonly isShadowed: boolean;
  /**
   * Adds the missing routes.
   * @throws {Error} if they cannot be added
   */
  put(): void;
  remove(): void;
}

const longestWaitMs = 3000;
const mostWaiting = 1000;

export class WebhookRoute {
  /** State of the owner. */
  state: ReceiverState = createReceiverState(backgroundClock);
  owner: WebhookRouteOwner | null = null;

  /** Null if the path has no parameters. */
  readonly pattern: PathPattern | null;
  readonly mount: Mount;
  private readonly waiting = new Set<() => void>();

  constructor(
    readonly path: string,
    mountAt: (route: WebhookRoute) => Mount,
    private readonly clock: Clock = backgroundClock,
  ) {
    this.pattern = createPathPattern(path);
    this.mount = mountAt(this);
  }

  /** The path with httpNodeRoot. */
  get fullPath(): string {
    return `${this.mount.root}${this.path}`;
  }

  fullPathOf({ path }: InstallationPath): string {
    return `${this.mount.root}${path}`;
  }

  get isReady(): boolean {
    return this.receiver !== null;
  }

  handle(req: IncomingMessage, res: ServerResponse, url: string): void {
    const { receiver } = this;
    if (!isDecodable(removeQuery(url))) {
      new HttpExchange(req, res, this.clock).respond(
        errorResponse('bad_encoding', 'The path has a % that escapes nothing.'),
      );
    } else if (receiver !== null) receiver.handle(req, res, this.pattern?.match(url) ?? null);
    else if (this.waiting.size >= mostWaiting) respondBusy(req, res, this.clock);
    else this.wait(req, res, url);
  }

  /** Called when the receiver is ready, or when there will be none. */
  wake(): void {
    for (const proceed of [...this.waiting]) proceed();
  }

  private get receiver(): Pick<Receiver, 'handle'> | null {
    return this.owner?.receiver() ?? null;
  }

  private wait(req: IncomingMessage, res: ServerResponse, url: string): void {
    const stop = (): void => {
      stopTimer();
      this.waiting.delete(proceed);
      res.off('close', stop);
    };
    const proceed = (): void => {
      stop();
      const { receiver } = this;
      if (receiver === null) respondBusy(req, res, this.clock);
      else receiver.handle(req, res, this.pattern?.match(url) ?? null);
    };
    const stopTimer = this.clock.after(longestWaitMs, proceed);
    this.waiting.add(proceed);
    res.on('close', stop);
  }
}

/** Express and browsers decode a path; a receiver compares it undecoded. */
function isDecodable(path: string): boolean {
  if (!path.includes('%')) return true;
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

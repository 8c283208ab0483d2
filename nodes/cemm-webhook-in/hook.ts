/**
 * One webhook path and the node that receives there. The path stays while its node is deployed again: calls wait for the
 * new one for a moment. Where they come in, on Node-RED's own port or on another one, is the business of its mount.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { refuse } from '../../src/webhook/answers';
import { systemClock, type ReceiverClock } from '../../src/webhook/clock';
import type { DeliveryServer } from '../../src/webhook/delivery-server';
import { Exchange } from '../../src/webhook/exchange';
import type { FindKeys } from '../../src/webhook/installation-keys';
import { createPathPattern, pathOf, type PathPattern, type PathSender } from '../../src/webhook/path-sender';
import { answerBusy, type Receiver } from '../../src/webhook/receiver';
import { createReceiverState } from '../../src/webhook/receiver-state';

export interface HookOwner {
  /** Node id. */
  readonly id: string;
  /** Null as long as the owner is getting ready. */
  receiver(): Receiver | null;
  /** Null where the key is the one that is entered in the node. */
  readonly findKeys: FindKeys | null;
}

/** @param url as the path of the hook has it: without httpNodeRoot */
export type Answer = (req: IncomingMessage, res: ServerResponse, url: string) => void;

/** Where the calls to a path come in. */
export interface Mount {
  /** Null on Node-RED's own port. */
  readonly server: DeliveryServer | null;
  /** In front of the path, for callers: httpNodeRoot, or blank. */
  readonly root: string;
  /** True where something else takes the calls. */
  readonly isShadowed: boolean;
  /** Puts in what is not there (any more). @throws Error where it cannot */
  put(): void;
  remove(): void;
}

const longestWaitMs = 3000;
const mostWaiting = 1000;

export class Hook {
  /** Outlives redeploys of the same node. */
  state = createReceiverState(systemClock);
  owner: HookOwner | null = null;
  lastOwner = '';

  /** Null where the path holds no parameters. */
  readonly pattern: PathPattern | null;
  readonly mount: Mount;
  private readonly waiting = new Set<() => void>();

  constructor(
    readonly path: string,
    mountAt: (hook: Hook) => Mount,
    private readonly clock: ReceiverClock = systemClock,
  ) {
    this.pattern = createPathPattern(path);
    this.mount = mountAt(this);
  }

  /** The path as callers see it. */
  get fullPath(): string {
    return `${this.mount.root}${this.path}`;
  }

  fullPathOf({ path }: PathSender): string {
    return `${this.mount.root}${path}`;
  }

  get isReady(): boolean {
    return this.receiver !== null;
  }

  answer(req: IncomingMessage, res: ServerResponse, url: string): void {
    const { receiver } = this;
    if (!isDecodable(pathOf(url))) {
      new Exchange(req, res, this.clock).answer(refuse('bad_encoding', 'The path has a % that escapes nothing.'));
    } else if (receiver !== null) receiver.handle(req, res, this.pattern?.senderOf(url) ?? null);
    else if (this.waiting.size >= mostWaiting) answerBusy(req, res, this.clock);
    else this.wait(req, res, url);
  }

  /** To be called when the receiver is there, or when there will be none. */
  wake(): void {
    for (const proceed of [...this.waiting]) proceed();
  }

  private get receiver(): Receiver | null {
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
      if (receiver === null) answerBusy(req, res, this.clock);
      else receiver.handle(req, res, this.pattern?.senderOf(url) ?? null);
    };
    const stopTimer = this.clock.after(longestWaitMs, proceed);
    this.waiting.add(proceed);
    res.on('close', stop);
  }
}

/** Express and browsers decode a path; a receiver never does. */
function isDecodable(path: string): boolean {
  if (!path.includes('%')) return true;
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

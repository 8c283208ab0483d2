/**
 * One webhook path in Node-RED's web server. A layer at the very front of the root app answers where the short way is open;
 * otherwise it keeps the admin app's body parsers away from this path and touches nothing else, and the call is answered in
 * httpNode, behind httpNodeAuth, httpNodeMiddleware and whatever else there is, with its body unread. A hook stays while its
 * node is being deployed again and answers 503 meanwhile.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NodeAPI } from 'node-red';
import { systemClock } from '../../src/webhook/clock';
import type { FindKeys } from '../../src/webhook/installation-keys';
import { createPathPattern, type PathPattern, type PathSender } from '../../src/webhook/path-sender';
import { answerBusy, type Receiver } from '../../src/webhook/receiver';
import { createReceiverState } from '../../src/webhook/receiver-state';
import {
  addRoute,
  hasRoute,
  isExpress4,
  isShadowed,
  mountPath,
  moveToFront,
  removeRoute,
  rootOf,
  type Handler,
} from './express-layers';
import { ShortWay } from './short-way';

export interface HookOwner {
  /** Node id. */
  readonly id: string;
  /** Null as long as the owner is getting ready. */
  receiver(): Receiver | null;
  /** Null where the key is the one that is entered in the node. */
  readonly findKeys: FindKeys | null;
}

const hiddenTypes = new WeakMap<IncomingMessage, string>();

export class Hook {
  /** Outlives redeploys of the same node. */
  state = createReceiverState(systemClock);
  owner: HookOwner | null = null;
  lastOwner = '';

  /** Null where the path holds no parameters. */
  readonly pattern: PathPattern | null;

  private mountLength = 0;
  private readonly front: Handler;
  private readonly shortWay: ShortWay;
  private readonly unhide: Handler;
  private readonly handler: Handler;

  constructor(
    private readonly RED: NodeAPI,
    readonly path: string,
  ) {
    this.pattern = createPathPattern(path);
    this.front = (req, res, next) => {
      const url = req.url ?? '';
      if (req.method === 'POST' && url.startsWith('/') && this.shortWay.isOpenTo(pathOf(url))) {
        this.answer(req, res, url.slice(this.mountLength));
        return;
      }
      hideBody(req, isExpress4(rootOf(RED.httpNode)));
      next();
    };
    this.unhide = (req, _res, next) => {
      const type = hiddenTypes.get(req);
      if (type !== undefined) req.headers['content-type'] = type;
      next();
    };
    this.handler = (req, res) => {
      this.answer(req, res, req.url ?? '');
    };
    this.shortWay = new ShortWay(RED, this.front, this.handler);
  }

  /** The path as callers see it. */
  get fullPath(): string {
    return `${mountPath(this.RED.httpNode)}${this.path}`;
  }

  fullPathOf({ path }: PathSender): string {
    return `${mountPath(this.RED.httpNode)}${path}`;
  }

  /** Puts in what is not there (any more) and moves our layer to the front. @throws Error where Express is of an unknown kind */
  mount(): void {
    const { httpNode } = this.RED;
    const root = rootOf(httpNode);
    this.mountLength = mountPath(httpNode).length;
    if (!hasRouteSafely(root, this.front)) addRoute(root, this.fullPath, [this.front]);
    moveToFront(root, this.front);
    if (!hasRouteSafely(httpNode, this.handler)) {
      addRoute(httpNode, this.path, [this.unhide, ...middlewareOf(this.RED), this.handler]);
    }
    if (!hasRoute(root, this.front) || !hasRoute(httpNode, this.handler)) throw new Error('The route cannot be added.');
    this.shortWay.look();
  }

  unmount(): void {
    removeRoute(rootOf(this.RED.httpNode), this.front);
    removeRoute(this.RED.httpNode, this.handler);
  }

  get isShadowed(): boolean {
    return isShadowed(this.RED.httpNode, this.path, this.handler);
  }

  /** @param url as httpNode sees it */
  private answer(req: IncomingMessage, res: ServerResponse, url: string): void {
    const receiver = this.owner?.receiver() ?? null;
    if (receiver === null) answerBusy(req, res, systemClock);
    else receiver.handle(req, res, this.pattern?.senderOf(url) ?? null);
  }
}

/** Nobody takes the body of this call before it gets to us. */
function hideBody(req: IncomingMessage, parsersOfExpress4: boolean): void {
  // What the body parsers of Express 4 look at: "somebody has taken care of this body".
  Reflect.set(req, '_body', true);
  const type = req.headers['content-type'];
  // Those of Express 5 do not; without a type they find nothing to parse.
  if (type === undefined || parsersOfExpress4) return;
  hiddenTypes.set(req, type);
  delete req.headers['content-type'];
}

function pathOf(url: string): string {
  const end = url.search(/[?#]/);
  return end < 0 ? url : url.slice(0, end);
}

/** An Express 4 app has no router before its first route. */
function hasRouteSafely(app: NodeAPI['httpNode'], handler: Handler): boolean {
  try {
    return hasRoute(app, handler);
  } catch {
    return false;
  }
}

/** Node-RED applies httpNodeAuth to all of httpNode, but leaves httpNodeMiddleware to each node. */
function middlewareOf({ settings }: NodeAPI): unknown[] {
  const middleware: unknown = Reflect.get(settings, 'httpNodeMiddleware');
  if (typeof middleware === 'function') return [middleware];
  return Array.isArray(middleware) ? middleware.filter((entry) => typeof entry === 'function') : [];
}

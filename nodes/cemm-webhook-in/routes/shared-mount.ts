/**
 * A webhook path on Node-RED's own port. A layer at the front of the root app keeps body parsers from reading its POST requests
 * and changes nothing else. The route itself is in httpNode, behind all middleware, and gets the body unread.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NodeAPI } from 'node-red';
import { removeQuery } from '../../../src/webhook/path-pattern';
import {
  addRoute,
  hasRoute,
  isExpress4,
  isShadowed,
  mountPath,
  moveToFront,
  removeRoute,
  rootOf,
  takesBehind,
  type Handler,
} from './express-layers';
import type { RequestListener, Mount } from './webhook-route';

const hiddenTypes = new WeakMap<IncomingMessage, string>();

export class SharedMount implements Mount {
  readonly server = null;
  private readonly front: Handler;
  private readonly unhide: Handler;
  private readonly handler: Handler;

  constructor(
    private readonly RED: NodeAPI,
    private readonly path: string,
    answer: RequestListener,
  ) {
    this.front = (req, res, next) => {
      if (req.method === 'POST') {
        const parsersOfExpress4 = isExpress4(rootOf(RED.httpNode));
        if (parsersOfExpress4) keepHiddenClass(req, res);
        hideBody(req, parsersOfExpress4);
      }
      next();
    };
    this.unhide = (req, _res, next) => {
      const { method = '', url = '' } = req;
      const type = hiddenTypes.get(req);
      if (type !== undefined) req.headers['content-type'] = type;
      // Another node may use the path for another method.
      const isOthers = method !== 'POST' && takesBehind(RED.httpNode, this.handler, method, removeQuery(url));
      next(isOthers ? 'route' : undefined);
    };
    this.handler = (req, res) => {
      answer(req, res, req.url ?? '');
    };
  }

  get root(): string {
    return mountPath(this.RED.httpNode);
  }

  get isShadowed(): boolean {
    return isShadowed(this.RED.httpNode, this.path, this.handler);
  }

  put(): void {
    const { httpNode } = this.RED;
    const root = rootOf(httpNode);
    if (!hasRouteSafely(root, this.front)) addRoute(root, `${this.root}${this.path}`, [this.front]);
    moveToFront(root, this.front);
    if (!hasRouteSafely(httpNode, this.handler)) {
      addRoute(httpNode, this.path, [this.unhide, ...middlewareOf(this.RED), this.handler]);
    }
    if (!hasRoute(root, this.front) || !hasRoute(httpNode, this.handler)) throw new Error('The route cannot be added.');
  }

  remove(): void {
    removeRoute(rootOf(this.RED.httpNode), this.front);
    removeRoute(this.RED.httpNode, this.handler);
  }
}

/**
 * Adds the properties in advance that Express 4 and Node add to every request. Express changes the prototypes of request and
 * response in each app. A property added after that moves the object to its own hidden class in V8, which makes every access
 * slow: a third of the processor time of a delivery.
 */
function keepHiddenClass(req: IncomingMessage, res: ServerResponse): void {
  Reflect.set(req, 'query', Reflect.get(req, 'query'));
  Reflect.set(req, 'res', res);
  // Node creates the listener counter with the first listener.
  req.on('error', ignore);
  Reflect.set(res, 'locals', Reflect.get(res, 'locals') ?? Object.create(null));
  const { statusCode, statusMessage } = res;
  Object.assign(res, { statusCode, statusMessage });
}

function ignore(): void {
  // A client that disconnects is not an error.
}

/** Keeps body parsers from reading the body of this request. */
function hideBody(req: IncomingMessage, parsersOfExpress4: boolean): void {
  // The body parsers of Express 4 skip a request with this mark.
  Reflect.set(req, '_body', true);
  const type = req.headers['content-type'];
  // Parsers of Express 5 ignore the mark, but skip a request without a type.
  if (type === undefined || parsersOfExpress4) return;
  hiddenTypes.set(req, type);
  delete req.headers['content-type'];
}

/** False for an Express 4 app without routes, which has no router yet. */
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

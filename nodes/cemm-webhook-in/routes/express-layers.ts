/**
 * Adds routes to Node-RED's Express apps and removes exactly those again. The router is a private member of Express (4:
 * `_router`, 5: `router`), so its kind is checked. Layers are compared by identity, never by path.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NodeAPI } from 'node-red';

export type Handler = (req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void) => void;
export type ExpressApp = NodeAPI['httpNode'];

export interface Layer {
  readonly name?: string;
  readonly route?: {
    readonly path?: unknown;
    readonly stack: readonly { readonly handle: unknown }[];
    readonly methods?: Record<string, boolean>;
  };
  match?(path: string): unknown;
}

/** The outermost app, which gets the requests of the server first. */
export function rootOf(app: ExpressApp): ExpressApp {
  const parent: unknown = Reflect.get(app, 'parent');
  return isApp(parent) ? rootOf(parent) : app;
}

/** Mount path of the app, without a trailing slash: '' for the root. */
export function mountPath(app: ExpressApp): string {
  return app.path().replace(/\/+$/, '');
}

/** The app and its parents, the root last; empty without an app. */
export function lineageOf(app: unknown): ExpressApp[] {
  return isApp(app) ? [app, ...lineageOf(Reflect.get(app, 'parent'))] : [];
}

/**
 * Adds a route for all methods to a path in the form of config.ts. A regular expression, because Express fails to decode some
 * parameters; in an array, because Node-RED's own `http in` removes routes by their path.
 */
export function addRoute(app: ExpressApp, path: string, handlers: readonly unknown[]): void {
  // The types require Express's own request and response; ours are their base classes.
  app.route([patternOf(path)]).all(...(handlers as Parameters<ReturnType<ExpressApp['route']>['all']>));
}

function patternOf(path: string): RegExp {
  const segments = path.split('/').map((segment) => {
    return segment.startsWith(':') ? '[^/]+' : segment.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${segments.join('/')}/?$`, 'i');
}

export function removeRoute(app: ExpressApp, handler: Handler): void {
  const stack = stackOf(app);
  for (let index = stack.length - 1; index >= 0; index--) {
    if (holds(stack[index], handler)) stack.splice(index, 1);
  }
}

export function hasRoute(app: ExpressApp, handler: Handler): boolean {
  return stackOf(app).some((layer) => holds(layer, handler));
}

/** Moves the route to the front of the app; false if the app does not have it. */
export function moveToFront(app: ExpressApp, handler: Handler): boolean {
  const stack = stackOf(app);
  const index = stack.findIndex((layer) => holds(layer, handler));
  const [layer] = index < 0 ? [] : stack.splice(index, 1);
  if (layer === undefined) return false;
  stack.unshift(layer);
  return true;
}

/** True if another route takes the requests to this path first. */
export function isShadowed(app: ExpressApp, path: string, handler: Handler): boolean {
  return layersBefore(app, handler).some((layer) => layer.route !== undefined && takesPostTo(layer, path));
}

/** The layers that a request passes before the route; all layers if the app does not have the route. */
function layersBefore(app: ExpressApp, handler: Handler): readonly Layer[] {
  const stack = stackOf(app);
  const own = stack.findIndex((layer) => holds(layer, handler));
  return own < 0 ? stack : stack.slice(0, own);
}

/** True if a later route takes such a request. */
export function takesBehind(app: ExpressApp, handler: Handler, method: string, path: string): boolean {
  const stack = stackOf(app);
  const own = stack.findIndex((layer) => holds(layer, handler));
  const name = method === 'HEAD' ? 'get' : method.toLowerCase();
  return stack.slice(own + 1).some((layer) => {
    const { methods = {} } = layer.route ?? {};
    return (methods[name] ?? methods['_all'] ?? false) && matches(layer, path);
  });
}

/** False if Express cannot decode the path. */
function matches(layer: Layer, path: string): boolean {
  try {
    return layer.match?.(path) === true;
  } catch {
    return false;
  }
}

/** True if a POST to this path passes the layer, or the layer cannot tell. */
function takesPostTo(layer: Layer, path: string): boolean {
  const methods = layer.route?.methods;
  if (methods !== undefined && !(methods['post'] ?? methods['_all'] ?? false)) return false;
  return layer.match?.(path) !== false;
}

/** Express 5 has no `_router`, and its body parsers do not look at `_body`. */
export function isExpress4(app: ExpressApp): boolean {
  return Reflect.get(app, '_router') !== undefined;
}

/** @throws {Error} if the kind of router is unknown */
export function stackOf(app: ExpressApp): Layer[] {
  // Express 4 throws on reading `router`, so it is read second.
  const router: unknown = Reflect.get(app, '_router') ?? Reflect.get(app, 'router');
  const stack: unknown = isObject(router) ? Reflect.get(router, 'stack') : undefined;
  if (Array.isArray(stack)) return stack as Layer[];
  throw new Error('This Node-RED has a router of an unknown kind.');
}

function holds(layer: Layer | undefined, handler: Handler): boolean {
  return layer?.route?.stack.some(({ handle }) => handle === handler) ?? false;
}

function isApp(value: unknown): value is ExpressApp {
  return typeof value === 'function' && 'route' in value && 'path' in value;
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' || typeof value === 'function') && value !== null;
}

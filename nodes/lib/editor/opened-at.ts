/**
 * Where the browser has opened the editor: at Node-RED itself, or through another server. Knows no browser, so that unit
 * tests can ask it.
 */

/** What is used of `window.location`. */
export interface OpenedAt {
  readonly origin: string;
  readonly hostname: string;
  readonly pathname: string;
}

/** Where Node-RED listens. */
export interface Listener {
  readonly isSecure: boolean;
  readonly port: number;
  readonly bind: string;
}

/** Home Assistant shows its apps below this path, to browsers that are logged in to it: nothing else can send there. */
export function isIngress({ pathname }: OpenedAt): boolean {
  return pathname.startsWith('/api/hassio_ingress/');
}

/** Whether a host, or the host of a URL, leads every machine to itself. A URL being written need not be a valid one. */
export function isLoopback(hostOrUrl: string): boolean {
  return /^(?:https?:\/\/)?(?:localhost(?![\w.-])|127\.|\[?::1(?![\w:.]))/.test(hostOrUrl);
}

/** Of a page that everybody may see, where the app has its own server as at its installation: see app-node-red, config.yaml. */
export function besideIngress({ hostname }: OpenedAt, path: string): string {
  return `https://${hostname}:1880${path}`;
}

/** What a proxy puts before the paths of Node-RED; blank where that is nothing. */
export function prefixOf({ pathname }: OpenedAt, adminRoot: string): string {
  const [path, root] = [withoutSlash(pathname), withoutSlash(adminRoot)];
  return path.endsWith(root) ? path.slice(0, path.length - root.length) : '';
}

/** Whether no other server is between the browser and Node-RED. */
export function isOpenedDirectly(opened: OpenedAt, listener: Listener, adminRoot: string): boolean {
  const { protocol, port } = new URL(opened.origin);
  const isSecure = protocol === 'https:';
  return (
    isSecure === listener.isSecure &&
    Number(port || (isSecure ? 443 : 80)) === listener.port &&
    (!isLoopback(listener.bind) || isLoopback(opened.hostname)) &&
    prefixOf(opened, adminRoot) === ''
  );
}

export function withoutSlash(path: string): string {
  return path.replace(/\/+$/, '');
}

/**
 * Determines if the browser opened the editor directly at Node-RED, or through another server. Uses no browser API, for unit
 * tests.
 */

/** The used part of `window.location`. */
export interface OpenedAt {
  readonly origin: string;
  readonly hostname: string;
  readonly pathname: string;
}

/** Node-RED's own port. */
export interface Listener {
  readonly isSecure: boolean;
  readonly port: number;
  readonly bind: string;
}

/** Home Assistant serves its apps below this path to logged-in browsers only, so no monitor can send there. */
export function isIngress({ pathname }: OpenedAt): boolean {
  return pathname.startsWith('/api/hassio_ingress/');
}

/** True if the host, or the host of a URL, is loopback. An incomplete URL need not be valid. */
export function isLoopback(hostOrUrl: string): boolean {
  return /^(?:https?:\/\/)?(?:localhost(?![\w.-])|127\.|\[?::1(?![\w:.]))/.test(hostOrUrl);
}

/** Address of a page without login at the app's own server, with the app's default settings: see app-node-red, config.yaml. */
export function besideIngress({ hostname }: OpenedAt, path: string): string {
  return `https://${hostname}:1880${path}`;
}

/** Prefix that a proxy puts before the paths of Node-RED; blank if there is none. */
export function prefixOf({ pathname }: OpenedAt, adminRoot: string): string {
  const [path, root] = [withoutSlash(pathname), withoutSlash(adminRoot)];
  return path.endsWith(root) ? path.slice(0, path.length - root.length) : '';
}

/** True if no other server is between the browser and Node-RED. */
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

/** Finds the addresses of the Node-RED editor and of the nodes' admin routes. A webhook path must not take them. */
import type { NodeAPI } from 'node-red';
import { lineageOf, mountPath, rootOf, stackOf, type Layer } from './express-layers';

export interface AdminPaths {
  /** Path below which they are served; null if the editor is off, or on another server than the addresses of flows. */
  readonly root: string | null;
  /** First segments of the routes of all installed nodes, in lower case. */
  readonly segments: ReadonlySet<string>;
}

/**
 * First segments of Node-RED's own editor and admin API: a node cannot read those routers. A test compares them with Node-RED's
 * sources.
 */
export const editorSegments: ReadonlySet<string> = new Set([
  'auth',
  'comms',
  'context',
  'credentials',
  'diagnostics',
  'flow',
  'flows',
  'icons',
  'library',
  'locales',
  'nodes',
  'plugins',
  'projects',
  'red',
  'resources',
  'settings',
  'theme',
  'types',
  'vendor',
]);

const none: AdminPaths = { root: null, segments: new Set() };

/** Called when flows start: by then all nodes have added their routes. */
export function adminPaths({ httpAdmin, httpNode, settings }: NodeAPI): AdminPaths {
  if (Reflect.get(settings, 'httpAdminRoot') === false) return none;
  const [app] = lineageOf(httpAdmin);
  if (app === undefined || app === rootOf(app) || rootOf(app) !== rootOf(httpNode)) return none;
  try {
    return { root: mountPath(app), segments: new Set(stackOf(app).flatMap(firstSegments)) };
  } catch {
    // A router of an unknown kind may hold any path, but the root is known.
    return { root: mountPath(app), segments: new Set() };
  }
}

/** True if the path would take requests to the editor, or the editor requests to the path. */
export function belongsToEditor(fullPath: string, { root, segments }: AdminPaths): boolean {
  if (root === null) return false;
  const before = segmentsOf(root);
  const given = segmentsOf(fullPath);
  const isParameter = (segment: string | undefined): boolean => segment?.startsWith(':') === true;
  if (!before.every((segment, place) => given[place] === segment || isParameter(given[place]))) return false;
  const next = given[before.length];
  return (
    next === undefined ||
    given.slice(0, before.length + 1).some(isParameter) ||
    editorSegments.has(next) ||
    segments.has(next)
  );
}

function firstSegments({ route }: Layer): string[] {
  const paths = [route?.path].flat(Infinity).filter((path) => typeof path === 'string');
  return paths.flatMap((path) => segmentsOf(path).slice(0, 1));
}

function segmentsOf(path: string): string[] {
  return path
    .toLowerCase()
    .split('/')
    .filter((segment) => segment !== '');
}

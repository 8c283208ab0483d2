/**
 * A fault of this package itself: neither the monitor nor the settings are to blame, and waiting does not mend it. Of the
 * foreign error only what helps to find the fault is told (its class, the place in this package, the version), never its
 * text, which may carry a URL or a key.
 */
import { createRequire } from 'node:module';
import type { CemmError } from './errors';
import type { Failure } from './failure';

const reason = 'unexpected';
const unknown = 'unknown';

export interface InternalFault extends Failure {
  readonly params: Readonly<Record<'kind' | 'place' | 'version', string>>;
}

export function internalFault(thrown: unknown): InternalFault {
  return {
    code: 'UNSUPPORTED',
    reason,
    params: { kind: kindOf(thrown), place: placeOf(thrown), version: packageVersion() },
  };
}

/** True for what no question may be repeated after: the same fault would come again. */
export function isInternalFault(error: CemmError): boolean {
  return error.code === 'UNSUPPORTED' && error.reason === reason;
}

/** A class name, or the type of what is no error. */
function kindOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return typeof thrown;
  return /^\w{1,40}$/.test(thrown.name) ? thrown.name : 'Error';
}

/** File, line and column below `src` or `nodes`, such as `model/series.js:1:4711`. */
function placeOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return unknown;
  const { message, stack = '' } = thrown;
  // The text comes first in a stack and may itself look like a place.
  const frames = stack.slice(stack.indexOf(message) + message.length).split('\n');
  for (const frame of frames) {
    const [, place] = /^\s+at .*[\\/](?:src|nodes)[\\/]([\w.\\/-]{1,80}\.[jt]s:\d+:\d+)\)?$/.exec(frame) ?? [];
    if (place !== undefined) return place.replaceAll('\\', '/');
  }
  return unknown;
}

function packageVersion(): string {
  try {
    const found: unknown = createRequire(__filename)('node-red-contrib-cemm/package.json');
    const isPackage = typeof found === 'object' && found !== null && 'version' in found;
    return isPackage && typeof found.version === 'string' ? found.version : unknown;
  } catch {
    // Bundled into something else.
    return unknown;
  }
}

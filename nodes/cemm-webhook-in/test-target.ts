/** Where a test delivery goes and what it is signed with, where one node serves many installations. */
import { systemClock } from '../../src/webhook/clock';
import type { InstallationKeys } from '../../src/webhook/installation-keys';
import { awaitKeys } from '../../src/webhook/key-wait';
import type { HmacKey } from '../../src/webhook/proof';
import type { Sender } from '../../src/webhook/path-sender';
import type { Hook } from './hook';

export type TestTarget =
  | {
      readonly failure: null;
      readonly fullPath: string;
      /** From a key store; null where the node has its own. */
      readonly hmacKey: HmacKey | null;
      /** A monitor that may send there, where that is known. */
      readonly cemm: number | null;
    }
  /** `no_installation`: no usable value for the parameters; `unknown_installation`: there is no key for it. */
  | { readonly failure: 'no_installation' | 'unknown_installation' };

/** @param installation values of the parameters of the path, with a slash between them */
export async function findTestTarget(hook: Hook, wantsHmac: boolean, installation: string): Promise<TestTarget> {
  const sender = senderFor(hook, installation);
  if (sender === 'nobody') return { failure: 'no_installation' };
  const fullPath = sender === null ? hook.fullPath : hook.fullPathOf(sender);
  const findKeys = hook.owner?.findKeys ?? null;
  if (!wantsHmac || findKeys === null) return { failure: null, fullPath, hmacKey: null, cemm: sender?.cemm ?? null };
  const keys = await new Promise<InstallationKeys | null | 'late'>((resolve) => {
    awaitKeys(findKeys, sender, systemClock, new Set(), resolve);
  });
  if (keys === null || keys === 'late') return { failure: 'unknown_installation' };
  const [own = null] = keys.monitors ?? [];
  return { failure: null, fullPath, hmacKey: keys.current, cemm: sender?.cemm ?? own };
}

function senderFor({ path, pattern }: Hook, installation: string): Sender | null {
  if (pattern === null) return null;
  const values = installation.trim().split('/');
  const filled = path
    .split('/')
    .map((segment) => (segment.startsWith(':') ? (values.shift() ?? '') : segment))
    .join('/');
  return values.length > 0 ? 'nobody' : pattern.senderOf(filled);
}

/** The folder of kept days is for its owner alone, also one that a backup brought back with other rights. */
import { chmod, stat } from 'node:fs/promises';

const ofOthers = 0o077;

/** Does nothing where there is no such folder, or where it belongs to another user. */
export async function makePrivate(folder: string): Promise<void> {
  try {
    const found = await stat(folder);
    const isOurs = found.isDirectory() && found.uid === process.getuid?.();
    if (isOurs && (found.mode & ofOthers) !== 0) await chmod(folder, 0o700);
  } catch {
    // There is none yet, or its file system has no rights: files in it are 0600 in any case.
  }
}

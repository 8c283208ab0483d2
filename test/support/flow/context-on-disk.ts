/** Context that survives unloading a flow, like a restart of Node-RED: in files (store `localfilesystem`). */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export class ContextOnDisk {
  private readonly kept = mkdtempSync(path.join(os.tmpdir(), 'cemm-kept-'));
  private readonly used: string[] = [];

  /** Settings of Node-RED with a folder that contains the kept context. */
  settings(): object {
    const dir = mkdtempSync(path.join(os.tmpdir(), 'cemm-context-'));
    this.used.push(dir);
    cpSync(this.kept, dir, { recursive: true });
    return { contextStorage: { default: { module: 'localfilesystem', config: { dir, cache: false } } } };
  }

  /** Call before the test helper unloads: it empties the store as if all nodes were deleted. */
  keep(): void {
    const dir = this.used.at(-1);
    if (dir !== undefined) cpSync(dir, this.kept, { recursive: true });
  }

  remove(): void {
    for (const dir of [this.kept, ...this.used]) rmSync(dir, { recursive: true, force: true });
  }
}

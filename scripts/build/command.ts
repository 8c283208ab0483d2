/**
 * The command cemm-check-flow as one small file: no node needs it, so it must not cost those who only install the package. What it
 * shares with the nodes stays where it is.
 */
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { build, type Plugin } from 'esbuild';

const sharedStaysOutside: Plugin = {
  name: 'what is shared with the nodes stays outside',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.\// }, ({ path: imported }) => ({ path: imported, external: true }));
  },
};

/** @param folder the compiled files of the command, in place of which only cli.js stays */
export async function bundleCommand(folder: string): Promise<void> {
  const command = path.join(folder, 'cli.js');
  await build({
    entryPoints: [command],
    outfile: command,
    allowOverwrite: true,
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    charset: 'utf8',
    logLevel: 'silent',
    plugins: [sharedStaysOutside],
  });
  for (const file of readdirSync(folder)) if (file !== 'cli.js') rmSync(path.join(folder, file));
}

/**
 * Bundles the command cemm-check-flow into one small file: no node needs it, so it must not enlarge the package. It contains
 * the checks of the dialogs; modules that the nodes also use stay separate.
 */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { build, type Plugin } from 'esbuild';

/** Modules of dialogs: of the compiled files, only this command uses them. */
const ofDialogs = /^nodes\/(?:check-flow\/|lib\/editor\/|lib\/field-rules$|cemm-[\w-]+\/[\w-]+-checks?$)/;

function nodesKeepTheirs(root: string): Plugin {
  const folder = path.join(root, 'nodes', 'check-flow');
  return {
    name: 'what the nodes load as well stays outside',
    setup(build) {
      build.onResolve({ filter: /^\./ }, ({ path: imported, resolveDir, kind }) => {
        const file = path.resolve(resolveDir, imported);
        if (kind === 'entry-point' || ofDialogs.test(path.relative(root, file))) return undefined;
        return { path: path.relative(folder, file), external: true };
      });
    },
  };
}

/** @param staging folder of the compiled files: cli.js is replaced, and the modules bundled into it are removed */
export async function bundleCommand(root: string, staging: string): Promise<void> {
  const { metafile } = await build({
    entryPoints: [path.join(root, 'nodes', 'check-flow', 'cli.ts')],
    absWorkingDir: root,
    outfile: path.join(staging, 'nodes', 'check-flow', 'cli.js'),
    bundle: true,
    minify: true,
    metafile: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    charset: 'utf8',
    logLevel: 'silent',
    plugins: [nodesKeepTheirs(root)],
  });
  for (const file of Object.keys(metafile.inputs)) {
    const compiled = file.replace(/\.ts$/, '.js');
    if (!compiled.endsWith('check-flow/cli.js')) rmSync(path.join(staging, compiled), { force: true });
  }
  needNothingElse(staging);
}

/** @throws {Error} a node needs a module that only dialogs and the command have */
export function needNothingElse(staging: string): void {
  const files = readdirSync(staging, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'));
  for (const file of files) {
    const text = readFileSync(path.join(staging, file), 'utf8');
    for (const [, needed = ''] of text.matchAll(/require\("(\.[^"]+)"\)/g)) {
      const target = path.join(staging, path.dirname(file), needed);
      if (![target, `${target}.js`, path.join(target, 'index.js')].some((one) => existsSync(one))) {
        throw new Error(`${file} needs ${needed}, which is not in the package: nodes import no checks of dialogs.`);
      }
    }
  }
}

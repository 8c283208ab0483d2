/**
 * Bundles the code that runs in Node.js into few CommonJS files, which are small to download. What is loaded on demand in the source
 * is loaded on demand in the package: all of nodes/ with the first node, a connection, the simulator and the sentences by themselves.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build, type BuildResult } from 'esbuild';
import { asCommonJs, onceName } from './commonjs';
import { privateNames } from './private-names';
import { sharedTogether } from './shared-together';
import {
  demanded,
  demandMarked,
  entryOfNodes,
  moduleTexts,
  type MoreImports,
  nameOf,
  packagesOnDemand,
  publicEntries,
} from './on-demand';

/** Modules of dialogs: no node needs them, so only the command that checks flows loads them. */
const ofDialogs = /^nodes\/(?:check-flow\/|lib\/editor\/|cemm-[\w-]+\/[\w-]+-checks?\.ts$)/;
const commandOfDialogs = 'nodes/check-flow/cli.js';

/** The folder of the parts that several files share; code finds files of the package from there, too. */
const shared = 'nodes/lib';
const nodesOnDemand = `${shared}/nodes`;

/** Its modules are those of a connection, mostly. */
const reportCommand = 'src/report/cli';

export interface RuntimeFile {
  /** Path in the package. */
  readonly name: string;
  readonly code: string;
  /** Source map, if it was asked for. */
  readonly map: string | null;
}

/** The files of the package that run in Node.js. */
export async function runtimeFiles(root: string, withMaps = false): Promise<RuntimeFile[]> {
  const { imported, types, commands } = publicEntries(root);
  const texts = moduleTexts(root);
  const modules = demanded(texts);
  const ofNodes = modules.filter((module) => module.startsWith('nodes/'));
  const entries = new Set([...imported, ...types, ...commands, ...modules.filter((one) => !ofNodes.includes(one))]);
  const outdir = path.join(root, 'dist');
  const short = privateNames([...texts.values()]);
  const bundle = (more: MoreImports): Promise<BuildResult<{ metafile: true; write: false }>> =>
    build({
      absWorkingDir: root,
      entryPoints: [
        ...[...entries].map((entry) => ({ in: path.join(root, `${entry}.ts`), out: entry })),
        { in: entryOfNodes, out: nodesOnDemand },
      ],
      ...{ outdir, chunkNames: `${shared}/[name]-[hash]`, entryNames: '[dir]/[name]' },
      ...{ bundle: true, splitting: true, format: 'esm', platform: 'node', target: 'node20', packages: 'external' },
      // An import of a whole module counts only if nothing of it is left out; what nothing uses is left out at the end.
      ...{ minifySyntax: true, minifyIdentifiers: true, charset: 'utf8', treeShaking: false },
      ...(short.length > 0 && { mangleProps: new RegExp(`^(?:${short.join('|')})$`) }),
      ...{ sourcemap: withMaps ? 'external' : false, logLevel: 'silent', write: false, metafile: true },
      plugins: [demandMarked(root, ofNodes, more)],
    });
  const split = await bundle(new Map());
  const others = commands.filter((one) => one !== reportCommand);
  const groups = [types, [...others, ...imported.slice(1)], [reportCommand]];
  const { outputFiles, metafile } = await bundle(sharedTogether(split.metafile, groups));
  for (const [file, { inputs }] of Object.entries(metafile.outputs)) {
    const wrong = Object.keys(inputs).find((input) => ofDialogs.test(input));
    if (wrong !== undefined && path.relative(outdir, path.join(root, file)) !== commandOfDialogs)
      throw new Error(`${file} contains ${wrong}: nodes import no checks of dialogs.`);
  }
  /** An expression for the module in a file of the package. */
  const loadedIn =
    (name: string) =>
    (module: string): string => {
      if (packagesOnDemand.includes(module)) return `(${onceName(module)} ??= require(${JSON.stringify(module)}))`;
      const file = ofNodes.includes(module) ? nodesOnDemand : module;
      const relative = path.posix.relative(path.posix.dirname(name), file.endsWith('.json') ? file : `${file}.js`);
      const call = `require(${JSON.stringify(relative.startsWith('.') ? relative : `./${relative}`)})`;
      return ofNodes.includes(module) ? `${call}.${nameOf(module)}` : call;
    };
  const bundles = new Map(outputFiles.map(({ path: file, text }) => [path.relative(outdir, file), text]));
  const names = [...bundles.keys()].filter((name) => name.endsWith('.js'));
  return Promise.all(
    names.map(async (name) => {
      const isImported = imported.includes(name.replace(/\.js$/, ''));
      const commonJs = asCommonJs(bundles.get(name) ?? '', { isImported, loaded: loadedIn(name) });
      return { name, ...(await small(commonJs, bundles.get(`${name}.map`))) };
    }),
  );
}

async function small(commonJs: string, map: string | undefined): Promise<{ code: string; map: string | null }> {
  const { minify } = await import('terser');
  const result = await minify(commonJs, {
    ...{ ecma: 2020, toplevel: true, compress: { passes: 2, unsafe_arrows: true, unsafe_methods: true } },
    // A text of ASCII characters takes half the memory of any other.
    format: { comments: false, ascii_only: true },
    ...(map !== undefined && { sourceMap: { content: map } }),
  });
  return { code: result.code ?? '', map: typeof result.map === 'string' ? result.map : null };
}

export async function buildRuntime(root: string, folder: string): Promise<void> {
  for (const { name, code } of await runtimeFiles(root)) {
    const file = path.join(folder, name);
    if (!existsSync(path.dirname(file))) mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, code);
  }
}

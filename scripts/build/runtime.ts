/**
 * Bundles the code that runs in Node.js into few CommonJS files, which are small to download. What is loaded on demand in the source
 * is loaded on demand in the package: all of nodes/ with the first node, a connection, the simulator and the sentences by themselves.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build, type Plugin } from 'esbuild';
import { asCommonJs, onDemand } from './commonjs';

/** `lazy<…>(__filename, './node')` and `createRequire(__filename)('./sentences')`: the ways to load a module on demand. */
const demand = /(lazy<[^(]*>\(__filename, |createRequire\(__filename\)\()'(\.[^']+)'\)/g;

/** Modules of dialogs: no node needs them, so only the command that checks flows loads them. */
const ofDialogs = /^nodes\/(?:check-flow\/|lib\/editor\/|cemm-[\w-]+\/[\w-]+-checks?\.ts$)/;
const commandOfDialogs = 'nodes/check-flow/cli.js';

/** The folder of the parts that several files share; code finds files of the package from there, too. */
const shared = 'nodes/lib';
const nodesOnDemand = `${shared}/nodes`;

export interface RuntimeFile {
  /** Path in the package. */
  readonly name: string;
  readonly code: string;
  /** Source map, if it was asked for. */
  readonly map: string | null;
}

interface Manifest {
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
  readonly 'node-red': { readonly nodes: Readonly<Record<string, string>> };
}

/** The entries in package.json, as paths of sources without extension. */
function publicEntries(root: string): { all: string[]; imported: string[] } {
  const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as Manifest;
  const sourceOf = (file: string): string => path.posix.normalize(file).replace(/^dist\/(.*)\.js$/, '$1');
  const imported = Object.values(manifest.exports).flatMap((target) =>
    typeof target === 'string' ? [] : [sourceOf(target.default)],
  );
  const others = [...Object.values(manifest.bin), ...Object.values(manifest['node-red'].nodes)].map(sourceOf);
  return { all: [...imported, ...others], imported };
}

/** Modules that others load on demand, as paths without extension. */
function demanded(root: string): string[] {
  const files = ['src', 'nodes'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => path.join(folder, file)),
  );
  const found = files.flatMap((file) =>
    [...readFileSync(path.join(root, file), 'utf8').matchAll(demand)].map(([, , wanted = '']) =>
      path.join(path.dirname(file), wanted),
    ),
  );
  return [...new Set(found)].sort();
}

const nameOf = (module: string): string => module.replace(/\W/g, '_');

/**
 * Marks what is loaded on demand, and gives the modules of nodes that are a file of their own. Classes of the library keep their
 * names, which users see in the console.
 */
function demandMarked(root: string, ofNodes: readonly string[]): Plugin {
  return {
    name: 'loaded on demand',
    setup(build) {
      build.onResolve({ filter: /^on-demand:/ }, ({ path: wanted }) => ({ path: wanted, namespace: 'on-demand' }));
      build.onLoad({ filter: /./, namespace: 'on-demand' }, () => ({
        contents: ofNodes.map((module) => `export * as ${nameOf(module)} from './${module}';`).join('\n'),
        resolveDir: root,
        loader: 'ts',
      }));
      build.onLoad({ filter: /\.ts$/ }, ({ path: file }) => {
        const marked = readFileSync(file, 'utf8')
          .replace(demand, (_, how: string, wanted: string) => {
            const module = path.relative(root, path.resolve(path.dirname(file), wanted));
            return `${how.startsWith('lazy') ? '() => ' : ''}${onDemand}('${module}')`;
          })
          .replace(/^export = /m, 'export default ')
          // A command of the package is always the program itself.
          .replace('require.main === module', 'true');
        if (/\blazy<[^(]*>\(__filename|createRequire\(__filename\)\(['"`]\./.test(marked))
          throw new Error(`${file} loads what is unknown.`);
        const isPublic = path.dirname(file) === path.join(root, 'src');
        const classes = isPublic ? [...marked.matchAll(/^export class (\w+)/gm)].map(([, name = '']) => name) : [];
        const named = classes.map((name) => `Object.defineProperty(${name}, 'name', { value: '${name}' });\n`);
        // Without an export, the bundler takes a command for CommonJS, and wraps it with all that it imports.
        return { contents: `${marked}\n${named.join('')}export {};\n`, loader: 'ts' };
      });
    },
  };
}

/** The files of the package that run in Node.js. */
export async function runtimeFiles(root: string, withMaps = false): Promise<RuntimeFile[]> {
  const { all, imported } = publicEntries(root);
  const modules = demanded(root);
  const ofNodes = modules.filter((module) => module.startsWith('nodes/'));
  const entries = [...new Set([...all, ...modules.filter((module) => !ofNodes.includes(module))])];
  const outdir = path.join(root, 'dist');
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [
      ...entries.map((entry) => ({ in: path.join(root, `${entry}.ts`), out: entry })),
      { in: 'on-demand:nodes', out: nodesOnDemand },
    ],
    ...{ outdir, chunkNames: `${shared}/[name]-[hash]`, entryNames: '[dir]/[name]' },
    ...{ bundle: true, splitting: true, format: 'esm', platform: 'node', target: 'node20', packages: 'external' },
    ...{ minifySyntax: true, minifyIdentifiers: true, charset: 'utf8', write: false, metafile: true },
    ...{ sourcemap: withMaps ? 'external' : false, logLevel: 'silent' },
    plugins: [demandMarked(root, ofNodes)],
  });
  for (const [file, { inputs }] of Object.entries(metafile.outputs)) {
    const wrong = Object.keys(inputs).find((input) => ofDialogs.test(input));
    if (wrong !== undefined && path.relative(outdir, path.join(root, file)) !== commandOfDialogs)
      throw new Error(`${file} contains ${wrong}: nodes import no checks of dialogs.`);
  }
  /** An expression for the module in a file of the package. */
  const loadedIn =
    (name: string) =>
    (module: string): string => {
      const file = ofNodes.includes(module) ? nodesOnDemand : module;
      const relative = path.posix.relative(path.posix.dirname(name), `${file}.js`);
      const call = `require(${JSON.stringify(relative.startsWith('.') ? relative : `./${relative}`)})`;
      return ofNodes.includes(module) ? `${call}.${nameOf(module)}` : call;
    };
  const texts = new Map(outputFiles.map(({ path: file, text }) => [path.relative(outdir, file), text]));
  const names = [...texts.keys()].filter((name) => name.endsWith('.js'));
  return Promise.all(
    names.map(async (name) => {
      const isImported = imported.includes(name.replace(/\.js$/, ''));
      const commonJs = asCommonJs(texts.get(name) ?? '', { isImported, loaded: loadedIn(name) });
      return { name, ...(await small(commonJs, texts.get(`${name}.map`))) };
    }),
  );
}

async function small(commonJs: string, map: string | undefined): Promise<{ code: string; map: string | null }> {
  const { minify } = await import('terser');
  const result = await minify(commonJs, {
    ...{ ecma: 2020, toplevel: true, compress: { passes: 2 } },
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

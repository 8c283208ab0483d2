/** The modules that are loaded by themselves: what package.json names, and what the source loads on demand. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'esbuild';
import { optionNames } from '../build-sentences';
import { home, readCatalogue } from './catalogue';
import { onDemand } from './commonjs';

/** `lazy<…>(__filename, './node')` and `createRequire(__filename)('./sentences')`: the ways to load a module on demand. */
const demand = /(lazy<[^(]*>\(__filename, |createRequire\(__filename\)\()'(\.[^']+)'\)/g;

/** Packages that take long to load: they are loaded when a function uses them, because many flows never do. */
export const packagesOnDemand: readonly string[] = ['axios', 'luxon'];

/** Only where the package is used by its members. */
const packageImport = /^import (?:axios|\{ IANAZone \}) from '(axios|luxon)';$/m;

/** The text with uses in place of the import; simulated monitors load luxon at once, because they always need it. */
function withPackageOnDemand(text: string, file: string): string {
  const [whole, name = ''] = packageImport.exec(text) ?? [];
  if (whole === undefined || file.includes('simulator')) return text;
  return text
    .replace(whole, '')
    .replace(/\baxios\.(?=\w+\()/g, `${onDemand}('${name}').`)
    .replace(/\bIANAZone\.(?=\w+\()/g, `${onDemand}('${name}').IANAZone.`);
}

interface Manifest {
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
  readonly 'node-red': { readonly nodes: Readonly<Record<string, string>> };
}

interface PublicEntries {
  /** Modules that programs import. */
  readonly imported: readonly string[];
  readonly types: readonly string[];
  readonly commands: readonly string[];
}

/** The entries in package.json, as paths of sources without extension. */
export function publicEntries(root: string): PublicEntries {
  const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as Manifest;
  const sourceOf = (file: string): string => path.posix.normalize(file).replace(/^dist\/(.*)\.js$/, '$1');
  const imported = Object.values(manifest.exports).flatMap((target) =>
    typeof target === 'string' ? [] : [sourceOf(target.default)],
  );
  return {
    imported,
    types: Object.values(manifest['node-red'].nodes).map(sourceOf),
    commands: Object.values(manifest.bin).map(sourceOf),
  };
}

/** Path → text of all modules of src/ and nodes/. */
export function moduleTexts(root: string): Map<string, string> {
  const files = ['src', 'nodes'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => path.join(folder, file)),
  );
  return new Map(files.map((file) => [file, readFileSync(path.join(root, file), 'utf8')]));
}

/** Modules that others load on demand, as paths without extension. */
export function demanded(texts: ReadonlyMap<string, string>): string[] {
  const found = [...texts].flatMap(([file, text]) =>
    [...text.matchAll(demand)].map(([, , wanted = '']) => path.join(path.dirname(file), wanted)),
  );
  return [...new Set(found)].sort();
}

export const nameOf = (module: string): string => module.replace(/\W/g, '_');

/** The modules of nodes that are loaded on demand are one file, an entry of this name. */
export const entryOfNodes = 'on-demand:nodes';

/** Entry → modules that it imports as well. */
export type MoreImports = ReadonlyMap<string, readonly string[]>;

/**
 * Marks what is loaded on demand, and gives the modules of nodes that are a file of their own. Classes of the library keep their
 * names, which users see in the console.
 */
export function demandMarked(root: string, ofNodes: readonly string[], more: MoreImports): Plugin {
  const moreOf = (entry: string): string =>
    (more.get(entry) ?? []).map((module) => `import ${JSON.stringify(path.join(root, module))};\n`).join('');
  return {
    name: 'loaded on demand',
    setup(build) {
      build.onResolve({ filter: /^on-demand:/ }, ({ path: wanted }) => ({
        path: wanted.replace(/^on-demand:/, ''),
        namespace: 'on-demand',
      }));
      build.onLoad({ filter: /./, namespace: 'on-demand' }, () => ({
        contents: [
          ...ofNodes.map((module) => `export * as ${nameOf(module)} from './${module}';\n`),
          moreOf(entryOfNodes),
        ].join(''),
        resolveDir: root,
        loader: 'ts',
      }));
      build.onLoad({ filter: /\.ts$/ }, ({ path: file }) => {
        if (file === path.join(root, sentencesModule))
          return { contents: sentencesOfCatalogue(), resolveDir: root, loader: 'ts' };
        const marked = withPackageOnDemand(readFileSync(file, 'utf8'), file)
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
        return {
          contents: `${marked}\n${named.join('')}${moreOf(path.relative(root, file).replace(/\.ts$/, ''))}export {};\n`,
          loader: 'ts',
        };
      });
    },
  };
}

const sentencesModule = 'src/sentences.ts';

/** The module of sentences, made of the catalogue of the nodes: the package contains each sentence once. */
function sentencesOfCatalogue(): string {
  const catalogue = `nodes/${home}/locales/en-US/runtime.json`;
  const used = readCatalogue(path.join(__dirname, '../../nodes/lib/locales/en-US.json'));
  const text = JSON.stringify(used);
  const options = Object.entries(optionNames()).filter(([label]) => text.includes(`“${label}”`));
  return [
    `import { inProgramWords } from ${JSON.stringify(path.join(__dirname, 'program-words'))};`,
    `const options = ${JSON.stringify(Object.fromEntries(options))};`,
    `const { error } = ${onDemand}('${catalogue}');`,
    'export const sentences = Object.fromEntries(',
    '  Object.entries(error).map(([code, text]) => [code, inProgramWords(text, options)]),',
    ');',
  ].join('\n');
}

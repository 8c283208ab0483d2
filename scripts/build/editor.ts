/**
 * The browser's half of a node type: one HTML file with the form and one inline script, with the catalogues, the help pages and
 * the icon in the folders that Node-RED's loader reads.
 */
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build as bundle, type BuildOptions, type Plugin, transformSync } from 'esbuild';
import { formats } from '../../src/checks/limits';
import { findPageAddress, findSitePath, siteAddress } from '../docs/site';
import { withRows } from './form-rows';
import { definitionsWrittenOut } from './registration';
import { helpPage, withIncluded } from './include';
import { catalogueText, home, isShared, languages, setOf, shippedCatalogue } from './catalogue';

/** Node types that have an editor half. */
export function editorNodeTypes(root: string): string[] {
  return readdirSync(path.join(root, 'nodes'))
    .filter((name) => name.startsWith('cemm-') && existsSync(path.join(root, 'nodes', name, 'editor.ts')))
    .sort();
}

/**
 * A form may include rows of nodes/lib/editor, which several nodes share. Node-RED looks a key up in the catalogue of the
 * form's own type unless the key names another one. A line with `{format}` is there once for each format.
 */
export function formOf(root: string, type: string): string {
  const form = withIncluded(path.join(root, 'nodes', type, 'editor.html'), path.join(root, sharedFolder)).replace(
    /^.*\{format\}.*\n/gm,
    (line) => formats.map((format) => line.replaceAll('{format}', format)).join(''),
  );
  return withRows(form, type).replace(/(data-i18n="(?:\[\w+\])?)([\w.]+)/g, (whole, start: string, key: string) =>
    type !== home && isShared(root, key) ? `${start}${setOf(home)}:${key}` : whole,
  );
}

const sharedFolder = path.join('nodes', 'lib', 'editor');
const storedFolder = path.join('nodes', 'lib', 'stored');
/** A variable of the editor's page. */
const sharedName = 'cemmForms';

/** The shared modules of the dialogs: path without extension → name on the page, which is the path without its room. */
function sharedModules(root: string): Map<string, string> {
  const widgets = readdirSync(path.join(root, sharedFolder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
    .map((file) => [sharedFolder, file.slice(0, -'.ts'.length)] as const);
  const stored = ['config', 'shared-config', 'field-rules', 'migrate'].map((file) => [storedFolder, file] as const);
  const ofLibrary = ['checks/limits', 'model/fields'].map((file) => ['src', file] as const);
  return new Map([...widgets, ...stored, ...ofLibrary].map(([room, file]) => [path.join(root, room, file), file]));
}

/** Replaces imports of shared modules by the copies on the page. */
function takenFromPage(root: string): Plugin {
  const shared = sharedModules(root);
  return {
    name: 'taken from the page',
    setup(build) {
      build.onResolve({ filter: /^\.{1,2}\// }, ({ resolveDir, path: wanted }) => {
        const name = shared.get(path.resolve(resolveDir, wanted));
        return name === undefined ? undefined : { path: name, namespace: sharedName };
      });
      build.onLoad({ filter: /./, namespace: sharedName }, ({ path: name }) => ({
        contents: `module.exports = ${sharedName}[${JSON.stringify(name)}];`,
      }));
    },
  };
}

export async function bundled(root: string, options: BuildOptions): Promise<string> {
  const result = await bundle({
    absWorkingDir: root,
    bundle: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2020',
    charset: 'utf8',
    legalComments: 'none',
    // Calls of RED stay as written, because the scanners of the palette read them.
    minify: true,
    logLevel: 'silent',
    ...options,
    write: false,
  });
  const [file] = result.outputFiles;
  if (file === undefined) throw new Error('The editor script is empty.');
  return file.text.trim();
}

/**
 * The shared modules of the dialogs. The editor loads the pages of all node types into one document, in the order of
 * package.json, so the page of the first type contains them for all.
 */
export function sharedScript(root: string): Promise<string> {
  const contents = [...sharedModules(root)].map(
    ([file, name]) => `export * as ${JSON.stringify(name)} from ${JSON.stringify(file)};`,
  );
  return bundled(root, {
    stdin: { contents: contents.join('\n'), resolveDir: root, loader: 'ts' },
    globalName: sharedName,
  });
}

/**
 * After an installation in a running editor, the pages of the types arrive in any order: a script that comes before the shared
 * modules waits for them.
 */
const waiting = 'globalThis.cemmWaiting';

async function scriptOf(root: string, type: string): Promise<string> {
  const own = await bundled(root, {
    entryPoints: [path.join(root, 'nodes', type, 'editor.ts')],
    plugins: [definitionsWrittenOut(root, type), takenFromPage(root)],
  });
  return type === home
    ? `${await sharedScript(root)}\n${own}\n(${waiting}||[]).splice(0).forEach(function(run){run()});`
    : `(function(run){globalThis.${sharedName}?run():(${waiting}=${waiting}||[]).push(run)})(function(){\n${own}\n});`;
}

export function smallStyle(css: string): string {
  return transformSync(css, { loader: 'css', minifyWhitespace: true, charset: 'utf8' }).code.trim();
}

/** The style of all forms, in the order in which one rule overrides another; read by the tests as well. */
export function readFormStyle(root: string): string {
  const folder = path.join(root, 'nodes', 'lib', 'editor', 'form');
  return ['rows', 'prices', 'lists'].map((name) => readFileSync(path.join(folder, `${name}.css`), 'utf8')).join('');
}

/** The style sheet of all forms: a style in one page of the editor applies to the others, so one type contains it. */
function styleOf(root: string, type: string): string[] {
  return type === home ? ['<style>', smallStyle(readFormStyle(root)), '</style>'] : [];
}

export async function htmlOf(root: string, type: string): Promise<string> {
  return [
    ...styleOf(root, type),
    formOf(root, type).trim().replace(/^\s+/gm, ''),
    '<script type="text/javascript">',
    await scriptOf(root, type),
    '</script>',
    '',
  ].join('\n');
}

/** A help page has links to pages of docs/, relative to docs/nodes/. In the editor they lead to the site. Exported for tests. */
export function withWebLinks(help: string): string {
  return help.replace(/href="([^":]+)"/g, (_, link: string) => {
    const place = findSitePath(path.posix.join('docs/nodes', link));
    if (place === undefined) throw new Error(`A help page links to ${link}, which is no page of docs/.`);
    return `href="${siteAddress()}${findPageAddress(place)}"`;
  });
}

/** Without spaces between tags, except in examples. */
function smallHelp(help: string): string {
  return help
    .split(/(<pre[^]*?<\/pre>)/)
    .map((text, index) =>
      index % 2 === 1
        ? text
        : text
            .replace(/\s*\n\s*/g, '\n') // Spaces between two words in marks are seen.
            .replace(/>\n<(?=\/?(?:dd|dl|dt|h\d|li|ol|p|pre|script|table|td|th|tr|ul)\b)/g, '><'),
    )
    .join('');
}

function writeLocales(root: string, type: string, folder: string): void {
  for (const language of languages) {
    const target = path.join(folder, 'locales', language);
    mkdirSync(target, { recursive: true });
    writeFileSync(path.join(target, 'runtime.json'), catalogueText(shippedCatalogue(root, type, language), language));
    const help = path.join(root, 'nodes', type, 'locales', `${language}.html`);
    if (existsSync(help))
      writeFileSync(path.join(target, 'runtime.html'), smallHelp(withWebLinks(helpPage(root, type, language))));
  }
}

/** Writes all files into `folder`, which also gets the type's runtime.js. */
export async function buildEditor(root: string, type: string, folder: string): Promise<void> {
  mkdirSync(path.join(folder, 'icons'), { recursive: true });
  writeFileSync(path.join(folder, 'runtime.html'), await htmlOf(root, type));
  writeLocales(root, type, folder);
  const icon = path.join(root, 'icons', `${type}.svg`);
  if (existsSync(icon)) copyFileSync(icon, path.join(folder, 'icons', `${type}.svg`));
}

/**
 * The browser's half of a node type: one HTML file with the form and one inline script, and beside it the catalogues,
 * the help pages and the icon, where Node-RED's loader looks for them.
 */
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build as bundle, type Plugin, transformSync } from 'esbuild';
import { home, languages, shippedCatalogue } from './catalogue';

/** Node types that have an editor half. */
export function editorNodeTypes(root: string): string[] {
  return readdirSync(path.join(root, 'nodes'))
    .filter((name) => name.startsWith('cemm-') && existsSync(path.join(root, 'nodes', name, 'editor.ts')))
    .sort();
}

/** A form may take rows that several nodes share: `<!-- include meter.html -->` is replaced by nodes/lib/editor/meter.html. */
export function formOf(root: string, type: string): string {
  const withRows = (file: string): string =>
    readFileSync(file, 'utf8').replace(/^[ \t]*<!-- include ([\w-]+\.html) -->\n/gm, (_line, name: string) =>
      withRows(path.join(root, 'nodes', 'lib', 'editor', name)),
    );
  return withRows(path.join(root, 'nodes', type, 'editor.html'));
}

/** Its module sets up a name space as it loads, which a bundler has to keep; no dialog that checks no address needs it. */
const addressesOnDemand: Plugin = {
  name: 'addresses on demand',
  setup(build) {
    build.onResolve({ filter: /^ipaddr\.js$/ }, () => ({ path: require.resolve('ipaddr.js'), sideEffects: false }));
  },
};

async function scriptOf(root: string, type: string): Promise<string> {
  const result = await bundle({
    entryPoints: [path.join(root, 'nodes', type, 'editor.ts')],
    absWorkingDir: root,
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: 'es2020',
    charset: 'utf8',
    legalComments: 'none',
    // The calls of RED stay as written, which the scanners of the palette read.
    minify: true,
    logLevel: 'silent',
    plugins: [addressesOnDemand],
  });
  const [file] = result.outputFiles;
  if (file === undefined) throw new Error(`${type}: the editor script is empty.`);
  return file.text;
}

function smallStyle(css: string): string {
  return transformSync(css, { loader: 'css', minifyWhitespace: true, charset: 'utf8' }).code.trim();
}

/** The style sheet of all forms: a style in one page of the editor counts for the others, so one type brings it. */
function styleOf(root: string, type: string): string[] {
  const style = path.join(root, 'nodes', 'lib', 'editor', 'form.css');
  return type === home && existsSync(style) ? ['<style>', smallStyle(readFileSync(style, 'utf8')), '</style>'] : [];
}

export async function htmlOf(root: string, type: string): Promise<string> {
  return [
    ...styleOf(root, type),
    formOf(root, type).trim().replace(/^\s+/gm, ''),
    '<script type="text/javascript">',
    (await scriptOf(root, type)).trim(),
    '</script>',
    '',
  ].join('\n');
}

function writeLocales(root: string, type: string, folder: string, page: string): void {
  for (const language of languages) {
    const target = path.join(folder, 'locales', language);
    mkdirSync(target, { recursive: true });
    writeFileSync(path.join(target, 'runtime.json'), JSON.stringify(shippedCatalogue(root, type, language, page)));
    const help = path.join(root, 'nodes', type, 'locales', `${language}.html`);
    if (existsSync(help)) copyFileSync(help, path.join(target, 'runtime.html'));
  }
}

/** Writes all of it into `folder`, the folder that also gets the type's runtime.js. */
export async function buildEditor(root: string, type: string, folder: string): Promise<void> {
  mkdirSync(path.join(folder, 'icons'), { recursive: true });
  const page = await htmlOf(root, type);
  writeFileSync(path.join(folder, 'runtime.html'), page);
  writeLocales(root, type, folder, page);
  const icon = path.join(root, 'icons', `${type}.svg`);
  if (existsSync(icon)) copyFileSync(icon, path.join(folder, 'icons', `${type}.svg`));
}

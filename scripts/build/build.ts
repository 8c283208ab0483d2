/**
 * `npm run build`: builds all shipped files in dist/, and llms.txt. They are built beside dist/ and moved there when complete. A
 * type error exits with status 1 and keeps the last good dist/.
 */
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { compileProgram, exportedTypes, typeCheck } from './compile';
import { buildSchemas } from './build-schemas';
import { buildEditor, editorNodeTypes } from './editor';
import { buildNodeSchemas } from './node-schemas';
import { pageText } from './page';
import { findTextFaults } from './text-faults';

const root = path.resolve(__dirname, '../..');
const dist = path.join(root, 'dist');
const staging = path.join(root, 'node_modules', '.cache', `build-${process.pid}`);

function replaceDist(): void {
  const old = `${staging}-old`;
  if (existsSync(dist)) renameSync(dist, old);
  renameSync(staging, dist);
  rmSync(old, { recursive: true, force: true });
}

/** `npm pack` takes the modes over, which otherwise depend on the umask of who cloned and built. */
function setModes(): void {
  const { bin, files } = readManifest();
  const listed = files.map((name) => path.join(root, name));
  const folders = listed.filter((file) => statSync(file).isDirectory());
  const inFolders = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name)),
  );
  // npm packs these in any case.
  const always = ['package.json', 'README.md', 'LICENSE'].map((name) => path.join(root, name));
  for (const file of [...listed.filter((one) => !folders.includes(one)), ...inFolders, ...always])
    chmodSync(file, 0o644);
  for (const command of Object.values(bin)) chmodSync(path.join(root, command), 0o755);
}

function readManifest(): { readonly bin: Readonly<Record<string, string>>; readonly files: readonly string[] } {
  return JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as ReturnType<typeof readManifest>;
}

async function build(): Promise<void> {
  const started = Date.now();
  const checks = [
    compileProgram(root, 'tsconfig.build.json', staging, exportedTypes(root, dist)),
    typeCheck(root, 'tsconfig.editor.json'),
  ];
  const problems = [...(await Promise.all(checks)), findTextFaults(root)].join('');
  if (problems !== '') {
    process.stderr.write(problems);
    process.exitCode = 1;
    return;
  }
  const types = editorNodeTypes(root);
  for (const type of types) await buildEditor(root, type, path.join(staging, 'nodes', type));
  writeFileSync(path.join(staging, 'nodes/cemm-page/page.html'), await pageText(root));
  buildSchemas(path.join(staging, 'schemas'));
  buildNodeSchemas(path.join(staging, 'schemas', 'nodes'));
  replaceDist();
  copyFileSync(path.join(root, 'docs/for-assistants.md'), path.join(root, 'llms.txt'));
  setModes();
  process.stdout.write(`dist: ${types.length} node types in ${((Date.now() - started) / 1000).toFixed(1)} s\n`);
}

mkdirSync(staging, { recursive: true });
void build()
  .catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  })
  .finally(() => {
    rmSync(staging, { recursive: true, force: true });
  });

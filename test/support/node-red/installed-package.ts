/**
 * The package as a user gets it: packed with `npm pack` and unpacked into a user directory, beside the runtime
 * dependencies that the lockfile names and nothing else. The working tree itself is never loaded, so a file that is
 * missing from the tarball, or a dependency that is only there for development, fails the tests.
 *
 * npm itself cannot do the install here: the tests must run without a network, and `npm install --offline` needs
 * registry documents that `npm ci` never stores. Copying what the lockfile calls non-development gives the same tree.
 */
import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { cp, link, mkdir, mkdtemp, readdir, readFile, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, isAbsolute, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
export const projectDir = resolve(__dirname, '../../..');

interface Lockfile {
  packages: Record<string, { dev?: boolean; optional?: boolean; devOptional?: boolean }>;
}

let installed: Promise<string> | undefined;

/** A `node_modules` folder with the packed package and its dependencies; made once per test run (see install-once.ts). */
export function installedModules(): Promise<string> {
  const ofThisRun = process.env['CEMM_INSTALLED_MODULES'];
  installed ??= ofThisRun === undefined ? install() : Promise.resolve(ofThisRun);
  return installed;
}

/** The file that `npm pack` made for it. */
export async function packedFile(): Promise<string> {
  const folder = join(await installedModules(), '..');
  const packed = (await readdir(folder)).find((name) => name.endsWith('.tgz'));
  if (packed === undefined) throw new Error(`no tarball in ${folder}`);
  return join(folder, packed);
}

let tarball: Promise<number> | undefined;

/** Size of the tarball of `npm pack`. */
export function tarballBytes(): Promise<number> {
  tarball ??= packInto('--dry-run').then(({ size }) => size);
  return tarball;
}

/** @param where arguments of `npm pack` */
async function packInto(...where: readonly string[]): Promise<{ filename: string; size: number }> {
  const { stdout } = await run('npm', ['pack', '--json', ...where], { cwd: projectDir, maxBuffer: 16 * 1024 * 1024 });
  const [packed] = JSON.parse(stdout) as { filename: string; size: number }[];
  if (packed === undefined) throw new Error('npm pack made no tarball');
  return packed;
}

async function install(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'cemm-package-'));
  process.once('exit', () => {
    // At exit no asynchronous work is awaited.
    rmSync(root, { recursive: true, force: true });
  });
  const modules = join(root, 'node_modules');
  const target = join(modules, 'node-red-contrib-cemm');
  await mkdir(target, { recursive: true });
  const { filename } = await packInto('--pack-destination', root);
  await run('tar', ['-xzf', join(root, filename), '-C', target, '--strip-components=1']);
  const lockfile = JSON.parse(await readFile(join(projectDir, 'package-lock.json'), 'utf8')) as Lockfile;
  for (const [path, entry] of Object.entries(lockfile.packages)) {
    const nested = path.split('node_modules/').length > 2;
    if (path === '' || nested || entry.dev === true || entry.optional === true || entry.devOptional === true) continue;
    await cp(join(projectDir, path), join(root, path), { recursive: true });
  }
  return modules;
}

/** The same folders with hard links to the same files, which take no space. Nothing may write into its files. */
async function linkTree(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  const entries = await readdir(from, { withFileTypes: true });
  await Promise.all(
    entries.map((entry) => {
      const [source, target] = [join(from, entry.name), join(to, entry.name)];
      return entry.isDirectory() ? linkTree(source, target) : link(source, target);
    }),
  );
}

export function emptyUserDir(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'cemm-user-'));
}

/** A new user directory with the package in it; `also` adds links to packages of the working tree's node_modules, or to folders. */
export async function createUserDir(also: readonly string[] = []): Promise<string> {
  const userDir = await emptyUserDir();
  const modules = join(userDir, 'node_modules');
  await linkTree(await installedModules(), modules);
  for (const name of also) {
    const place = join(modules, isAbsolute(name) ? basename(name) : name);
    await mkdir(join(place, '..'), { recursive: true });
    await symlink(resolve(projectDir, 'node_modules', name), place);
  }
  return userDir;
}

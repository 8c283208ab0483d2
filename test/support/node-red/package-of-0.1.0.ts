/** The package as it was in version 0.1.0, built and packed from the history of this repository: what users update from. */
import { execFile } from 'node:child_process';
import { mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectDir } from './installed-package';

const run = promisify(execFile);

/** The last commit with the version 0.1.0. */
const lastCommit = 'a20bd876f87276be102a742c89b1cc1e5f5ca4cc';

/**
 * @param folder an empty one
 * @returns the tarball. Rejects in a shallow clone, which does not have the commit: `git fetch --unshallow`.
 */
export async function packageOf010(folder: string): Promise<string> {
  const source = join(folder, 'source');
  await mkdir(source, { recursive: true });
  const archive = join(folder, 'source.tar');
  await run('git', ['archive', '--output', archive, lastCommit], { cwd: projectDir });
  await run('tar', ['-xf', archive, '-C', source]);
  await symlink(join(projectDir, 'node_modules'), join(source, 'node_modules'));
  await run('npm', ['run', '--silent', 'build'], { cwd: source });
  await run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], { cwd: source });
  const [packed] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
  if (packed === undefined) throw new Error('npm pack made no tarball of 0.1.0');
  return join(folder, packed);
}

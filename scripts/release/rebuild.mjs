/**
 * Builds the package once more, from the commit, in another folder and with another umask, and compares every file with those of a
 * tarball, and its code with what the compiler writes without our build: `node scripts/release/rebuild.mjs FILE.tgz`. Without a file, with the one that `npm pack` makes here. Ends with 1 if a file differs.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
// Below this folder, so that Node.js finds the development packages.
const results = path.join(root, 'test-results');
mkdirSync(results, { recursive: true });
const copy = mkdtempSync(path.join(results, 'rebuild-'));
const temporary = mkdtempSync(path.join(tmpdir(), 'cemm-rebuild-'));

function shell(command, cwd) {
  return execFileSync('bash', ['-euc', command], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  }).trim();
}

function packed(folder, name) {
  const target = path.join(temporary, name);
  mkdirSync(target);
  return path.join(target, shell(`npm pack --silent --ignore-scripts --pack-destination "${target}"`, folder));
}

/** File of the tarball → its mode and the hash of its bytes. */
function filesIn(tarball, name) {
  const target = path.join(temporary, name);
  mkdirSync(target);
  execFileSync('tar', ['-xpzf', tarball, '-C', target]);
  const files = readdirSync(target, { recursive: true }).filter((file) => statSync(path.join(target, file)).isFile());
  return new Map(
    files.map((file) => {
      const mode = (statSync(path.join(target, file)).mode & 0o777).toString(8);
      const hash = createHash('sha256').update(readFileSync(path.join(target, file)));
      return [file, `${mode} ${hash.digest('hex')}`];
    }),
  );
}

/** The code files below a folder: name → text. */
function codeIn(folder) {
  const files = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.js'));
  return new Map(files.map((file) => [file, readFileSync(path.join(folder, file), 'utf8')]));
}

try {
  const given = process.argv[2];
  const published = filesIn(given === undefined ? packed(root, 'here') : path.resolve(given), 'published');
  const otherUmask = process.umask() === 0o077 ? '022' : '077';
  shell(`umask ${otherUmask}; git archive HEAD | tar -x -C "${copy}"`, root);
  shell(`umask ${otherUmask}; npm run --silent build`, copy);
  const rebuilt = filesIn(packed(copy, 'copy'), 'rebuilt');
  const names = [...new Set([...published.keys(), ...rebuilt.keys()])].sort();
  const different = names.filter((name) => published.get(name) !== rebuilt.get(name));
  for (const name of different)
    console.log(`${name}: ${published.get(name) ?? 'missing'}, rebuilt ${rebuilt.get(name) ?? 'missing'}`);
  const compiled = path.join(temporary, 'compiled');
  shell(
    `node "${path.join(root, 'node_modules/typescript-native/bin/tsc')}" --project tsconfig.build.json --outDir "${compiled}"`,
    copy,
  );
  const [shipped, written] = [path.join(temporary, 'published/package/dist'), compiled].map(codeIn);
  for (const name of new Set([...shipped.keys(), ...written.keys()])) {
    if (shipped.get(name) === written.get(name)) continue;
    console.log(`${name}: not what the compiler writes`);
    different.push(name);
  }
  const commit = shell('git rev-parse --short HEAD', root);
  if (different.length === 0)
    console.log(
      `All ${names.length} files are those that ${commit} builds, ${written.size} of them as the compiler writes them.`,
    );
  process.exitCode = different.length === 0 && names.length > 0 ? 0 : 1;
} finally {
  for (const folder of [copy, temporary]) rmSync(folder, { recursive: true, force: true });
}

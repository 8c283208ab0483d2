/**
 * `npm run release -- --dry-run [--output FOLDER]`: everything that a release needs, without publishing anything. It checks version,
 * changelog and tag, builds the tarball, writes what a provenance statement says about it, and runs the checks of the flow library
 * on it. Without `--dry-run` it then makes the tag and says how to push it: the tag publishes (.github/workflows/release.yml).
 *
 * Ends with 1 if a check fails. `still to do` is what only the day of the release can bring, such as the date in the changelog:
 * a dry run lists it, a release refuses it.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const project = join(__dirname, '../..');

/** `todo`: passes in a dry run. */
interface Outcome {
  readonly state: 'ok' | 'todo' | 'failed';
  readonly text: string;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly repository: string;
}

interface Release {
  readonly manifest: Manifest;
  readonly tag: string;
  readonly commit: string;
  /** Folder for the tarball and its statement. */
  readonly folder: string;
}

const ok = (text: string): Outcome => ({ state: 'ok', text });
const todo = (text: string): Outcome => ({ state: 'todo', text });
const makeFailedOutcome = (text: string): Outcome => ({ state: 'failed', text });

/** Each check of a release, in this order. A later one can use the tarball of an earlier one. */
const checks: readonly { readonly name: string; readonly run: (release: Release) => Outcome }[] = [
  { name: 'working tree', run: workingTree },
  { name: 'version', run: version },
  { name: 'changelog', run: changelog },
  { name: 'tag', run: tag },
  { name: 'tarball', run: tarball },
  { name: 'provenance', run: provenance },
  {
    name: 'bundlers and TypeScript',
    run: ({ folder, manifest }) => script('check-package.mjs', [packed(folder, manifest)]),
  },
  { name: 'flow library', run: () => script('scorecard.mjs', []) },
  { name: 'dependencies', run: () => script('check-freshness.mjs', []) },
];

function workingTree(): Outcome {
  const changed = git('status', '--porcelain')
    .split('\n')
    .filter((line) => line !== '');
  return changed.length === 0
    ? ok('everything is committed')
    : todo(`commit or remove ${changed.length} changed files`);
}

function version({ manifest }: Release): Outcome {
  const { version: locked } = readManifest('package-lock.json');
  if (!/^\d+\.\d+\.\d+(?:-[0-9a-z.-]+)?$/.test(manifest.version))
    return makeFailedOutcome(`${manifest.version} is no version`);
  return locked === manifest.version
    ? ok(manifest.version)
    : makeFailedOutcome(`package.json has ${manifest.version}, package-lock.json has ${locked}: run npm install`);
}

function changelog({ tag: name }: Release): Outcome {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(__dirname, 'release-notes.mjs'), name], {
    encoding: 'utf8',
  });
  if (status === 0) return ok(`${stdout.trim().split(/\s+/).length} words for ${name}`);
  return stderr.includes('unreleased') ? todo(stderr.trim()) : makeFailedOutcome(stderr.trim());
}

function tag({ tag: name, commit }: Release): Outcome {
  if (git('tag', '--list', name) === '') return ok(`${name} is free`);
  return git('rev-list', '-n', '1', name) === commit
    ? ok(`${name} is on this commit`)
    : makeFailedOutcome(`${name} is on another commit: a published version cannot be replaced, choose the next one`);
}

function tarball({ folder, manifest }: Release): Outcome {
  mkdirSync(folder, { recursive: true });
  npm('run', '--silent', 'build');
  npm('pack', '--ignore-scripts', '--silent', '--pack-destination', folder);
  const file = packed(folder, manifest);
  const bytes = readFileSync(file);
  writeFileSync(`${file}.sha512`, `${sha512(bytes)}\n`);
  return ok(`${file}, ${Math.round(bytes.length / 1000)} kB`);
}

/**
 * A provenance statement, as npm signs it on GitHub: an in-toto statement of the tarball's hash and of the commit (https://slsa.dev/spec/v1.0/provenance). Nothing
 * else can sign it, so the file here is for a comparison: `npm view NAME dist.integrity` has the same hash after the release.
 */
function provenance({ folder, manifest, commit }: Release): Outcome {
  const { repository } = manifest;
  const file = packed(folder, manifest);
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: `pkg:npm/${manifest.name}@${manifest.version}`, digest: { sha512: sha512(readFileSync(file)) } }],
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: { buildDefinition: { resolvedDependencies: [{ uri: repository, digest: { gitCommit: commit } }] } },
  };
  writeFileSync(`${file}.statement.json`, `${JSON.stringify(statement, null, 2)}\n`);
  return ok('the statement without a signature is beside the tarball; the workflow signs its own');
}

function script(name: string, args: readonly string[]): Outcome {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(__dirname, name), ...args], {
    cwd: project,
    encoding: 'utf8',
  });
  const last = `${stdout}\n${stderr}`.trim().split('\n').at(-1) ?? '';
  return status === 0 ? ok(last) : makeFailedOutcome(`${stdout}\n${stderr}`.trim());
}

function packed(folder: string, { name, version: number }: Manifest): string {
  return join(folder, `${name}-${number}.tgz`);
}

function sha512(bytes: Uint8Array): string {
  return createHash('sha512').update(bytes).digest('hex');
}

function git(...args: readonly string[]): string {
  const { stdout } = spawnSync('git', args, { cwd: project, encoding: 'utf8' });
  return stdout.trim();
}

function npm(...args: readonly string[]): void {
  execFileSync('npm', args, {
    cwd: project,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
}

function readManifest(file: string): Manifest {
  const parsed: unknown = JSON.parse(readFileSync(join(project, file), 'utf8'));
  const { name, version: number, repository } = membersOf(parsed);
  if (typeof name !== 'string' || typeof number !== 'string') throw new Error(`${file} has no name and version`);
  const { url } = membersOf(repository);
  return { name, version: number, repository: typeof url === 'string' ? url : '' };
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function runRelease(args: readonly string[]): number {
  const { values } = parseArgs({
    args: [...args],
    options: { 'dry-run': { type: 'boolean', default: false }, output: { type: 'string', default: 'release' } },
  });
  const manifest = readManifest('package.json');
  const release: Release = {
    manifest,
    tag: `v${manifest.version}`,
    commit: git('rev-parse', 'HEAD'),
    folder: resolve(project, values.output),
  };
  const outcomes = checks.map(({ name, run }) => {
    const outcome = run(release);
    console.log(`${marks[outcome.state]} ${name}: ${outcome.text}`);
    return outcome.state;
  });
  if (outcomes.includes('failed')) return 1;
  if (values['dry-run']) {
    console.log(
      `\nNothing is published. ${outcomes.includes('todo') ? 'What is marked "to do" comes first.' : 'All is ready.'}`,
    );
    return 0;
  }
  if (outcomes.includes('todo')) {
    console.log('\nNo release: do what is marked "to do" first.');
    return 1;
  }
  if (git('tag', '--list', release.tag) === '') git('tag', '--annotate', release.tag, '--message', release.tag);
  console.log(`\nThe tag ${release.tag} is made. It publishes when it is pushed: git push origin ${release.tag}`);
  return 0;
}

const marks: Readonly<Record<Outcome['state'], string>> = { ok: 'ok    ', todo: 'to do ', failed: 'FAILED' };

process.exitCode = runRelease(process.argv.slice(2));

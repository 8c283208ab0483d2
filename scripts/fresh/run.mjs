/**
 * `node scripts/fresh/run.mjs`: what a stranger does who has nothing but git, Node.js and npm. On a new Debian, as an ordinary user with
 * an empty home, it clones the commit and runs the two lines of README.md, each in a clone of its own: `npm ci && npm start` until the
 * demo is there, then Ctrl-C; and `npm ci && npm test`. It fails if a test fails or is pending, if something is left running, or if
 * something is written outside the clone, the folder of npm in the home, and the temporary folder.
 *
 *   --node 24   another Node.js than the oldest that the package supports
 *   LINE…       other lines than those of README.md
 *
 * PORT is passed to `npm start`. Counts and names of the tests go where those of other suites go (.ci/steps).
 */
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { demoAnswers } from './demo.mjs';
import { missing, newMachine, remove, runCommand, user, versions } from './machine.mjs';

const project = join(dirname(fileURLToPath(import.meta.url)), '../..');
const port = Number(process.env.PORT ?? 1880);
const minute = 60_000;
/** The files in which the tests report, as session.sh names them. */
const reports = {
  CEMM_TEST_SUMMARY: 'tests-counted',
  CEMM_TESTS_PASSED: 'tests-passed',
  CEMM_TESTS_FAILED: 'tests-failed',
};

const { values, positionals } = parseArgs({
  options: { node: { type: 'string', default: '20' } },
  allowPositionals: true,
});
const reason = missing() ?? (values.node in versions ? null : `--node is one of ${Object.keys(versions).join(', ')}.`);
if (reason === null) process.exitCode = await runFresh();
else {
  console.error(reason);
  process.exitCode = 2;
}

async function runFresh() {
  const machine = newMachine(values.node);
  try {
    const { node, npm } = versions[values.node];
    console.log(`── a new Debian with git, Node.js ${node} and npm ${npm}`);
    publish(machine);
    const before = listFiles(machine);
    const lines = positionals.length > 0 ? positionals : readmeLines();
    for (const [index, line] of lines.entries()) {
      const clone = `clone-${index + 1}`;
      await session(machine, user.home, `git clone --quiet /srv/repository.git ${clone}`);
      console.log(`── ${line}`);
      const began = performance.now();
      if (line.endsWith('npm start')) await startAndStop(machine, join(user.home, clone), line);
      else await session(machine, join(user.home, clone), line);
      console.log(`── ${line}: ${Math.round((performance.now() - began) / 1000)} s`);
      await session(machine, join(user.home, clone), 'git status --porcelain; test -z "$(git status --porcelain)"');
      compare(before, listFiles(machine), new Set(lines.map((_, place) => `clone-${place + 1}`)));
    }
    checkTests(machine);
    return 0;
  } catch (error) {
    console.error(`── ${error instanceof Error ? error.message : String(error)}`);
    return 1;
  } finally {
    report(machine);
    remove(machine);
  }
}

/** The two lines for somebody who has a copy of the repository. */
function readmeLines() {
  const text = readFileSync(join(project, 'README.md'), 'utf8');
  const lines = [...text.matchAll(/^(npm ci && npm \w+)\s+#/gm)].map(([, line]) => line);
  const named = lines.map((line) => line.split(' ').at(-1));
  if (named.join() !== 'start,test')
    throw new Error(`README.md has other lines for a copy of the repository: ${lines.join('; ')}`);
  return lines;
}

/** The commit of this folder, where the user clones it from. */
function publish(machine) {
  const repository = join(machine, 'srv/repository.git');
  // In a container the folder may be another user's.
  const env = { ...process.env, GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'safe.directory', GIT_CONFIG_VALUE_0: '*' };
  runCommand('git', ['clone', '--quiet', '--bare', '--no-hardlinks', project, repository], { env });
  runCommand('chown', ['--recursive', `${user.id}:${user.id}`, repository]);
}

/** Runs a command of the user. Rejects where it, or session.sh, fails; the child is killed when the signal fires. */
function session(machine, directory, line, { terminal = false, ready = null } = {}) {
  const script = join(project, 'scripts/fresh/session.sh');
  const inside = [script, machine, directory, terminal ? 'terminal' : 'plain', line];
  const child = spawn('unshare', ['--mount', '--pid', '--fork', '--kill-child', 'sh', ...inside], {
    stdio: [terminal ? 'pipe' : 'ignore', 'inherit', 'inherit'],
  });
  const stop = () => child.kill('SIGKILL');
  process.once('SIGTERM', stop).once('SIGINT', stop);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      process.off('SIGTERM', stop).off('SIGINT', stop);
      if (code === 0) resolve();
      else reject(new Error(`${line} ended with ${signal ?? code}`));
    });
    ready?.(child);
  });
}

/** Ctrl-C in the terminal once the demo is there. */
async function startAndStop(machine, directory, line) {
  const ended = new AbortController();
  let seen = null;
  const ready = (child) => {
    seen = demoAnswers(port, 15 * minute, ended.signal).then(
      () => child.stdin.write('\x03'),
      (error) => {
        child.kill('SIGKILL');
        throw error;
      },
    );
    seen.catch(() => undefined);
  };
  const environment = process.env.PORT === undefined ? '' : `export PORT=${port}; `;
  const running = session(machine, directory, `${environment}${line}`, { terminal: true, ready });
  try {
    await running;
  } finally {
    ended.abort(new Error(`${line} ended before the demo was there`));
  }
  await seen;
}

/** The files of the machine: path → how it is. Without folders of the system and the temporary one. */
function listFiles(machine) {
  const found = new Map();
  const visit = (path) => {
    for (const name of readdirSync(join(machine, path))) {
      const inner = `${path}/${name}`;
      if (['/proc', '/dev', '/sys', '/tmp', '/srv/repository.git'].includes(inner)) continue;
      const stat = lstatSync(join(machine, inner));
      found.set(inner, `${stat.mode} ${stat.uid} ${stat.isDirectory() ? '' : `${stat.size} ${stat.mtimeMs}`}`);
      if (stat.isDirectory() && dirname(inner) !== user.home) visit(inner);
    }
  };
  visit('');
  return found;
}

/** Throws with what was written outside the clones and npm's folder. */
function compare(before, after, clones) {
  const paths = new Set([...before.keys(), ...after.keys()]);
  const own = new Set(['.npm', ...clones].map((name) => `${user.home}/${name}`));
  const changed = [...paths].filter((path) => before.get(path) !== after.get(path) && !own.has(path));
  if (changed.length > 0) throw new Error(`written outside the clone: ${changed.join(', ')}`);
}

/** Throws where a test failed or was not run. */
function checkTests(machine) {
  const file = join(machine, 'tmp', reports.CEMM_TEST_SUMMARY);
  if (!existsSync(file)) {
    if (positionals.length > 0) return;
    throw new Error('no test was run');
  }
  for (const suite of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    const { passed, failed, skipped } = JSON.parse(suite);
    console.log(`── ${passed} passing, ${failed} failing, ${skipped} pending`);
    if (failed > 0 || skipped > 0 || passed === 0) throw new Error('a test failed, or was not run');
  }
}

/** Adds what the tests reported to the files of this run. */
function report(machine) {
  for (const [name, file] of Object.entries(reports)) {
    const from = join(machine, 'tmp', file);
    const to = process.env[name];
    if (to !== undefined && to !== '' && existsSync(from)) appendFileSync(to, readFileSync(from));
  }
}

/**
 * The public scorecard (`node-red-dev validate`, as shown on flows.nodered.org) of the packed tarball. Fails on every warning
 * except those named below. Needs dist/ (npm run build) and the npm registry. The last line counts the checks;
 * CEMM_TEST_SUMMARY gets them too.
 */
import { execFile } from 'node:child_process';
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const project = join(dirname(fileURLToPath(import.meta.url)), '../..');

const allowed = new Map([
  [
    'P04 New Packages should use a scoped name',
    'the package has the name that people look for, node-red-contrib-…; the check itself passes',
  ],
]);

/** Two checks of names need the list of all published nodes. If it is not available, they say so and pass. */
const catalogueFallback = `
const Module = require('node:module');
const load = Module._load;
Module._load = function (id, ...rest) {
  const loaded = load.call(this, id, ...rest);
  if (id !== 'axios' || !loaded.get || loaded.isWatched) return loaded;
  const get = loaded.get.bind(loaded);
  loaded.isWatched = true;
  loaded.get = (url, options) =>
    String(url).includes('catalogue.nodered.org')
      ? get(url, { timeout: 15000, ...options }).catch(() => {
          console.error('CATALOGUE UNREACHABLE');
          return { data: { modules: [] } };
        })
      : get(url, options);
  return loaded;
};
`;

const folder = await mkdtemp(join(tmpdir(), 'cemm-scorecard-'));
try {
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: project });
  const [{ filename }] = JSON.parse(stdout);
  await run('tar', ['-xzf', join(folder, filename), '-C', folder]);
  const problems = await judge(await validate(join(folder, 'package')));
  for (const problem of problems) console.error(`scorecard: ${problem}`);
  process.exitCode = problems.length > 0 ? 1 : 0;
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function validate(packageDir) {
  const stub = join(folder, 'catalogue-fallback.cjs');
  const card = join(folder, 'card.json');
  await writeFile(stub, catalogueFallback);
  // The package is named apart, because an npx around this script passes its own on (npm_config_package).
  const tool = ['--yes', '--package', 'node-red-dev@0.1.6', '--', 'node-red-dev', 'validate'];
  const said = await run('npx', [...tool, '-p', packageDir, '-o', card], {
    cwd: folder,
    timeout: 300_000,
    env: { ...process.env, NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --no-deprecation --require ${stub}` },
  });
  return {
    text: `${said.stdout}\n${said.stderr}`,
    card: JSON.parse(await readFile(card, 'utf8')),
    manifest: JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8')),
  };
}

/** Returns the problems. The tool exits with status 0 in any case, so its output is read. */
async function judge({ text, card, manifest }) {
  const checks = Object.entries(card).filter(([id]) => id !== 'package');
  const failed = checks.filter(([, { test }]) => test !== true).map(([id]) => `check ${id} fails`);
  const warnings = [...text.matchAll(/Warning: (.*)/g)].map(([, warning]) => warning.trim());
  const unread = text.includes('Unable to parse') ? ['a node’s HTML could not be read, so its checks are empty'] : [];
  // Nodes that the tool missed would pass every check. Config nodes need no example and are not listed.
  const seen = card.N02?.nodes ?? [];
  const unseen = Object.keys(manifest['node-red'].nodes).filter(
    (type) => type !== 'cemm-connection' && !seen.includes(type),
  );
  const problems = [
    ...failed,
    ...warnings.filter((warning) => !allowed.has(warning)),
    ...unread,
    ...unseen.map((type) => `the node ${type} was not seen`),
    ...(checks.length < 12 ? [`only ${checks.length} checks were made`] : []),
  ];
  for (const warning of warnings.filter((one) => allowed.has(one))) {
    console.log(`scorecard: allowed: ${warning} (${allowed.get(warning)})`);
  }
  if (text.includes('CATALOGUE UNREACHABLE')) {
    console.log('scorecard: the catalogue of nodes is out of reach, so the uniqueness of names was not checked');
  }
  const failures = Math.min(problems.length, checks.length);
  console.log(`scorecard: ${checks.length - failures} passed, ${problems.length} failed`);
  await appendSummary({ passed: checks.length - failures, failed: problems.length, skipped: 0 });
  return problems;
}

async function appendSummary(summary) {
  const file = process.env.CEMM_TEST_SUMMARY;
  if (file) await appendFile(file, `${JSON.stringify(summary)}\n`);
}

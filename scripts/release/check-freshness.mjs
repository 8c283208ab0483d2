/**
 * Fails if a runtime dependency is more than a minor version behind its newest release: fixes of vulnerabilities come in new
 * releases, and not every registry supports `npm audit`. Also fails, with npm's message, if the registry does not answer. The
 * last line counts the dependencies; CEMM_TEST_SUMMARY gets them too.
 */
import { execFile } from 'node:child_process';
import { appendFile, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const project = join(dirname(fileURLToPath(import.meta.url)), '../..');

const { dependencies } = JSON.parse(await readFile(join(project, 'package.json'), 'utf8'));
const problems = (await Promise.all(Object.entries(dependencies).map(problemOf))).filter((text) => text !== null);
for (const problem of problems) console.error(`freshness: ${problem}`);
const failed = problems.length;
const passed = Object.keys(dependencies).length - failed;
const { CEMM_TEST_SUMMARY: summary } = process.env;
if (summary) await appendFile(summary, `${JSON.stringify({ passed, failed, skipped: 0 })}\n`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

/** Null if there is no problem. */
async function problemOf([name, version]) {
  const have = numbersOf(version);
  if (have === null) return `${name} has no exact version in package.json, but ${version}`;
  try {
    const { stdout } = await run('npm', ['view', name, 'version', '--json'], { cwd: project, timeout: 60_000 });
    const newest = numbersOf(JSON.parse(stdout));
    if (newest === null) return `the registry gives no version of ${name}, but ${stdout.trim()}`;
    const isBehind = newest.major > have.major || (newest.major === have.major && newest.minor > have.minor + 1);
    return isBehind ? `${name} ${version} is behind ${JSON.parse(stdout)}: update it` : null;
  } catch (error) {
    return `the registry cannot be asked about ${name}: ${String(error.stderr || error.message).trim()}`;
  }
}

function numbersOf(version) {
  const [, major, minor] = /^(\d+)\.(\d+)\.\d+/.exec(String(version)) ?? [];
  return minor === undefined ? null : { major: Number(major), minor: Number(minor) };
}

/**
 * Findings of publint and attw (arethetypeswrong.github.io) about a tarball: whether every kind of bundler, of Node.js and of TypeScript
 * can use it. Needs no network. `node scripts/release/check-package.mjs FILE.tgz` prints the problems, and ends with 1 if there is one.
 */
import { readFileSync } from 'node:fs';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { problemKindInfo } from '@arethetypeswrong/core/problems';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

const file = process.argv[2];
if (file === undefined) {
  console.error('Name a tarball, as npm pack makes it.');
  process.exit(2);
}
// A copy, because a small file shares its buffer with others.
const bytes = new Uint8Array(readFileSync(file));
const { messages, pkg } = await publint({ pack: { tarball: bytes.buffer }, strict: true });
const lint = messages.map((message) => `publint: ${formatMessage(message, pkg, { color: false }) ?? message.code}`);

const types = await checkPackage(createPackageFromTarballData(bytes));
const wrong =
  types.types === false
    ? ['attw: the package has no types']
    : types.problems.map((problem) => {
        const { entrypoint = '', resolutionKind = '' } = problem;
        return `attw: ${entrypoint} ${resolutionKind} ${problemKindInfo[problem.kind].title}`;
      });

const problems = [...lint, ...wrong];
for (const problem of problems) console.log(problem);
if (problems.length === 0) console.log(`${pkg.name} ${pkg.version}: publint and attw find no problem.`);
process.exitCode = problems.length > 0 ? 1 : 0;

/**
 * `node scripts/release/release-notes.mjs v1.2.3`: prints the section of the changelog for a tag. Fails if the tag is not the version
 * in package.json, or the changelog has no section for it, an empty one, or one that says "unreleased". With `--dist-tag` in
 * front of the tag it prints npm's dist-tag instead: `next` for a version such as 1.0.0-beta.1.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = process.env.CEMM_RELEASE_ROOT ?? join(import.meta.dirname, '../..');
const tag = process.argv.at(-1) ?? '';
const version = tag.replace(/^v/, '');

try {
  const { version: own } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  if (tag !== `v${own}`) throw new Error(`The tag is ${tag}, but package.json has the version ${own}.`);
  const notes = notesOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'));
  if (process.argv.includes('--dist-tag')) console.log(version.includes('-') ? 'next' : 'latest');
  else console.log(notes);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

function notesOf(changelog) {
  const section = changelog.split(/^## /m).find((part) => part.split(/\s/, 1)[0] === version);
  if (section === undefined) throw new Error(`CHANGELOG.md has no section ${version}.`);
  const [heading, ...lines] = section.split('\n');
  if (heading.includes('unreleased'))
    throw new Error(`CHANGELOG.md says that ${version} is unreleased: write the date.`);
  const notes = lines.join('\n').trim();
  if (notes === '') throw new Error(`The section ${version} of CHANGELOG.md is empty.`);
  return notes;
}

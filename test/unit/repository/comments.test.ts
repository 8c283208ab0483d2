/** Comments are statements with the subject first, `@throws` names its class in braces, and constants are in camelCase. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import 'should';

const root = path.resolve(__dirname, '../../..');

const rules: Readonly<Record<string, RegExp>> = {
  'begin a comment with its subject': /^\s*(?:\/\*\*?|\/\/|\*) *(?:What|Of|Where|Those|How|Whether|Whose)\b/,
  'write the class of @throws in braces': /@throws (?!\{\w+\})/,
  'name a constant in camelCase': /^(?:export )?const [A-Z][A-Z0-9_]+\b/,
};

function sources(folder: string): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .filter((file) => /\.(?:ts|mjs|cjs)$/.test(file));
}

describe('comments and names', () => {
  for (const [rule, broken] of Object.entries(rules)) {
    it(rule, () => {
      const places = ['src', 'nodes', 'bench', 'scripts'].flatMap(sources).flatMap((file) => {
        const lines = readFileSync(path.join(root, file), 'utf8').split('\n');
        return lines.flatMap((line, index) => (broken.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : []));
      });
      places.should.eql([]);
    });
  }
});

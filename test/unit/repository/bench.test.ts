/** `npm run bench` loads modules of the source by their paths, which no compiler checks. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import 'should';

const root = path.resolve(__dirname, '../../..');

describe('the benchmarks', () => {
  it('load modules that exist, of the types that they name', () => {
    const files = readdirSync(path.join(root, 'bench'), { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.ts'),
    );
    let loaded = 0;
    for (const file of files) {
      const text = readFileSync(path.join(root, 'bench', file), 'utf8');
      for (const [, type = '', module = ''] of text.matchAll(/shipped<typeof (\w+)>\('([^']+)'\)/g)) {
        loaded += 1;
        existsSync(path.join(root, 'src', `${module}.ts`)).should.be.true(`${file}: ${module}`);
        text.should.match(
          new RegExp(`import type \\* as ${type} from '(?:\\.\\./)+src/${module}'`),
          `${file}: ${type}`,
        );
      }
    }
    loaded.should.be.above(10);
  });
});

import { SourceMap } from 'node:module';
import should from 'should';
import ts from 'typescript';
import { toLineMap } from '../../../scripts/build/source-map';

interface Map3 {
  file: string;
  version: number;
  sources: string[];
  names: string[];
  mappings: string;
}

describe('source maps of the build', () => {
  const source = Array.from(
    { length: 60 },
    (_, index) =>
      `// line\n\ninterface Gone${index} { a: string }\nexport const f${index} = (x: number): number => x * ${index};`,
  ).join('\n');
  const { sourceMapText = '', outputText } = ts.transpileModule(source, {
    compilerOptions: { sourceMap: true, removeComments: true, module: ts.ModuleKind.CommonJS },
  });
  const full = JSON.parse(sourceMapText) as Map3;
  const coarse = JSON.parse(toLineMap(sourceMapText)) as Map3;
  const lineOf = (map: Map3, line: number): unknown =>
    Reflect.get(new SourceMap({ ...map, sourcesContent: [], sourceRoot: '' }).findEntry(line, 500), 'originalLine');

  it('lead each line to the line that the full map names', () => {
    const lines = outputText.split('\n').length - 1;
    lines.should.be.above(60);
    const code = outputText.split('\n');
    code.forEach((text, line) => {
      if (/^const f\d+|^exports\.f\d+ = f/.test(text)) should(lineOf(coarse, line)).equal(lineOf(full, line), text);
    });
    const last = code.findIndex((text) => text.startsWith('const f59'));
    should(lineOf(coarse, last)).equal(source.split('\n').findIndex((text) => text.includes('const f59')));
  });

  it('are a fraction of the full ones', () => {
    coarse.mappings.length.should.be.below(full.mappings.length / 2);
    coarse.sources.should.deepEqual(full.sources);
  });
});

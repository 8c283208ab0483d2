import 'should';
import { readFileSync } from 'node:fs';
import { assistantFiles, assistantsPage } from '../../../scripts/build-assistants';

describe('the page for language models', () => {
  for (const file of assistantFiles) {
    it(`${file.split('/').at(-1) ?? ''} is what the nodes say: npx tsx scripts/build-assistants.ts`, () => {
      readFileSync(file, 'utf8').should.equal(assistantsPage());
    });
  }

  it('is short enough to be read in one piece', () => {
    assistantsPage().length.should.be.below(24_000);
  });
});

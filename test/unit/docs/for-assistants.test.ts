import 'should';
import { readFileSync } from 'node:fs';
import { assistantsFile, assistantsPage } from '../../../scripts/build-assistants';

describe('the page for language models', () => {
  it('is what the nodes say: npx tsx scripts/build-assistants.ts', () => {
    readFileSync(assistantsFile, 'utf8').should.equal(assistantsPage());
  });

  it('is short enough to be read in one piece', () => {
    assistantsPage().length.should.be.below(28_000);
  });
});

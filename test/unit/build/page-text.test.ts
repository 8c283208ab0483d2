/** The text that a ui-template gets. */
import path from 'node:path';
import 'should';
import { colours } from '../../../nodes/lib/colours';
import { pageText } from '../../../scripts/build/page';

const root = path.resolve(__dirname, '../../..');

describe('the text of the page', function () {
  this.timeout(120_000);

  it('names properties as the messages and the template do', async () => {
    const text = await pageText(root);
    const [, template = ''] = /<template>([^]*)<\/template>/.exec(text) ?? [];
    const [, script = ''] = /<script>([^]*)<\/script>/.exec(text) ?? [];
    const names = new Set(
      [...template.matchAll(/\b(?:drawn|card|chart|tile|one|bar)\.(\w+)/g)].map(([, name = '']) => name),
    );
    names.size.should.be.above(40);
    // What is read of a balance.
    for (const name of ['values', 'coverage', 'missing', 'bills', 'timezone']) names.add(name);
    [...names].filter((name) => !new RegExp(`\\b${name}\\b`).test(script)).should.eql([]);
  });

  it('has the colours of the charts', async () => {
    const text = await pageText(root);
    for (const colour of Object.values(colours)) text.should.containEql(colour);
    text.should.not.containEql('COLOUR');
  });
});

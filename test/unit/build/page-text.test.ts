/** The text that a ui-template gets. */
import path from 'node:path';
import 'should';
import { colours } from '../../../nodes/lib/colours';
import { pageText } from '../../../scripts/build/page';

const root = path.resolve(__dirname, '../../..');

describe('the text of the page', function () {
  this.timeout(120_000);

  it('has the same short names in template and script', async () => {
    const text = await pageText(root);
    const [, template = '', script = ''] = /<template>([^]*)<\/template>\s*<script>([^]*)<\/script>/.exec(text) ?? [];
    const [, tile = ''] = /tile in card\.(\w+)/.exec(template) ?? [];
    tile.should.not.equal('tiles');
    script.should.match(new RegExp(`[{,]${tile}:\\[\\]`)).and.not.match(/\btiles\b/);
  });

  it('has the colours of the charts', async () => {
    const text = await pageText(root);
    for (const colour of Object.values(colours)) text.should.containEql(colour);
    text.should.not.containEql('COLOUR');
  });
});

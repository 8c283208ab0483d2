/** The page of the demo in WebKit, on a phone: every view has numbers, nothing is wider than the screen, the bar is at the bottom. */
import { join } from 'node:path';
import should from 'should';
import { views } from '../../../nodes/cemm-page/page/messages';
import { WebKit } from '../../support/browser/webkit';
import { projectDir } from '../../support/node-red/installed-package';
import { NodeRed } from '../../support/node-red/node-red';
import { pageFlow } from '../../support/page/page-flow';
import { until } from '../../support/until';

describe('the page in WebKit', function () {
  this.timeout(600_000);
  let nodeRed: NodeRed;
  let webkit: WebKit;

  before(async () => {
    nodeRed = await NodeRed.start({ flows: pageFlow(), modules: ['@flowfuse/node-red-dashboard'] });
    webkit = await WebKit.open(430, 860);
    console.log(`      WebKitGTK ${webkit.version}`);
    await webkit.visit(`${nodeRed.url}/dashboard/energy`);
    await until('the house', async () => /\d\s?k?W/.test(await text('.cemm-page')), 120_000);
  });

  after(async () => {
    await webkit.close();
    await nodeRed.stop();
  });

  async function text(selector: string): Promise<string> {
    const script = `return [...document.querySelectorAll(${JSON.stringify(selector)})].map((one) => one.innerText).join('\\n');`;
    return String(await webkit.run(script));
  }

  for (const view of views) {
    it(`shows the view ${view}`, async () => {
      await webkit.run(`document.querySelector('.cemm-page [data-view="${view}"]').click();`);
      await until(
        'its numbers',
        async () => /\d/.test(await text('.cemm-page .cards .big, .cemm-page .flow')) && (await text('.state')) === '',
        300_000,
      );
      const [wide, screen, top, bottom, height, isOnTop] = (await webkit.run(
        `const bar = document.querySelector('.cemm-page nav');
        const { top, bottom } = bar.getBoundingClientRect();
        return [document.documentElement.scrollWidth, innerWidth, top, bottom, innerHeight, bar.matches(':popover-open')];`,
      )) as [number, number, number, number, number, boolean];
      await webkit.picture(join(projectDir, `test-results/webkit/${view}.png`));
      should(wide).be.belowOrEqual(screen);
      should(isOnTop).be.true();
      should(bottom).equal(height);
      should(height - top).be.within(40, 80);
    });
  }
});

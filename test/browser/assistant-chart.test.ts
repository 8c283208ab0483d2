/** The chart that the page for language models shows, as a viewer sees it. */
import 'should';
import { assistantFlows } from '../../scripts/docs/assistant-flows';
import { Browser } from '../support/browser/browser';
import { hasCurves } from '../support/first-hour/canvas';
import { NodeRed } from '../support/node-red/node-red';
import { until } from '../support/until';

describe('the chart of the page for language models', function () {
  this.timeout(150_000);

  it('draws import and export of today', async () => {
    const flow = assistantFlows.find(({ nodes }) => nodes.some(({ type }) => type === 'ui-chart'));
    if (flow === undefined) throw new Error('no flow has a chart');
    const clock = '2026-06-18T16:40:00+02:00';
    const nodeRed = await NodeRed.start({
      modules: ['@flowfuse/node-red-dashboard'],
      env: { CEMM_TEST_CLOCK: clock },
      flows: flow.nodes,
    });
    const browser = await Browser.open({ clock });
    try {
      await browser.page.goto(`${nodeRed.url}/dashboard/today`, { waitUntil: 'domcontentloaded' });
      await until('two curves', () => hasCurves(browser.page, 2));
      browser.outside.should.be.empty();
    } finally {
      await browser.close();
      await nodeRed.stop();
    }
  });
});

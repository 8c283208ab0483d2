/** "Record the next ten deliveries" in the dialog of a webhook node. */
import should from 'should';
import type { Page } from 'playwright-core';
import { readReport } from '../../src/report/read-report';
import { Browser } from '../support/browser/browser';
import { cancelDialog, isInView, openDialog, openEditor } from '../support/browser/dialogs';
import { NodeRed } from '../support/node-red/node-red';
import { until } from '../support/until';
import { credentials, key, webhookFlow } from '../support/webhook/flows';
import { delivery, post } from '../support/webhook/sending';

const node = { id: 'hook', type: 'cemm-webhook-in' };

describe('the recording of deliveries @node-red-5-daily', function () {
  this.timeout(120_000);
  let nodeRed: NodeRed;
  let browser: Browser;
  let page: Page;

  before(async () => {
    nodeRed = await NodeRed.start({ flows: webhookFlow(), credentials });
    browser = await Browser.open({ width: 1366, height: 768 });
    page = await openEditor(browser, nodeRed.url);
  });

  after(async () => {
    browser.errors.should.be.empty();
    await browser.close();
    await nodeRed.stop();
  });

  const status = () => page.locator('#cemm-webhook-record-status');

  it('counts, continues while the dialog is closed, and shows the report in view', async () => {
    await openDialog(page, node);
    await page.click('summary:has-text("Report of your monitor")');
    await status().filter({ hasText: 'Nothing is recorded.' }).waitFor();
    await page.click('#cemm-webhook-record');
    await status().filter({ hasText: 'Deliveries so far: 0.' }).waitFor();
    await cancelDialog(page);
    for (let sent = 0; sent < 2; sent += 1) await post({ url: `${nodeRed.url}/cemm`, key }, delivery());
    await openDialog(page, node);
    await page.click('summary:has-text("Report of your monitor")');
    await status().filter({ hasText: 'Deliveries so far: 2.' }).waitFor();
    await page.click('#cemm-webhook-make-report');
    await page.locator('.cemm-report-save').waitFor();
    await until('the button in view', () => isInView(page, '.cemm-report-save'));
    const shown = await page.inputValue('.cemm-file');
    shown.should.not.match(/24000001/);
    should(readReport(shown).deliveries.length).equal(2);
    await browser.picture('webhook-recording', '.red-ui-tray');
    await cancelDialog(page);
  });
});

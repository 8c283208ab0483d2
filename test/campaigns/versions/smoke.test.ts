/** The package on one version of Node.js and Node-RED: start, every example, a webhook, and a redeploy. `npm run campaign -- versions`. */
import should from 'should';
import { complaints, deployEveryExample } from '../../support/node-red/import-menu';
import { freePort, NodeRed } from '../../support/node-red/node-red';
import { credentials, key, listReadingValues, webhookFlow } from '../../support/webhook/flows';
import { delivery, post, valueIn } from '../../support/webhook/sending';

describe(`the package on Node.js ${process.versions.node}`, function () {
  this.timeout(300_000);
  let nodeRed: NodeRed;

  before(async () => {
    nodeRed = await NodeRed.start({
      modules: ['@flowfuse/node-red-dashboard'],
      env: { CEMM_RECEIVER_PORT: String(await freePort()) },
    });
  });

  after(async () => {
    await nodeRed.stop();
  });

  it('runs on the Node.js of this process', async () => {
    const settings = (await (await nodeRed.admin('/settings')).json()) as { version: string };
    should(settings.version).match(/^[45]\./);
    should(nodeRed.log).containEql(`v${process.versions.node}`);
  });

  it('deploys every example without an error', async () => {
    should((await deployEveryExample(nodeRed)).length).be.above(10);
    should(complaints(nodeRed.log)).be.empty();
  });

  it('receives deliveries before and after a redeploy', async () => {
    const bodies = [delivery(), delivery()];
    for (const body of bodies) {
      await nodeRed.deploy(webhookFlow(), 'full', credentials);
      should((await post({ url: `${nodeRed.url}/cemm`, key }, body)).status).equal(200);
    }
    should(listReadingValues(await nodeRed.waitForMessages('deliveries', 2))).eql(bodies.map(valueIn));
  });
});

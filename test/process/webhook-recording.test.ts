/** The recording of deliveries for a report, by a node in a whole Node-RED: what it keeps, when it ends, and what leaves. */
import should from 'should';
import { adminRoutes } from '../../nodes/cemm-webhook-in/config';
import { readReport } from '../../src/report/read-report';
import { NodeRed } from '../support/node-red/node-red';
import { credentials, key, listReadingValues, webhookFlow } from '../support/webhook/flows';
import { delivery, post, valueIn, type Sender } from '../support/webhook/sending';

const headerKey = 'electric_energy_export';
const flow = webhookFlow({ header: true, headerName: 'X-Token' });
const keys = { hook: { ...credentials.hook, headerKey } };

describe('a recording of deliveries', function () {
  this.timeout(120_000);
  let nodeRed: NodeRed;
  let sender: Sender;

  before(async () => {
    nodeRed = await NodeRed.start({ flows: flow, credentials: keys });
    sender = { url: `${nodeRed.url}/cemm`, key, headers: { 'X-Token': headerKey, 'X-Owner': 'Jansen' } };
  });

  after(async () => {
    await nodeRed.stop();
  });

  async function ask(route: keyof typeof adminRoutes, more: object = {}) {
    const response = await nodeRed.admin(`/${adminRoutes[route]}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'X-CEMM-Request': 'test' },
      body: JSON.stringify({ id: 'hook', ...more }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  const state = async () => (await ask('record')).body;

  async function send(count: number): Promise<number[]> {
    const bodies = Array.from({ length: count }, () => delivery({ owner: 'Jansen' }));
    for (const body of bodies) (await post(sender, body)).status.should.equal(200);
    return bodies.map(valueIn);
  }

  it('keeps nothing before it is started', async () => {
    await send(1);
    (await state()).should.eql({ isRecording: false, count: 0 });
    (await ask('report')).body.should.eql({ isRecording: false, count: 0, file: null });
  });

  it('keeps authentic deliveries only, passes them on, and ends after ten', async () => {
    (await ask('record', { start: true })).body.should.eql({ isRecording: true, count: 0 });
    const sent = await send(9);
    (await post({ ...sender, key: 'another key' }, delivery())).status.should.equal(401);
    (await ask('record', { start: true })).body.should.eql({ isRecording: true, count: 9 });
    sent.push(...(await send(2)));
    (await state()).should.eql({ isRecording: false, count: 10 });
    const arrived = await nodeRed.waitFor('deliveries', (all) =>
      sent.every((value) => listReadingValues(all).includes(value)),
    );
    listReadingValues(arrived).should.containDeep(sent);
  });

  it('makes a report of them with new signatures, and without keys, names and numbers', async () => {
    const { body } = await ask('report');
    const file = String(body['file']);
    const { mode, timezone, deliveries } = readReport(file);
    should([mode, timezone, deliveries.length]).eql(['webhook', 'Europe/Amsterdam', 10]);
    for (const secret of [key, headerKey, 'Jansen', '24000001']) file.should.not.containEql(secret);
    deliveries[0]?.headers.should.containDeep({ 'x-signature': '…', other: '…', 'content-type': 'application/json' });
    should(deliveries[0]?.signature).match(/^[0-9a-f]{128}$/);
  });

  it('ends with the next deploy, which forgets what was recorded', async () => {
    (await ask('record', { start: true })).body.should.eql({ isRecording: true, count: 0 });
    await send(2);
    await nodeRed.deploy(flow, 'full', keys);
    await send(1);
    (await state()).should.eql({ isRecording: false, count: 0 });
  });

  it('needs a deployed node', async () => {
    (await ask('record', { id: 'nobody' })).body.should.eql({ isRecording: false, count: 0 });
    const refused = { status: 404, body: { error: 'not_deployed' } };
    should(await ask('record', { id: 'nobody', start: true })).eql(refused);
    should(await ask('report', { id: 'nobody' })).eql(refused);
  });
});

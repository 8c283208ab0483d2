/** Six flows that were written from docs/for-assistants.md alone: they are deployed as they are, and do what was asked for. */
import should from 'should';
import type { BalancePayload } from '../../src/model/payload';
import { writtenFlows } from '../support/assistants/written-flows';
import { findingsIn } from '../support/check-flow/checked-flows';
import { collector, NodeRed, type FlowNode } from '../support/node-red/node-red';
import { key } from '../support/webhook/flows';
import { delivery, post } from '../support/webhook/sending';
import { until } from '../support/until';

const flows = Object.values(writtenFlows);
/** Node-RED's clock at its start. */
const afternoon = '2026-06-18T16:40:00+02:00';

const signedNow = (): Buffer => delivery({ time: Date.parse(afternoon) / 1000 });

/** With a collector in place of each debug node. */
function watched(node: FlowNode): FlowNode[] {
  return node.type === 'debug' ? collector(node.id, String(node['z'])) : [node];
}

describe('flows written from the page for language models', function () {
  this.timeout(180_000);
  let nodeRed: NodeRed;

  before(async () => {
    nodeRed = await NodeRed.start({
      modules: ['@flowfuse/node-red-dashboard'],
      env: { CEMM_TEST_CLOCK: afternoon, 'CEMM_KEY_house-1': key },
    });
    const nodes = new Map(flows.flatMap(({ nodes }) => nodes.flatMap(watched)).map((node) => [node.id, node]));
    await nodeRed.deploy([...nodes.values()]);
  });

  after(async () => {
    await nodeRed.stop();
  });

  async function answer(id: string, start?: string): Promise<unknown> {
    if (start !== undefined) await nodeRed.inject(start);
    const [message] = await nodeRed.waitForMessages(id, 1);
    return message?.payload;
  }

  it('are six, and cemm-check-flow finds nothing in them', () => {
    flows.should.have.length(6);
    for (const { task, nodes } of flows) findingsIn(nodes).should.eql([], task);
  });

  it(writtenFlows.bars.task, async () => {
    const points = (await answer('bars-seen')) as { series: string; label: string; value: number }[];
    should(new Set(points.map(({ series }) => series)).size).equal(2);
    should(points.filter(({ label, value }) => label.endsWith('Jun') && value > 0).length).be.above(15);
  });

  it(writtenFlows.bill.task, async () => {
    should(await answer('bill-seen', 'bill-start')).match(/^2026-06: -?\d+\.\d\d EUR, peak \d+\.\d kW$/);
  });

  it(writtenFlows.table.task, async () => {
    const lines = String(await answer('table-seen', 'table-start'))
      .trim()
      .split('\n');
    should(lines[0]).equal('ts,meter,field,value,unit');
    should(lines.filter((line) => /^\d+,p1,energy_net_kwh,-?\d+(?:\.\d+)?,kWh$/.test(line)).length).equal(31);
  });

  it(writtenFlows.fleet.task, async () => {
    const url = `${nodeRed.url}/cemm/house-1`;
    await until('the route', async () => (await post({ url, key }, signedNow())).status === 200);
    should(await answer('fleet-seen')).equal('house-1');
    (await post({ url: `${nodeRed.url}/cemm/house-2`, key }, signedNow())).status.should.equal(401);
    should(await answer('fleet-problem')).have.property('reason', 'bad_signature');
  });

  it(writtenFlows.metrics.task, async () => {
    const response = await fetch(`${nodeRed.url}/p1-metrics`);
    response.status.should.equal(200);
    (await response.text()).should.match(/^cemm_power_w\{monitor="[0-9a-f]{12}",meter="p1"\} -?\d/m);
  });

  it(writtenFlows.question.task, async () => {
    const payload = (await answer('question-seen', 'question-start')) as BalancePayload & { question?: unknown };
    should(payload.question).equal('yesterday');
    should(payload.period?.label).equal('2026-06-17');
    should(payload.values['self_sufficiency']).be.within(0.05, 1);
  });

  it('cause no error', () => {
    nodeRed.log.should.not.match(/\[error\]/);
  });
});

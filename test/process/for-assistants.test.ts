/** The flows of docs/for-assistants.md, deployed like the output of a language model: they send the promised payloads. */
import should from 'should';
import { assistantFlows, type AssistantFlow, type FlowNode } from '../../scripts/docs/assistant-flows';
import { findingsIn } from '../support/check-flow/checked-flows';
import { collector, NodeRed } from '../support/node-red/node-red';
import { until } from '../support/until';
import { key } from '../support/webhook/flows';
import { delivery, post } from '../support/webhook/sending';

/** With collectors beside its first node and in place of its last one, and without a dashboard. */
function watched({ nodes, from }: AssistantFlow): FlowNode[] {
  const tab = nodes[0]?.id ?? '';
  const end = nodes.find(({ type }) => type === 'debug' || type === 'ui-chart')?.id ?? '';
  const wired = nodes.flatMap((node): FlowNode[] => {
    if (node.id === end || node.type.startsWith('ui-')) return [];
    const wires = (node['wires'] ?? []) as string[][];
    const ids = wires.map((to) => to.map((id) => (id === end ? `${tab}-end` : id)));
    const [first = [], ...others] = ids;
    const seen = node.id === from ? [[...first, `${tab}-seen`], ...others] : ids;
    return [node['wires'] === undefined ? node : { ...node, wires: seen }];
  });
  return [...wired, ...collector(`${tab}-seen`, tab), ...collector(`${tab}-end`, tab)];
}

describe('the flows for language models', function () {
  this.timeout(120_000);
  let nodeRed: NodeRed;

  before(async () => {
    nodeRed = await NodeRed.start({ env: { CEMM_HMAC_KEY: key } });
    const all = new Map(assistantFlows.flatMap(watched).map((node) => [node.id, node]));
    await nodeRed.deploy([...all.values()]);
  });

  after(async () => {
    await nodeRed.stop();
  });

  it('are ten, and cemm-check-flow finds nothing in them', () => {
    assistantFlows.should.have.length(10);
    for (const { title, nodes } of assistantFlows) findingsIn(nodes).should.eql([], title);
  });

  for (const flow of assistantFlows) {
    it(`${flow.title}: sends ${flow.kind}`, async () => {
      const { nodes, kind, ends } = flow;
      const tab = nodes[0]?.id ?? '';
      const inject = nodes.find(({ type }) => type === 'inject');
      if (inject !== undefined) await nodeRed.inject(inject.id);
      if (kind === 'webhook') {
        const url = `${nodeRed.url}/cemm/push`;
        await until('the route', async () => (await post({ url, key }, delivery())).status === 200);
      }
      const [sent] = await nodeRed.waitForMessages(`${tab}-seen`, 1);
      should(sent?.payload).have.property('kind', kind);
      const [shown] = await nodeRed.waitForMessages(`${tab}-end`, 1);
      if (ends === 'list') should(shown?.payload).be.an.Array().and.not.be.empty();
      else if (ends === 'number') should(shown?.payload).be.a.Number();
      else should(shown?.payload).have.property('kind', kind);
    });
  }

  it('cause no error', () => {
    nodeRed.log.should.not.match(/\[error\]/);
  });
});

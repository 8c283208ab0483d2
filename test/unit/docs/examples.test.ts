/** Static rules of every example: an explaining comment, all node types shown, and no foreign nodes. */
import should from 'should';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { balanceDefaults } from '../../../nodes/cemm-balance/config';
import { connectionDefaults } from '../../../nodes/cemm-connection/config';
import { discoveryDefaults } from '../../../nodes/cemm-discovery/config';
import { pageDefaults } from '../../../nodes/cemm-page/config';
import { formatDefaults } from '../../../nodes/cemm-format/config';
import { realtimeDefaults } from '../../../nodes/cemm-realtime/config';
import { seriesDefaults } from '../../../nodes/cemm-series/config';
import { totalsDefaults } from '../../../nodes/cemm-totals/config';
import { webhookInDefaults } from '../../../nodes/cemm-webhook-in/config';

interface FlowNode {
  readonly id: string;
  readonly type: string;
  readonly [property: string]: unknown;
}

const folder = path.resolve(__dirname, '../../../examples');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.json'));
const examples = new Map(
  files.map((file) => [file, JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as FlowNode[]]),
);

const stored: Readonly<Record<string, object>> = {
  'cemm-balance': balanceDefaults,
  'cemm-connection': connectionDefaults,
  'cemm-discovery': discoveryDefaults,
  'cemm-format': formatDefaults,
  'cemm-page': pageDefaults,
  'cemm-realtime': realtimeDefaults,
  'cemm-series': seriesDefaults,
  'cemm-totals': totalsDefaults,
  'cemm-webhook-in': webhookInDefaults,
};

/** Present in every Node-RED; a flow with any other type would not start at all. */
const core =
  /^(?:tab|global-config|comment|inject|debug|catch|status|function|switch|change|delay|trigger|join|csv|link in|link out|rbe|http in|http response|http request|mqtt in|mqtt out|mqtt-broker)$/;

/** Packages from others that an example may use. */
const packages = [
  { name: '@flowfuse/node-red-dashboard', version: '1.31.0', types: /^ui-/ },
  { name: 'node-red-contrib-home-assistant-websocket', version: '0.80.3', types: /^(?:ha-api|server)$/ },
];

/** One connection of all examples, so a change of it applies to all. */
const connectionId = 'cemm-demo-monitor';

/** The connection and the dashboard, which are the same in every example that has them. */
const sharedIds = new Set([connectionId, 'cemm-live-base', 'cemm-live-theme']);

describe('the examples as files', () => {
  it('show every node type', () => {
    const shown = new Set([...examples.values()].flat().map(({ type }) => type));
    Object.keys(stored)
      .filter((type) => !shown.has(type))
      .should.be.empty();
  });

  it('share no ids, so that several can be imported', () => {
    const ids = [...examples.values()].flat().flatMap(({ id }) => (sharedIds.has(id) ? [] : [id]));
    ids.should.have.length(new Set(ids).size);
  });

  it('bring the same connection, and the same dashboard where they bring one', () => {
    for (const id of sharedIds) {
      const copies = [...examples.values()].flatMap((flow) => flow.filter((node) => node.id === id));
      copies.length.should.be.above(1);
      for (const copy of copies) copy.should.eql(copies[0]);
    }
  });

  for (const [file, flow] of examples) {
    describe(file, () => {
      it('is explained in a comment and in the description of its tab', () => {
        const [comment] = flow.filter(({ type }) => type === 'comment');
        // A longer text than the canvas is wide would not be read.
        should(comment?.['name'])
          .be.a.String()
          .and.match(/^.{30,120}$/);
        String(comment?.['info']).length.should.be.above(100);
        should(flow.find(({ type }) => type === 'tab')?.['info'])
          .be.a.String()
          .and.not.equal('');
      });

      it('runs on the demo monitor', () => {
        const connections = flow.filter(({ type }) => type === 'cemm-connection');
        connections.map(({ mode }) => mode).should.eql(['demo']);
      });

      it('has the connection of all examples, without a name, so that the editor shows what it leads to', () => {
        flow
          .filter(({ type }) => type === 'cemm-connection')
          .map(({ id, name }) => [id, name])
          .should.eql([[connectionId, '']]);
        const used = flow.filter((node) => 'connection' in node).map(({ connection }) => connection);
        used.filter((id) => id !== connectionId && id !== '').should.be.empty();
      });

      it('says how to import another example', () => {
        String(flow.find(({ type }) => type === 'comment')?.['info']).should.containEql('"Import selected"');
      });

      it('follows the second output of a node that reports an outage or a problem', () => {
        const polls = ({ type, interval }: FlowNode): boolean => type === 'cemm-realtime' && Number(interval) > 0;
        for (const node of flow.filter((one) => polls(one) || one.type === 'cemm-webhook-in')) {
          const [, second = []] = node['wires'] as string[][];
          second.length.should.be.above(0, node.id);
        }
      });

      it('shows the sentence of an error in the debug sidebar', () => {
        const caught = new Set(
          flow.filter(({ type }) => type === 'catch').flatMap(({ wires }) => (wires as string[][]).flat()),
        );
        const errors = flow.filter(
          ({ id, type, complete }) => type === 'debug' && caught.has(id) && complete !== 'payload',
        );
        for (const { id, complete } of errors) should(complete).equal('error.message', id);
      });

      it('names the packages of others that it needs, so that Node-RED offers to install them', () => {
        const needed = packages.filter(({ types }) => flow.some(({ type }) => types.test(type)));
        flow
          .filter(({ type }) => type === 'global-config')
          .map(({ modules }) => modules)
          .should.eql(needed.map(({ name, version }) => ({ [name]: version })));
      });

      it('has nodes of ours, of the core, and of these packages only', () => {
        flow
          .map(({ type }) => type)
          .filter((type) => !(type in stored) && !core.test(type) && !packages.some(({ types }) => types.test(type)))
          .should.be.empty();
      });

      it('stores no property that our nodes do not have', () => {
        const place = ['id', 'type', 'x', 'y', 'z', 'wires'];
        for (const node of flow.filter(({ type }) => type in stored)) {
          const known = [...place, ...Object.keys(stored[node.type] ?? {})];
          const unknown = Object.keys(node).filter((key) => !known.includes(key));
          unknown.should.eql([], `${node.id} (${node.type})`);
        }
      });

      it('has short functions that say what they do, in their first line or their description', () => {
        for (const { id, func, info = '' } of flow.filter(({ type }) => type === 'function')) {
          const lines = String(func).split('\n');
          should(info === '' ? lines[0] : `// ${String(info)}`).match(/^\/\/ \S/, id);
          lines.length.should.be.belowOrEqual(28, id);
        }
      });

      it('wires to nodes that are there, and handles errors', () => {
        const ids = new Set(flow.map(({ id }) => id));
        const wired = flow.flatMap(({ wires = [] }) => (wires as string[][]).flat());
        wired.filter((id) => !ids.has(id)).should.be.empty();
        flow.some(({ type }) => type === 'catch').should.be.true();
      });
    });
  }
});

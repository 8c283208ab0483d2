/** An installation that lacks a dependency: the node names it, in the language of the user. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import should from 'should';
import { type FlowNode, NodeRed, tab } from '../../support/node-red/node-red';
import { until } from '../../support/until';

/** A webhook node, and a realtime node with a connection to a monitor that does not answer. */
function flow(language: string): FlowNode[] {
  return [
    tab(),
    { id: 'connection', type: 'cemm-connection', mode: 'local', host: '127.0.0.1:9', language },
    {
      id: 'realtime',
      type: 'cemm-realtime',
      z: 'flow',
      connection: 'connection',
      alias: 'p1',
      interval: 5,
      wires: [[], []],
    },
    { id: 'webhook', type: 'cemm-webhook-in', z: 'flow', path: '/cemm', allowUnsigned: true, wires: [[], []] },
  ];
}

describe('a dependency that is missing', function () {
  this.timeout(120_000);

  let userDir: string;
  let nodeRed: NodeRed;
  beforeEach(async () => {
    const whole = await NodeRed.start({ settings: "lang: 'nl'," });
    ({ userDir } = whole);
    await whole.stop({ keep: true });
  });
  afterEach(() => nodeRed.stop());

  async function startWithout(name: string, language: string): Promise<void> {
    await rm(join(userDir, 'node_modules', name), { recursive: true });
    nodeRed = await NodeRed.start({ userDir, flows: flow(language) });
  }

  const says = async (type: string, sentence: string): Promise<void> => {
    await until(`${type} says it`, () => nodeRed.log.includes(`[cemm-${type}:`) && nodeRed.log.includes(sentence));
    const line = nodeRed.log.split('\n').find((one) => one.includes(`[cemm-${type}:`) && one.includes(sentence));
    should(line).match(/\[error\]/);
    should(nodeRed.log).not.match(/fout in het pakket zelf|Fehler im Paket selbst|Cannot find module/);
  };

  it('of the clients is named in the language of the connection', async () => {
    await startWithout('axios', 'de');
    await says('realtime', 'Das Paket axios fehlt oder ist unvollständig. Installieren Sie node-red-contrib-cemm neu.');
  });

  for (const name of ['ipaddr.js', 'secure-json-parse']) {
    it(`of the nodes, ${name}, is named by each of them in the language of Node-RED, which starts`, async () => {
      await startWithout(name, '');
      const sentence = `Het pakket ${name} ontbreekt of is niet compleet. Installeer node-red-contrib-cemm opnieuw.`;
      await says('realtime', sentence);
      await says('webhook-in', sentence);
    });
  }
});

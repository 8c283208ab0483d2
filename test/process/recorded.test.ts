/**
 * Flows with every stored property set, and the recorded messages of their nodes: the same flows send the same messages in
 * every later version, byte for byte, apart from the time a request took and whether it had to be repeated. `CEMM_RECORD=1 npx mocha
 * test/process/recorded.test.ts` records anew, for an intended change of the payload.
 * Those of `usage` and of the role consumption are of the last commit before the table of meters.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import should from 'should';
import type { Simulator } from '../../src/simulator/simulator';
import { freePort, NodeRed, tab } from '../support/node-red/node-red';
import {
  collectSent,
  comparableMessage,
  nodesOfFlow,
  recordedConnection,
  type RecordedFlow,
  recordedKey,
  type Sent,
  startRecordedMonitor,
  stillClock,
  withoutRepeats,
  writeRecorded,
} from '../support/node-red/recorded-flow';
import { key } from '../support/webhook/flows';
import { post } from '../support/webhook/sending';

const folder = join(__dirname, '../recorded');
const begun = Date.now();

const flows = JSON.parse(readFileSync(join(folder, 'flows.json'), 'utf8')) as RecordedFlow[];

describe('recorded flows in a whole Node-RED @node-red-5', function () {
  this.timeout(240_000);
  let nodeRed: NodeRed;
  let simulator: Simulator;
  let ownPort: number;
  const sent: Record<string, Sent[]> = {};

  before(async () => {
    simulator = await startRecordedMonitor();
    const connections = (['remote', 'local', 'public'] as const).map((mode) => recordedConnection(mode, simulator));
    ownPort = await freePort();
    // The names in a chart are in the language of Node-RED.
    nodeRed = await NodeRed.start({
      settings: "lang: 'en-US',",
      env: { RECORDED_PORT: String(ownPort), ...stillClock },
    });
    await nodeRed.deploy([tab(), ...connections, ...flows.flatMap(nodesOfFlow)], 'full', {
      'recorded-remote': { apiKey: recordedKey },
      ...Object.fromEntries(
        flows
          .filter(({ message }) => message === null)
          .map(({ name }) => [name, { hmacKey: key, headerKey: 'h', queryKey: 'q' }]),
      ),
    });
  });

  after(async () => {
    if (process.env['CEMM_RECORD'] === '1') writeRecorded(join(folder, 'messages.json'), sent);
    await nodeRed.stop();
    await simulator.close();
  });

  for (const flow of flows) {
    it(`sends what it sent when it was recorded: ${flow.name}`, async () => {
      if (flow.message === null) {
        const origin = flow.node['listen'] === 'own' ? `http://127.0.0.1:${ownPort}` : nodeRed.url;
        const url = `${origin}${String(flow.node['path']).replace(':cemm', '24000001')}?q=q`;
        const body = Buffer.from(JSON.stringify(flow.delivery));
        const reply = await post({ url, key, headers: { 'X-Recorded': 'h' } }, body);
        reply.status.should.equal(200);
      } else {
        await nodeRed.inject(`${flow.name}-in`);
      }
      const messages = await collectSent(nodeRed, flow, (message) => comparableMessage(message, simulator, begun));
      sent[flow.name] = messages;
      if (process.env['CEMM_RECORD'] === '1') return;
      const recorded = JSON.parse(readFileSync(join(folder, 'messages.json'), 'utf8')) as Record<string, Sent[]>;
      const expected = JSON.stringify(recorded[flow.name], null, 1);
      should(withoutRepeats(JSON.stringify(messages, null, 1), expected)).equal(expected);
    });
  }
});

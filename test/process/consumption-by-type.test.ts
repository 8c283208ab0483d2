/**
 * Flows of version 0.2.0 without a table of meters, with meters that are consumers by the type of their input alone: they send what they
 * sent with the last commit before the table (`0a8bd607^`), byte for byte, apart from the time a request took. `CEMM_RECORD=1` with that
 * commit records the messages.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import should from 'should';
import { SpecifiedOpenApi } from '../support/houses/specified-open-api';
import { NodeRed, tab } from '../support/node-red/node-red';
import {
  collectSent,
  comparableMessage,
  nodesOfFlow,
  recordedAt,
  recordedConnection,
  type RecordedFlow,
  recordedKey,
  type Sent,
  stillClock,
  withoutRepeats,
  writeRecorded,
} from '../support/node-red/recorded-flow';

const [flowsFile, messagesFile] = ['consumption-flows.json', 'consumption-messages.json'].map((name) =>
  join(__dirname, '../recorded', name),
) as [string, string];
const flows = JSON.parse(readFileSync(flowsFile, 'utf8')) as RecordedFlow[];
const begun = Date.now();

/** The second question for a day. Since that commit, `source.kept` and `source.keptAt` say that the answer comes from the store. */
const repeatedFlow = 'balance of 14 July once more, local';
const keptMark = `,"kept":true,"keptAt":${recordedAt}`;

/** @throws {AssertionError} they do not have it */
function removeKeptMark(messages: readonly Sent[]): Sent[] {
  const text = JSON.stringify(messages);
  text.should.containEql(keptMark);
  return JSON.parse(text.replace(keptMark, '')) as Sent[];
}

describe('flows of version 0.2.0 with consumers by the type of their input', function () {
  this.timeout(240_000);
  const monitor = new SpecifiedOpenApi(recordedAt);
  let nodeRed: NodeRed;
  const sent: Record<string, Sent[]> = {};

  before(async () => {
    await monitor.openServer();
    const connections = (['remote', 'local'] as const).map((mode) => recordedConnection(mode, monitor));
    nodeRed = await NodeRed.start({ settings: "lang: 'en-US',", env: stillClock });
    await nodeRed.deploy([tab(), ...connections, ...flows.flatMap(nodesOfFlow)], 'full', {
      'recorded-remote': { apiKey: recordedKey },
    });
  });

  after(async () => {
    if (process.env['CEMM_RECORD'] === '1') writeRecorded(messagesFile, sent);
    await nodeRed.stop();
    await monitor.close();
  });

  for (const flow of flows) {
    it(`send the same: ${flow.name}`, async () => {
      await nodeRed.inject(`${flow.name}-in`);
      const messages = await collectSent(nodeRed, flow, (message) => comparableMessage(message, monitor, begun));
      sent[flow.name] = messages;
      if (process.env['CEMM_RECORD'] === '1') return;
      const recorded = JSON.parse(readFileSync(messagesFile, 'utf8')) as Readonly<Record<string, Sent[]>>;
      const comparable = flow.name === repeatedFlow ? removeKeptMark(messages) : messages;
      const expected = JSON.stringify(recorded[flow.name], null, 1);
      should(withoutRepeats(JSON.stringify(comparable, null, 1), expected)).equal(expected);
    });
  }
});

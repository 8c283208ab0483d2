/** Texts that a user reads after a mistake: the field with its name in the dialog, and the advice. */
import { join } from 'node:path';
import should from 'should';
import { connectionDefaults, connectionRoutes } from '../../nodes/cemm-connection/config';
import { seriesDefaults } from '../../nodes/cemm-series/config';
import { totalsDefaults } from '../../nodes/cemm-totals/config';
import { collector, NodeRed, tab, type CollectedMessage, type FlowNode } from '../support/node-red/node-red';
import { until } from '../support/until';

const noInternet: readonly string[] = ['--require', join(__dirname, '../support/network/no-internet.cjs')];
const key = 'a-key-of-the-words-test';

/** Fires once at the start. */
function start(id: string, wires: string[]): FlowNode {
  const once = { once: true, onceDelay: 0.1, repeat: '', crontab: '', props: [], payload: '', payloadType: 'date' };
  return { id, type: 'inject', z: 'flow', ...once, wires: [wires] };
}

interface Told {
  readonly status?: { text?: string; source: { id: string } };
  readonly error?: { message: string; code: string; source: { id: string } };
}

function textsOf(messages: readonly CollectedMessage[], id: string): string[] {
  return (messages as unknown as Told[])
    .filter(({ status, error }) => (status ?? error)?.source.id === id)
    .map(({ status, error }) => error?.message ?? status?.text ?? '');
}

describe('the words of an error in a whole Node-RED', function () {
  this.timeout(60_000);
  let nodeRed: NodeRed;

  before(async () => {
    const asked = { z: 'flow', alias: 'p1', interval: 0, wires: [[]] };
    const totals = { ...totalsDefaults, ...asked, type: 'cemm-totals', connection: 'house', dateType: 'str' };
    nodeRed = await NodeRed.start({
      settings: "lang: 'en-US',",
      nodeOptions: noInternet,
      flows: [
        tab(),
        { ...connectionDefaults, id: 'house', type: 'cemm-connection', mode: 'demo' },
        { ...connectionDefaults, id: 'service', type: 'cemm-connection', mode: 'remote', deadline: 5 },
        { ...connectionDefaults, id: 'no-address', type: 'cemm-connection', host: '' },
        start('go', ['dutch-date', 'tomorrow', 'no-internet', 'no-address-node', 'range']),
        { ...totals, id: 'dutch-date', date: '20-11-2026' },
        { ...totals, id: 'tomorrow', date: '2099-01-01' },
        { ...totals, id: 'no-internet', connection: 'service', dateType: 'current' },
        { ...totals, id: 'no-address-node', connection: 'no-address', dateType: 'current' },
        {
          ...seriesDefaults,
          ...asked,
          id: 'range',
          type: 'cemm-series',
          connection: 'house',
          span: 'range',
          fromType: 'previous',
          to: '2099-01-01',
          toType: 'str',
        },
        ...collector('statuses'),
        ...collector('caught'),
        { id: 'status', type: 'status', z: 'flow', scope: null, wires: [['statuses']] },
        { id: 'catch', type: 'catch', z: 'flow', scope: null, uncaught: false, wires: [['caught']] },
      ],
      credentials: { service: { apiKey: key } },
    });
  });

  after(() => nodeRed.stop());

  async function told(id: string): Promise<{ status: string | undefined; sentence: string }> {
    const caught = await nodeRed.waitFor('caught', (all) => textsOf(all, id).length > 0);
    const status = await until(`a status of ${id}`, async () =>
      textsOf(await nodeRed.messages('statuses'), id)
        .filter((text) => !['asking', ''].includes(text))
        .at(-1),
    );
    return { status, sentence: textsOf(caught, id).join(' ') };
  }

  it('names the field of a date that is not written year first, with an example', async () => {
    const { status, sentence } = await told('dutch-date');
    should(status).equal('check: Day');
    sentence.should
      .startWith('“Day” has a value that cannot be used.')
      .and.endWith('Write the year first: 2026-11-20.');
  });

  it('says that a day is in the future, alone and at the end of a range', async () => {
    (await told('tomorrow')).should.match({ status: '2099-01-01 is in the future', sentence: /has not begun yet/ });
    (await told('range')).should.match({ status: '2099-01-01 is in the future', sentence: /“Up to and including”/ });
  });

  it('names the field of a connection', async () => {
    const { status, sentence } = await told('no-address-node');
    should(status).equal('check: Address');
    sentence.should.startWith('“Address” in the connection is blank.');
  });

  it('says that there is no internet connection, and not to check the spelling of the service', async () => {
    const { status, sentence } = await told('no-internet');
    should(status).equal('no internet connection');
    sentence.should.startWith('The CEMM service is not found: this machine has no internet connection');
    sentence.should.not.match(/spelling|IP address/);
  });

  it('says the same in the check of the dialog', async () => {
    const form = { ...connectionDefaults, id: 'unsaved', mode: 'remote', apiKey: key };
    const response = await nodeRed.admin(`/${connectionRoutes.check}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'X-CEMM-Request': 'dialog' },
      body: JSON.stringify(form),
    });
    const { steps } = (await response.json()) as { steps: { step: string; word: string | null }[] };
    should(steps[0]).match({ step: 'name', word: 'NETWORK_no_internet' });
  });
});

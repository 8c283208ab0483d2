/** Defaults of our node types that an administrator sets in settings.js (`nodeDefaults`, Node-RED 4.1.9): new nodes have them. */
import should from 'should';
import { Browser } from '../support/browser/browser';
import { openEditor } from '../support/browser/dialogs';
import { configButtons, editor } from '../support/first-hour/editor';
import { MousePerson } from '../support/first-hour/mouse';
import { type FlowNode, NodeRed, tab } from '../support/node-red/node-red';

const settings = `nodeDefaults: {
  'cemm-realtime': { interval: 60 },
  'cemm-balance': { interval: 10 },
  'cemm-connection': { timezone: 'Europe/Brussels' },
},`;

describe('defaults of the administrator @node-red-5-daily', function () {
  this.timeout(115_000);
  let nodeRed: NodeRed;
  let browser: Browser;

  before(async () => {
    nodeRed = await NodeRed.start({ settings, flows: [tab()] });
  });

  beforeEach(async () => {
    await nodeRed.deploy([tab()]);
    browser = await Browser.open();
    await openEditor(browser, nodeRed.url);
  });

  afterEach(async () => {
    browser.errors.should.be.empty();
    await browser.close();
  });

  after(() => nodeRed.stop());

  it('are in the dialogs of a new node and of its connection, and are stored', async () => {
    const { page } = browser;
    const person = new MousePerson(browser);
    await person.addNode('cemm-realtime');
    await person.openNode();
    should(await page.inputValue('#node-input-interval')).equal('60');
    await person.press('add', configButtons('connection').add);
    const zone = page.locator('#node-config-input-timezone');
    await person.choose('mode', '#node-config-input-mode', 'public');
    should(await zone.inputValue()).equal('');
    await person.choose('mode', '#node-config-input-mode', 'demo');
    should(await zone.inputValue()).equal('Europe/Brussels');
    await person.confirm('Add');
    // Its own default would be another one for another kind of connection.
    should(await page.inputValue('#node-input-interval')).equal('60');
    await person.confirm('Done');
    await page.locator(editor.tray).waitFor({ state: 'detached' });
    await person.deploy(nodeRed);
    const deployed = (await (await nodeRed.admin('/flows')).json()) as FlowNode[];
    const stored = new Map(deployed.map((node) => [node.type, node]));
    should(stored.get('cemm-realtime')).containEql({ interval: 60, version: 1 });
    should(stored.get('cemm-connection')).containEql({ timezone: 'Europe/Brussels', mode: 'demo', version: 2 });
  });

  it('stay when the period of a balance changes', async () => {
    const { page } = browser;
    const person = new MousePerson(browser);
    await person.addNode('cemm-balance');
    await person.openNode();
    await page.evaluate(`$('#node-input-period').typedInput('value', 'month')`);
    should(await page.inputValue('#node-input-interval')).equal('10');
  });
});

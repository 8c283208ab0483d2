/** What guards a dashboard: the settings of docs/dashboards.md, with a whole Node-RED and the page of the house. */
import should from 'should';
import { collector, type FlowNode, NodeRed } from '../../support/node-red/node-red';
import { changed, pageFlow } from '../../support/page/page-flow';
import { DashboardSocket } from '../../support/visitors/dashboard-socket';
import { samplesBelow } from '../../support/docs/snippets';
import {
  answersIn,
  askQuestions,
  dashboardModules,
  openSocket,
  template,
  unprotected,
} from '../../support/visitors/visitor';
import { until } from '../../support/until';

const password = 'a password of the tests';
const authorization = `Basic ${Buffer.from(`family:${password}`).toString('base64')}`;
const pages = ['/dashboard', '/dashboard/energy', '/dashboard/_setup', `/dashboard/_debug/datastore/${template}`];

async function statuses(nodeRed: NodeRed, headers: Readonly<Record<string, string>> = {}): Promise<number[]> {
  const all = await Promise.all(pages.map((page) => fetch(`${nodeRed.url}${page}`, { headers })));
  return all.map(({ status }) => status);
}

/** True if the page of the house answers a question over this socket. */
async function answers(socket: DashboardSocket): Promise<true> {
  await askQuestions(socket, 'visitor', [{ balance: 'now' }]);
  await until('an answer', () => socket.events.some((event) => 'now ' in answersIn(event)));
  socket.close();
  return true;
}

describe('a dashboard', function () {
  this.timeout(120_000);
  let nodeRed: NodeRed;

  afterEach(() => nodeRed.stop());

  it('DV2: is not guarded by httpNodeAuth: its socket answers everybody', async () => {
    // The password is "password", as in the comments of Node-RED’s settings.
    const pass = '$2a$08$zZWtXTja0fB1pzD4sHCMyOCMYz2Z6dNbM6tl8sJogENOMcxWV9DN.';
    nodeRed = await NodeRed.start({
      settings: `httpNodeAuth: { user: 'family', pass: ${JSON.stringify(pass)} },`,
      flows: pageFlow(),
      modules: dashboardModules,
    });
    should(await statuses(nodeRed)).eql(pages.map(() => 401));
    should(await answers(await openSocket(nodeRed))).equal(true);
  });

  it('DV2: is guarded by the settings of the documentation, its pages and its socket', async () => {
    const [sample = ''] = samplesBelow('docs/dashboards.md', '### A password by Node-RED');
    nodeRed = await NodeRed.start({
      settings: `...(() => { ${sample} return { dashboard }; })(),`,
      flows: pageFlow(),
      modules: dashboardModules,
      env: { DASHBOARD_PASSWORD: password },
    });
    should(await statuses(nodeRed)).eql(pages.map(() => 401));
    should(await statuses(nodeRed, { authorization: `${authorization}x` })).eql(pages.map(() => 401));
    should(await statuses(nodeRed, { authorization })).eql(pages.map(() => 200));
    const place = { port: nodeRed.port };
    should(await DashboardSocket.open(place)).equal(403);
    should(await DashboardSocket.open({ ...place, headers: { authorization: 'Basic x' } })).equal(403);
    should(await DashboardSocket.open({ ...place, headers: { authorization, origin: 'http://example.org' } })).equal(
      403,
    );
    should(await answers(await openSocket(nodeRed, { headers: { authorization } }))).equal(true);
  });

  it('DV1: whose visitors can change the page is named by the status of its node and once in the log', async () => {
    const z = 'cemm-page-flow';
    const status: FlowNode = { id: 'status', type: 'status', z, scope: ['cemm-page-node'], wires: [['statuses']] };
    const open = (base: object): FlowNode[] => [
      ...changed(unprotected(), { 'cemm-live-base': base }),
      ...[status, ...collector('statuses', z)],
    ];
    const texts = async (): Promise<string[]> =>
      (await nodeRed.messages('statuses')).map(({ status: one }) => String(Reflect.get(Object(one), 'text')));
    nodeRed = await NodeRed.start({ flows: open({}), modules: dashboardModules });
    const warnings = (): number => nodeRed.log.match(/Visitors of this dashboard can replace the page/g)?.length ?? 0;
    await until('the status', async () => (await texts()).at(-1) === 'page is not protected');
    should(warnings()).equal(1);
    // It changes another node only.
    await nodeRed.deploy([...open({}), { id: 'other', type: 'comment', z, name: 'other' }], 'nodes');
    should(warnings()).equal(1);
    await nodeRed.deploy(open({ acceptsClientConfig: ['ui-template'], includeClientData: false }));
    await until('a warning', () => warnings() === 2);
    await nodeRed.deploy(open({ acceptsClientConfig: ['ui-template'], includeClientData: true }));
    await until('the status', async () => (await texts()).at(-1) === 'nobody is looking');
    should(warnings()).equal(2);
  });
});

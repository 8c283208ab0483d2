/** The proxies of docs/dashboards.md in front of a whole Node-RED with the page of the house. */
import should from 'should';
import { freePort, NodeRed } from '../../support/node-red/node-red';
import { pageFlow } from '../../support/page/page-flow';
import { replaced, type Proxy } from '../../support/proxies/recipes';
import { editor, startProxy } from '../../support/proxies/start';
import type { Server } from '../../support/servers/server-program';
import { DashboardSocket } from '../../support/visitors/dashboard-socket';
import { samplesBelow } from '../../support/docs/snippets';
import { answersIn, askQuestions, dashboardModules } from '../../support/visitors/visitor';
import { until } from '../../support/until';

const authorization = `Basic ${Buffer.from(`${editor.user}:${editor.password}`).toString('base64')}`;
const paths = [
  '/',
  '/flows',
  '/dashboard',
  '/dashboard/energy',
  '/dashboard/_setup',
  '/dashboard/socket.io/?EIO=4&transport=polling',
];
const [nginx = '', caddy = ''] = samplesBelow('docs/dashboards.md', '### A password by a reverse proxy');
const recipes: readonly (readonly [Proxy, string])[] = [
  ['nginx', nginx],
  ['Caddy', caddy],
];

describe('a dashboard behind a reverse proxy', function () {
  this.timeout(180_000);
  let nodeRed: NodeRed;

  before(async () => {
    nodeRed = await NodeRed.start({ flows: pageFlow(), modules: dashboardModules });
  });

  after(() => nodeRed.stop());

  for (const [proxy, recipe] of recipes) {
    describe(proxy, () => {
      let server: Server;
      let port = 0;

      before(async () => {
        port = await freePort();
        const placed = replaced(recipe, '127.0.0.1:1880', `127.0.0.1:${nodeRed.port}`);
        server = await startProxy(proxy, { recipe: placed, port });
      });

      after(() => server.stop());

      it('DV2: asks for the password before the pages and the socket, and is opened by it', async () => {
        for (const path of paths) {
          should((await fetch(`http://127.0.0.1:${port}${path}`)).status).equal(401, path);
        }
        should(await DashboardSocket.open({ port })).equal(401);
        const headers = { authorization };
        for (const path of paths) {
          should((await fetch(`http://127.0.0.1:${port}${path}`, { headers })).status).equal(200, path);
        }
        const socket = await DashboardSocket.opened({ port, headers });
        await askQuestions(socket, 'owner', [{ balance: 'now' }]);
        await until('an answer', () => socket.events.some((event) => 'now ' in answersIn(event)));
        socket.close();
      });
    });
  }
});

/** The recipes of docs/webhook-proxies.md in front of a whole Node-RED with a dashboard. */
import should from 'should';
import { sign } from '../../../src/webhook/signature';
import { freePort, NodeRed } from '../../support/node-red/node-red';
import { addresses, believed, methods, smuggled } from '../../support/proxies/attacks';
import { arrivalsIn, recordArrivals, type Arrival } from '../../support/proxies/arrivals';
import { dashboard, dashboardModules, pressButton } from '../../support/proxies/dashboard';
import { proxies, recipeOf, replaced, variationsOf, withPorts, type Layout } from '../../support/proxies/recipes';
import { decodedPath, exchange, inTurn, requestText } from '../../support/proxies/sending';
import { editor, startProxy } from '../../support/proxies/start';
import type { Server } from '../../support/servers/server-program';
import { until } from '../../support/until';
import { credentials, key, listReadingValues, webhookFlow } from '../../support/webhook/flows';
import { delivery, post, raw, shapes, valueIn } from '../../support/webhook/sending';

const authorization = `Basic ${Buffer.from(`${editor.user}:${editor.password}`).toString('base64')}`;
describe('Node-RED behind a reverse proxy', function () {
  this.timeout(300_000);
  let nodeRed: NodeRed;
  let receiver = 0;

  before(async () => {
    receiver = await freePort();
    nodeRed = await NodeRed.start({ modules: dashboardModules, settings: recordArrivals });
  });

  after(async () => {
    await nodeRed.stop();
  });

  for (const layout of ['own', 'shared'] as const satisfies readonly Layout[]) {
    describe(layout === 'own' ? 'with a port for deliveries' : 'with deliveries on its own port', () => {
      before(async () => {
        const own = { listen: 'own', port: String(receiver), bind: '127.0.0.1', tls: '' };
        const more = { ...(layout === 'own' ? own : {}), header: false, query: false };
        await nodeRed.deploy(webhookFlow(more, dashboard()), 'full', credentials);
        if (layout === 'own') {
          await until('the port for deliveries', () =>
            fetch(`http://127.0.0.1:${receiver}/health`).then(
              ({ status }) => status === 204,
              () => false,
            ),
          );
        }
      });

      it('has a button that anybody presses who reaches the dashboard', async () => {
        const before = (await nodeRed.messages('pressed')).length;
        (await pressButton(nodeRed.port, '/dashboard/socket.io/')).should.be.true();
        await nodeRed.waitForMessages('pressed', before + 1);
      });

      for (const proxy of proxies) {
        describe(`and ${proxy}`, () => {
          let server: Server | undefined;
          let port = 0;
          let began = 0;

          before(async () => {
            port = await freePort();
            const recipe = withPorts(recipeOf(proxy), layout, { nodeRed: nodeRed.port, receiver });
            server = await startProxy(proxy, { recipe, port });
            began = arrivalsIn(nodeRed.log).length;
          });

          after(async () => {
            await server?.stop();
          });

          /** Everything that arrived without a password, up to a final known request. */
          async function arrivedWithoutPassword(): Promise<Arrival[]> {
            const last = `/settings?last=${port}`;
            const headers = { authorization };
            (await fetch(`http://127.0.0.1:${port}${last}`, { headers })).status.should.equal(200);
            const all = await until('the last request', () => {
              const seen = arrivalsIn(nodeRed.log);
              return seen.some(({ url }) => url === last) && seen;
            });
            return all.slice(began).filter(({ hasPassword }) => !hasPassword);
          }

          it('passes deliveries on unchanged, in every shape', async () => {
            const before = (await nodeRed.messages('deliveries')).length;
            const sent: number[] = [];
            const sender = { url: `http://127.0.0.1:${port}/cemm`, key };
            for (const [shape, pieces] of Object.entries(shapes)) {
              const body = delivery({ note: 'prijs € 日本' });
              const reply = await raw(sender.url, pieces(sender, body, sign(key, body)));
              reply.status.should.equal(200, `${shape}: ${reply.text}`);
              sent.push(valueIn(body));
            }
            const messages = await nodeRed.waitForMessages('deliveries', before + sent.length);
            listReadingValues(messages.slice(before)).should.deepEqual(sent);
          });

          it('passes the query on, as a key may be in it', async () => {
            const query = '?api_key=a%20b&x=%2F..';
            await post({ url: `http://127.0.0.1:${port}/cemm${query}`, key }, delivery());
            await until('the query', () =>
              arrivalsIn(nodeRed.log)
                .slice(began)
                .some(({ url }) => url === `/cemm${query}`),
            );
          });

          it('asks for the password before the editor and the dashboard, and is opened by it', async () => {
            for (const path of ['/', '/flows', '/settings', '/dashboard', '/dashboard/socket.io/']) {
              (await fetch(`http://127.0.0.1:${port}${path}`)).status.should.equal(401, path);
            }
            const before = (await nodeRed.messages('pressed')).length;
            (await pressButton(port, '/dashboard/socket.io/', { authorization })).should.be.true();
            await nodeRed.waitForMessages('pressed', before + 1);
          });

          it('lets nobody press a button by a path that ends at that of the monitor', async () => {
            const before = (await nodeRed.messages('pressed')).length;
            for (const path of [
              '/dashboard/socket.io/../../cemm',
              '/dashboard/socket.io/%2e%2e/%2e%2e/cemm',
              '/dashboard/socket.io/..%2f..%2fcemm',
              '/dashboard/socket.io//../..//cemm',
              '/dashboard/socket.io/../../CEMM',
            ]) {
              (await pressButton(port, path).catch(() => false)).should.be.false(path);
            }
            (await pressButton(port, '/dashboard/socket.io/', { authorization })).should.be.true();
            (await nodeRed.waitForMessages('pressed', before + 1)).length.should.equal(before + 1);
          });

          it('passes nothing on without the password but POST to the path of the monitor', async () => {
            const texts = [
              ...addresses.flatMap((address) => [requestText('GET', address), requestText('POST', address)]),
              ...methods.flatMap((method) =>
                ['/cemm', '/flows', '/flows/../cemm'].map((address) => requestText(method, address)),
              ),
              ...believed.flatMap((lines) => [requestText('GET', '/cemm', lines), requestText('POST', '/cemm', lines)]),
              ...smuggled,
            ];
            const answered: string[] = [];
            await inTurn(texts, async (text) => {
              const answer = await exchange(port, text);
              // Refused or closed: other responses are failures.
              if (/^HTTP\/1\.[01] [123]/m.test(answer))
                answered.push(`${text.split('\r\n')[0] ?? ''}: ${answer.slice(0, 80)}`);
            });
            answered.should.be.empty();
            const arrived = await arrivedWithoutPassword();
            // Spellings of this very path, without another folder in it.
            arrived.filter(({ method, url }) => method !== 'POST' || decodedPath(url) !== '/cemm').should.be.empty();
            // Attacks that were plain deliveries without a signature.
            should(arrived.length).be.above(0);
            const reached = layout === 'own' ? receiver : nodeRed.port;
            arrived.filter((arrival) => arrival.port !== reached).should.be.empty();
          });

          it('still passes a delivery on', async () => {
            (await post({ url: `http://127.0.0.1:${port}/cemm`, key }, delivery())).status.should.equal(200);
          });
        });
      }
    });
  }

  describe('with a parameter in the path, behind nginx', () => {
    let server: Server | undefined;
    let port = 0;
    let began = 0;

    before(async () => {
      port = await freePort();
      const [variation = ''] = variationsOf('nginx');
      const [location = '', proxyPass = ''] = variation.trim().split('\n');
      const varied = replaced(
        replaced(recipeOf('nginx'), 'location = /cemm {', location.trim()),
        'proxy_pass http://127.0.0.1:1881/cemm;',
        proxyPass.trim(),
      );
      const recipe = withPorts(varied, 'shared', { nodeRed: nodeRed.port, receiver });
      server = await startProxy('nginx', { recipe, port });
      began = arrivalsIn(nodeRed.log).length;
    });

    after(async () => {
      await server?.stop();
    });

    it('passes nothing on without the password but POST to the path of an installation', async () => {
      const paths = [...addresses, ...addresses.map((address) => address.replaceAll('cemm', 'cemm/house-12'))];
      await inTurn(paths, async (path) => {
        await exchange(port, requestText('GET', path));
        await exchange(port, requestText('POST', path));
      });
      const last = '/cemm/house-12?api_key=last';
      await exchange(port, requestText('POST', last));
      const arrived = await until('the last request', () => {
        const seen = arrivalsIn(nodeRed.log).slice(began);
        return seen.some(({ url }) => url === last) && seen;
      });
      arrived
        .filter(({ method, url }) => method !== 'POST' || !/^\/cemm\/[\w-]+(?:\?.*)?$/.test(url))
        .should.be.empty();
    });
  });
});

/** The recipes of docs/webhook-proxies.md in front of a whole Node-RED with a dashboard. */
import should from 'should';
import { connect } from 'node:net';
import { sign } from '../../../src/webhook/signature';
import { freePort, NodeRed } from '../../support/node-red/node-red';
import { addresses, believed, methods, smuggled } from '../../support/proxies/attacks';
import { dashboard, pressButton } from '../../support/proxies/dashboard';
import { dashboardModules } from '../../support/visitors/visitor';
import { proxies, recipeOf, replaced, variationsOf, withPorts, type Layout } from '../../support/proxies/recipes';
import { editor, startProxy } from '../../support/proxies/start';
import type { Server } from '../../support/servers/server-program';
import { until } from '../../support/until';
import { credentials, key, listReadingValues, webhookFlow } from '../../support/webhook/flows';
import { delivery, post, raw, shapes, valueIn } from '../../support/webhook/sending';

interface Arrival {
  readonly port: number;
  readonly method: string;
  readonly url: string;
  readonly hasPassword: boolean;
}

const mark = 'ARRIVED ';

/** A property of settings.js: from its start, Node-RED records the requests and upgrades of all HTTP servers, as parsed by Node. */
const recordArrivals = `arrivals: (() => {
  const { Server } = require('node:http');
  const emit = Server.prototype.emit;
  Server.prototype.emit = function (name, req, ...rest) {
    if (name === 'request' || name === 'upgrade' || name === 'connect') {
      const { method, url, socket, headers } = req;
      const arrival = { port: socket.localPort, method, url, hasPassword: headers.authorization !== undefined };
      process.stdout.write(${JSON.stringify(mark)} + JSON.stringify(arrival) + '\\n');
    }
    return emit.call(this, name, req, ...rest);
  };
  return true;
})(),`;

function arrivalsIn(log: string): Arrival[] {
  return log
    .split('\n')
    .filter((line) => line.startsWith(mark))
    .map((line) => JSON.parse(line.slice(mark.length)) as Arrival);
}

/** Ends an attack without a response. */
const patienceMs = 6000;

/** Sends the text unchanged, byte for byte, and returns the whole response; a HEAD or a CONNECT may have no end of its own. */
function exchange(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text, 'latin1'));
    const closeSocket = (): void => {
      clearTimeout(limit);
      socket.destroy();
      resolve(answer);
    };
    const limit = setTimeout(closeSocket, patienceMs);
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')));
    socket.on('close', closeSocket);
    socket.on('error', closeSocket);
  });
}

function requestText(method: string, address: string, lines: readonly string[] = []): string {
  const own = /^(?:POST|PUT|PATCH)$/i.test(method) ? ['Content-Type: application/json', 'Content-Length: 2'] : [];
  const head = [`${method} ${address} HTTP/1.1`, 'Host: home.example.org', 'Connection: close', ...own, ...lines];
  return `${head.join('\r\n')}\r\n\r\n${own.length > 0 ? '{}' : ''}`;
}

function decodedPath(url: string): string {
  return decodeURIComponent(url.split('?')[0] ?? '');
}

/** Sixteen at a time. */
async function inTurn<T>(things: readonly T[], work: (thing: T) => Promise<void>): Promise<void> {
  const queue = [...things];
  const worker = async (): Promise<void> => {
    for (let thing = queue.shift(); thing !== undefined; thing = queue.shift()) await work(thing);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}

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

import { createServer, type Server } from 'node:http';
import type { NodeAPI } from 'node-red';
import should from 'should';
import { findAppServer, readAppInfo } from '../../../nodes/cemm-webhook-in/home-assistant-app';
import { isHomeAssistantApp } from '../../../nodes/lib/home-assistant-app';
import { usualAppServer } from '../../../nodes/cemm-webhook-in/config';
import { listenOnLoopback } from '../../support/network/loopback';

const token = 'token-of-the-supervisor-77';

/** The used part of the response to `GET /addons/self/info`. */
function info(network: unknown, options: unknown): unknown {
  return { result: 'ok', data: { slug: 'a0d7b954_nodered', network, options } };
}

function nodeRed(httpNodeRoot: string | false, address: string): NodeAPI {
  const server = { address: () => ({ address, port: 46836, family: 'IPv4' }) };
  return { settings: { httpNodeRoot }, server } as unknown as NodeAPI;
}

describe('the Node-RED app of Home Assistant', () => {
  it('is recognized by the token of its Supervisor, by loopback and by /endpoint, all three', () => {
    const environment = { SUPERVISOR_TOKEN: token };
    should(isHomeAssistantApp(environment, '/endpoint', '127.0.0.1')).be.true();
    should(isHomeAssistantApp(environment, '/endpoint/', '127.0.0.1')).be.true();
    should(isHomeAssistantApp({}, '/endpoint', '127.0.0.1')).be.false();
    should(isHomeAssistantApp({ SUPERVISOR_TOKEN: '' }, '/endpoint', '127.0.0.1')).be.false();
    should(isHomeAssistantApp(environment, '/', '127.0.0.1')).be.false();
    should(isHomeAssistantApp(environment, false, '127.0.0.1')).be.false();
    should(isHomeAssistantApp(environment, '/endpoint', '0.0.0.0')).be.false();
  });

  it('says at which port its web server is, and whether with SSL', () => {
    const read = (port: unknown, ssl: unknown): unknown => readAppInfo(info({ '80/tcp': port }, { ssl }));
    should(read(1880, true)).eql({ isSecure: true, port: 1880, isKnown: true });
    should(read(8099, false)).eql({ isSecure: false, port: 8099, isKnown: true });
    should(read(null, true)).eql({ isSecure: true, port: null, isKnown: true });
    for (const port of [undefined, '1880', 0, 70_000, 1.5]) should(read(port, true)).equal(usualAppServer);
    should(read(1880, 'yes')).equal(usualAppServer);
    for (const answer of [null, 'busy', [], { data: null }]) should(readAppInfo(answer)).equal(usualAppServer);
  });

  describe('asks the Supervisor', () => {
    let server: Server;
    let asked: (string | undefined)[] = [];
    let answer: { status: number; body: string };
    let environment: Record<string, string>;

    before(async () => {
      server = createServer((req, res) => {
        asked.push(`${req.url ?? ''} ${req.headers.authorization ?? ''}`);
        res.writeHead(answer.status, { location: '/other' }).end(answer.body);
      });
      const port = await listenOnLoopback(server);
      environment = { SUPERVISOR_TOKEN: token, SUPERVISOR_API: `http://127.0.0.1:${port}` };
    });

    beforeEach(() => {
      asked = [];
    });

    after(() => {
      server.close();
    });

    it('AE13: and keeps nothing of the answer but port and SSL', async () => {
      const options = { ssl: true, http_node: { username: 'me', password: 'secret' }, credential_secret: 'secret' };
      answer = { status: 200, body: JSON.stringify(info({ '80/tcp': 1899 }, options)) };
      should(await findAppServer(nodeRed('/endpoint', '127.0.0.1'), environment)).eql({
        isSecure: true,
        port: 1899,
        isKnown: true,
      });
      should(asked).eql([`/addons/self/info Bearer ${token}`]);
    });

    it('AE13: outside of the app sends the token nowhere', async () => {
      should(await findAppServer(nodeRed('/', '127.0.0.1'), environment)).be.null();
      should(await findAppServer(nodeRed('/endpoint', '0.0.0.0'), environment)).be.null();
      should(asked).eql([]);
    });

    it('and takes the defaults of the app where it refuses, moves or says nonsense', async () => {
      for (const refusal of [
        { status: 403, body: '{"result":"error"}' },
        { status: 302, body: '' },
        { status: 200, body: '<html>' },
      ]) {
        answer = refusal;
        should(await findAppServer(nodeRed('/endpoint', '127.0.0.1'), environment)).eql(usualAppServer);
      }
      should(asked.length).equal(3);
      const silent = { ...environment, SUPERVISOR_API: 'http://127.0.0.1:1' };
      should(await findAppServer(nodeRed('/endpoint', '127.0.0.1'), silent)).eql(usualAppServer);
    });
  });
});

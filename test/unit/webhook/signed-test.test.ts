/** "Send a signed test" of the webhook dialog, with a server in place of Node-RED. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type NextFunction, type Request, type Response } from 'express';
import type { NodeAPI } from 'node-red';
import should from 'should';
import { adminRoutes } from '../../../nodes/cemm-webhook-in/config';
import { registerWebhookRoutes, type RouteOf } from '../../../nodes/cemm-webhook-in/routes/admin-routes';
import { WebhookRoute } from '../../../nodes/cemm-webhook-in/routes/webhook-route';
import { requestHeader } from '../../../nodes/lib/stored/config';

const variables: Readonly<Record<string, string>> = {
  CEMM_PATH: '/house/',
  CEMM_HEADER: ' X-House-Key',
  CEMM_QUERY: 'house_key',
  CEMM_MONITORS: '24000007, 24000008',
  CEMM_KEY: 'the key',
};
const mount = {
  server: null,
  root: '',
  isShadowed: false,
  put: () => undefined,
  remove: () => undefined,
};

describe('a signed test of the webhook dialog', () => {
  const received: unknown[] = [];
  let mayDeploy = true;
  let server: Server;
  let url = '';
  /** What Node-RED does with the module of the node. */
  let load: (routeOf: RouteOf) => void;

  before(async () => {
    const app = express();
    app.use(express.json());
    app.post('/house', (req, res) => {
      const { cemm } = req.body as { cemm: unknown };
      received.push({ header: req.headers['x-house-key'], query: req.query, cemm });
      res.json({ status: 'accepted' });
    });
    server = app.listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const needsPermission = (permission: string) => (_: Request, res: Response, next: NextFunction) => {
      if (permission !== 'flows.write' || mayDeploy) next();
      else res.status(401).end();
    };
    const node = { type: 'cemm-webhook-in', credentials: {} };
    const RED = {
      auth: { needsPermission },
      httpAdmin: app,
      nodes: { getNode: () => node, eachNode: () => undefined },
      server,
      settings: {},
      util: { getSetting: (_: unknown, name: string) => variables[name] },
    };
    const route = new WebhookRoute('/house', () => mount);
    load = (routeOf) => {
      registerWebhookRoutes(RED as unknown as NodeAPI, routeOf);
    };
    load(() => route);
  });

  beforeEach(() => {
    mayDeploy = true;
    received.length = 0;
  });

  after(() => {
    server.close();
  });

  const form = {
    id: 'hook',
    path: '/house',
    listen: 'shared',
    port: '1881',
    monitors: '',
    header: true,
    headerName: 'X-House-Key',
    headerKey: 'typed',
    query: true,
    queryName: 'house_key',
    queryKey: 'typed',
  };

  async function send(more: Readonly<Record<string, string>>): Promise<{ status: number; body: unknown }> {
    const response = await fetch(`${url}/${adminRoutes.test}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [requestHeader]: 'dialog' },
      body: JSON.stringify({ ...form, ...more }),
    });
    return { status: response.status, body: await response.json() };
  }

  it('reads variables in every field, and keys, as the deployed node does', async () => {
    const answer = await send({
      path: '${CEMM_PATH}',
      monitors: '${CEMM_MONITORS}',
      headerName: '${CEMM_HEADER}',
      headerKey: ' ${CEMM_KEY} ',
      queryName: '${CEMM_QUERY}',
      queryKey: 'a${CEMM_KEY}',
    });
    should(answer).match({ status: 200, body: { failure: null, status: 200 } });
    should(received).eql([{ header: 'the key', query: { house_key: 'a${CEMM_KEY}' }, cemm: 24000007 }]);
  });

  it('sends nothing to a path with a variable that is not set', async () => {
    should((await send({ path: '${CEMM_NOT_SET}' })).body).eql({ failure: 'other_path', ms: 0 });
    should(received).eql([]);
  });

  it('finds the node that runs after the package was removed and installed without a restart', async () => {
    const route = new WebhookRoute('/house', () => mount);
    load(() => null);
    should((await send({})).body).eql({ error: 'not_deployed' });
    load(() => route);
    should((await send({})).body).match({ failure: null });
  });

  it('refuses variables of a user who may not deploy in every field', async () => {
    mayDeploy = false;
    for (const name of ['path', 'port', 'monitors', 'headerName', 'headerKey', 'queryName', 'queryKey'])
      should(await send({ [name]: '${CEMM_KEY}' })).eql({ status: 403, body: { error: 'variable' } });
    should(received).eql([]);
  });
});

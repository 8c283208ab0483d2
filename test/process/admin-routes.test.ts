/** The admin routes of the dialogs and their permissions: every route, with and without a login. */
import { createServer, type Server } from 'node:http';
import should from 'should';
import { connectionAdminRoutes } from '../../nodes/cemm-connection/admin-routes';
import { connectionDefaults, connectionRoutes } from '../../nodes/cemm-connection/config';
import { adminRoutes } from '../../nodes/cemm-webhook-in/config';
import { startSimulator } from '../../src/simulator/start-simulator';
import type { Simulator } from '../../src/simulator/simulator';
import { adminAuth, tokenFor } from '../support/node-red/admin-auth';
import { loopbackOnly } from '../support/network/discoverable';
import { NodeRed, tab, type FlowNode } from '../support/node-red/node-red';
import { weeksAgo } from '../support/time/recent';
import { listenOnLoopback } from '../support/network/loopback';

const key = 'process-test-key-51c0';
const own = { 'content-type': 'application/json', 'X-CEMM-Request': 'dialog' };

function ask(nodeRed: NodeRed, path: string, body: unknown, headers: Record<string, string> = own): Promise<Response> {
  return nodeRed.admin(`/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
}

async function answerOf(nodeRed: NodeRed, path: string, body: unknown): Promise<Record<string, unknown>> {
  const response = await ask(nodeRed, path, body);
  const text = await response.text();
  should(response.status).equal(200, text);
  text.should.not.containEql(key);
  return JSON.parse(text) as Record<string, unknown>;
}

const demo = { ...connectionDefaults, id: 'unsaved', mode: 'demo' };
const local = (host: string, more: object = {}): object => ({ ...connectionDefaults, mode: 'local', host, ...more });

interface Step {
  step: string;
  state: string;
  word: string | null;
  values: Record<string, number>;
}

async function checkSteps(nodeRed: NodeRed, form: object): Promise<Step[]> {
  return (await answerOf(nodeRed, connectionRoutes.check, form))['steps'] as Step[];
}

/** The first failed step, with its word. */
async function failure(nodeRed: NodeRed, form: object): Promise<string> {
  const failed = (await checkSteps(nodeRed, form)).find(({ state }) => state === 'failed');
  return `${failed?.step ?? 'none'} ${failed?.word ?? ''}`.trim();
}

describe('admin routes @node-red-5', function () {
  this.timeout(110_000);

  describe('without login', () => {
    let simulator: Simulator;
    let nodeRed: NodeRed;
    let remote: FlowNode;

    before(async () => {
      simulator = await startSimulator({ localPort: 0, remotePort: 0, apiKey: key, since: weeksAgo(5) });
      remote = {
        ...connectionDefaults,
        id: 'service',
        type: 'cemm-connection',
        mode: 'remote',
        baseUrl: simulator.remote,
      };
      nodeRed = await NodeRed.start({
        settings: "httpAdminRoot: '/admin',",
        adminRoot: '/admin',
        flows: [tab(), remote, { id: 'debug', type: 'debug', z: 'flow', wires: [] }],
        credentials: { service: { apiKey: key } },
        nodeOptions: loopbackOnly,
      });
    });

    after(async () => {
      nodeRed.log.should.not.containEql(key);
      await nodeRed.stop();
      await simulator.close();
    });

    it('AE9: are registered once for any number of deploys', async () => {
      const before = await nodeRed.ask('adminRoutes');
      for (const route of Object.values(connectionRoutes)) {
        before.filter(({ path }) => path === `/${route}`).should.eql([{ method: 'post', path: `/${route}` }]);
      }
      await nodeRed.deploy([tab(), remote], 'full', { service: { apiKey: key } });
      await nodeRed.deploy([tab(), remote], 'full', { service: { apiKey: key } });
      (await nodeRed.ask('adminRoutes')).should.eql(before);
    });

    it('AE3, AE8: accept only JSON of at most 4 kB with our own header from the same origin', async () => {
      for (const path of Object.values(connectionRoutes)) {
        const withoutHeader = { 'content-type': own['content-type'] };
        const attempts: [expected: number, body: unknown, headers: Record<string, string>][] = [
          [400, demo, withoutHeader],
          [400, demo, { ...own, 'content-type': 'text/plain' }],
          [400, demo, { ...own, 'content-type': 'application/x-www-form-urlencoded' }],
          [400, [1, 2], own],
          [413, { ...demo, host: 'x'.repeat(5000) }, own],
          [403, demo, { ...own, origin: 'http://evil.example' }],
          [403, demo, { ...own, origin: nodeRed.url, 'sec-fetch-site': 'cross-site' }],
        ];
        for (const [expected, body, headers] of attempts) {
          const response = await ask(nodeRed, path, body, headers);
          should(response.status).equal(expected, `${path} ${JSON.stringify(headers)}`);
          const { error } = (await response.json()) as { error: string };
          ['bad_request', 'too_large', 'other_origin'].should.containEql(error);
        }
        should((await nodeRed.admin(`/${path}`)).status).equal(404);
      }
      const page = await ask(nodeRed, connectionRoutes.check, demo, { ...own, origin: nodeRed.url });
      should(page.status).equal(200);
      for (const form of [{}, { ...demo, mode: 'other' }, { ...demo, timezone: 5 }, { ...demo, host: 'x'.repeat(600) }])
        should((await ask(nodeRed, connectionRoutes.check, form)).status).equal(400);
    });

    it('check the unsaved form of a demo, a local and a remote connection to the top', async () => {
      const mac = simulator.monitors[0]?.mac;
      const states = (steps: Step[]): string => steps.map(({ state }) => state[0]).join('');
      states(await checkSteps(nodeRed, demo)).should.equal('oosoosoo');
      states(await checkSteps(nodeRed, local(simulator.local ?? '', { mac }))).should.equal('oosoosoo');
      const typed = await checkSteps(nodeRed, { ...remote, id: 'new', apiKey: key });
      states(typed).should.equal('oosooooo');
      should(typed.find(({ step }) => step === 'inventory')?.values).eql({ monitors: 1, meters: 5 });
    });

    it('AE5, AE6: use an unchanged key from the deployed node, and send it to no other host', async () => {
      const stored = { ...remote, apiKey: '__PWRD__' };
      (await failure(nodeRed, stored)).should.equal('none');
      const moved = await ask(nodeRed, connectionRoutes.check, { ...stored, baseUrl: 'http://127.0.0.1:9/v1/' });
      should(moved.status).equal(409);
      for (const id of ['unknown', 'debug', 'flow', '']) {
        const response = await ask(nodeRed, connectionRoutes.check, { ...stored, id });
        should(response.status).equal(404);
        should(await response.json()).eql({ error: 'not_deployed' });
      }
    });

    it('AE4: report the step at which a connection fails, with a documented code', async () => {
      const port = simulator.local?.split(':').pop() ?? '';
      const refused = [
        [local(''), 'name CONFIG_host_blank'],
        [local('https://192.168.1.20'), 'name CONFIG_host_scheme'],
        [local('169.254.169.254'), 'name CONFIG_host_not_local'],
        [local('8.8.8.8'), 'name CONFIG_host_not_local'],
        [local('127.0.0.1:9'), 'tcp NETWORK_refused'],
        [local(`127.0.0.1:${nodeRed.port}`), 'monitor NOT_A_MONITOR'],
        [local(`127.0.0.1:${port}`, { mac: '001122334455' }), 'monitor WRONG_MONITOR'],
        [local('127.0.0.1', { mac: 'x' }), 'name CONFIG_mac'],
        [{ ...remote, id: 'new', apiKey: 'wrong' }, 'key AUTH'],
        [{ ...remote, id: 'new', apiKey: '' }, 'key CONFIG_no_key'],
        [{ ...remote, id: 'new', apiKey: 'x', baseUrl: 'nowhere' }, 'name CONFIG_base_address'],
        [{ ...remote, id: 'new', apiKey: 'x', baseUrl: simulator.remote?.replace('http:', 'https:') }, 'tls TLS'],
      ] as const;
      for (const [form, expected] of refused) (await failure(nodeRed, form)).should.equal(expected);
    });

    it('list monitors and meters with their last values before anything is deployed', async () => {
      const form = local(simulator.local ?? '');
      const { mac } = simulator.monitors[0] ?? {};
      const monitors = await answerOf(nodeRed, connectionRoutes.monitors, form);
      should(monitors['monitors']).match([{ mac, name: 'CEMM Basic' }]);
      const { meters, error } = await answerOf(nodeRed, connectionRoutes.meters, { ...form, monitor: mac });
      should(error).be.null();
      const listed = meters as Record<string, unknown>[];
      listed.map(({ alias }) => alias).should.containDeep(['p1', 'p1-gas']);
      should(listed.find(({ alias }) => alias === 'p1')).match({ role: 'grid', field: 'power_w' });
      should(listed.find(({ alias }) => alias === 'p1-gas')?.['value']).be.a.Number();
      (await answerOf(nodeRed, connectionRoutes.meters, local('127.0.0.1:9'))).should.eql({
        meters: [],
        error: 'NETWORK_refused',
      });
    });

    it('AE7: refuse a user who sends too many requests, and keep working', async () => {
      const answers = await Promise.all(
        Array.from({ length: 200 }, () => ask(nodeRed, connectionRoutes.find, {}).then(({ status }) => status)),
      );
      answers.filter((status) => status === 429).length.should.be.aboveOrEqual(180);
      answers.filter((status) => status !== 429 && status !== 200).should.be.empty();
      should((await nodeRed.admin('/flows')).status).equal(200);
    });
  });

  describe('with login', () => {
    const hidden = 'value-of-a-variable';
    const seen: string[] = [];
    let service: Server;
    let address = '';
    let nodeRed: NodeRed;

    before(async () => {
      service = createServer((req, res) => {
        seen.push(`${req.url ?? ''} ${JSON.stringify(req.headers)}`);
        res.writeHead(404).end();
      });
      const port = await listenOnLoopback(service);
      address = `http://127.0.0.1:${port}`;
      nodeRed = await NodeRed.start({
        settings: adminAuth,
        nodeOptions: loopbackOnly,
        env: { CEMM_TEST_HIDDEN: hidden },
      });
    });

    after(async () => {
      await nodeRed.stop();
      service.close();
    });

    it('AE1: answer 401 without a token, on every route of the running process', async () => {
      const routes = await nodeRed.ask('adminRoutes');
      const written = connectionAdminRoutes({} as Parameters<typeof connectionAdminRoutes>[0], () => null);
      routes.should.containDeep(written.map(({ path }) => ({ method: 'post', path: `/${path}` })));
      for (const { method, path } of routes) {
        const init = { method: method.toUpperCase(), ...(method === 'post' && { headers: own, body: '{}' }) };
        const response = await nodeRed.admin(path, init);
        should(response.status).equal(401, `${method} ${path}`);
        (await response.text()).should.equal('Unauthorized');
        should((await nodeRed.admin(path, { ...init, headers: { ...own, authorization: 'Bearer x' } })).status).equal(
          401,
        );
      }
    });

    it('AE2: require write permission', async () => {
      nodeRed.useToken(await tokenFor(nodeRed, 'reader'));
      const { record, report } = adminRoutes;
      for (const path of [...Object.values(connectionRoutes), record, report])
        should((await ask(nodeRed, path, demo)).status).equal(401);
      nodeRed.useToken(await tokenFor(nodeRed, 'admin'));
      should((await ask(nodeRed, connectionRoutes.check, demo)).status).equal(200);
    });

    it('change the monitor of a running connection only for a user who may deploy', async () => {
      const simulator = await startSimulator({ localPort: 0, since: weeksAgo(5) });
      try {
        const { mac } = simulator.monitors[0] ?? {};
        const form = local(simulator.local ?? '', { id: 'house', mac: '001122334455', allowLoopback: true });
        nodeRed.useToken(await tokenFor(nodeRed, 'admin'));
        await nodeRed.deploy([tab(), { ...form, id: 'house', type: 'cemm-connection' }]);
        (await answerOf(nodeRed, connectionRoutes.monitors, form)).should.have.property('error', 'WRONG_MONITOR');
        const use = (more: object = {}) => answerOf(nodeRed, connectionRoutes.newMonitor, { ...form, ...more });
        nodeRed.useToken(await tokenFor(nodeRed, 'checker'));
        (await use()).should.eql({ mac, isUsed: false, error: null });
        nodeRed.useToken(await tokenFor(nodeRed, 'admin'));
        (await use({ id: 'new' })).should.eql({ mac, isUsed: false, error: null });
        (await use({ host: '127.0.0.1:9' })).should.eql({ mac: null, isUsed: false, error: 'NETWORK_refused' });
        (await answerOf(nodeRed, connectionRoutes.monitors, form)).should.have.property('error', 'WRONG_MONITOR');
        (await use()).should.eql({ mac, isUsed: true, error: null });
        (await answerOf(nodeRed, connectionRoutes.monitors, form)).should.match({ error: null, monitors: [{ mac }] });
      } finally {
        await simulator.close();
      }
    });

    it('send no variable for a user who may not deploy, but for texts that are deployed', async () => {
      const remote = { ...connectionDefaults, id: 'house', mode: 'remote', apiKey: 'k' };
      const inUrl = { ...remote, baseUrl: `${address}/\${CEMM_TEST_HIDDEN}/v1/` };
      const inKey = { ...remote, baseUrl: `${address}/v1/`, apiKey: '${CEMM_TEST_HIDDEN}' };
      const inHost = local(`${address.slice(7)}\${CEMM_TEST_HIDDEN}`, { id: 'house' });
      const paths = [connectionRoutes.check, connectionRoutes.monitors, connectionRoutes.meters];
      nodeRed.useToken(await tokenFor(nodeRed, 'checker'));
      for (const path of paths) {
        for (const form of [inUrl, inKey, inHost]) {
          const response = await ask(nodeRed, path, form);
          [response.status, await response.json()].should.eql([403, { error: 'variable' }]);
        }
      }
      const test = { id: 'hook', path: '/cemm', header: true, headerKey: '${CEMM_TEST_HIDDEN}' };
      (await ask(nodeRed, 'cemm-webhook-in/test', test)).status.should.equal(403);
      (await ask(nodeRed, connectionRoutes.check, { ...remote, baseUrl: `${address}/v1/` })).status.should.equal(200);
      seen.join('\n').should.not.containEql(hidden);
      nodeRed.useToken(await tokenFor(nodeRed, 'admin'));
      (await ask(nodeRed, connectionRoutes.check, inUrl)).status.should.equal(200);
      seen.join('\n').should.containEql(`/${hidden}/`);
      await nodeRed.deploy([tab(), { ...inUrl, type: 'cemm-connection' }]);
      nodeRed.useToken(await tokenFor(nodeRed, 'checker'));
      (await ask(nodeRed, connectionRoutes.check, inUrl)).status.should.equal(200);
      (await ask(nodeRed, connectionRoutes.check, { ...inUrl, baseUrl: `${inUrl.baseUrl}x/v1/` })).status.should.equal(
        403,
      );
    });
  });
});

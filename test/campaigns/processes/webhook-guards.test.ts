/** Guards that users put in front of their flows' addresses also see webhook calls, in every layout of a Node-RED. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import should from 'should';
import { sign } from '../../../src/webhook/signature';
import { NodeRed } from '../../support/node-red/node-red';
import { credentials, key, listReadingValues, webhookFlow } from '../../support/webhook/flows';
import { delivery, valueIn } from '../../support/webhook/sending';

/**
 * Source text of a guard: refuses every request without its name. Plain node:http, because it may run in front of Express's own
 * layers.
 */
function guard(name: string): string {
  return `((req, res, next) => {
    const words = (req.headers['x-words'] || '').split(' ');
    if (!/cemm$/i.test(req.originalUrl) || words.includes('${name}')) next();
    else { res.statusCode = 418; res.end('${name}'); }
  })`;
}

/** The same guard as a separate app, which Express calls by another name. */
function guardApp(name: string): string {
  return `(() => { const app = require('express')(); app.use(${guard(name)}); return app; })()`;
}

/** Guards that a user's node adds when it is loaded: name → source text. */
const ofNodes: Readonly<Record<string, string>> = {
  'httpNode-use': `RED.httpNode.use(${guard('httpNode-use')});`,
  'httpNode-path': `RED.httpNode.use('/CEMM', ${guard('httpNode-path')});`,
  'httpNode-app': `RED.httpNode.use(${guardApp('httpNode-app')});`,
  'httpNode-all': `RED.httpNode.all('/cemm', ${guard('httpNode-all')});`,
  'httpNode-param': `RED.httpNode.post('/:anything', ${guard('httpNode-param')});`,
  'name-of-express': `RED.httpNode.use({ query: ${guard('name-of-express')} }.query);`,
};
/** Before the addresses of flows only if the editor is in front of them. */
const ofAdminNodes: Readonly<Record<string, string>> = {
  'httpAdmin-use': `RED.httpAdmin.use(${guard('httpAdmin-use')});`,
  'httpAdmin-app': `RED.httpAdmin.use(${guardApp('httpAdmin-app')});`,
};
const rootFront = {
  'root-front': `const app = ((app) => { while (app.parent) app = app.parent; return app; })(RED.httpNode);
    app.use(${guard('root-front')}); app._router.stack.unshift(app._router.stack.pop());`,
};
const middleware = { httpNodeMiddleware: `httpNodeMiddleware: [${guard('httpNodeMiddleware')}],` };
const auth = { httpNodeAuth: `httpNodeAuth: [(req, res, next) => { next(); }, ${guard('httpNodeAuth')}],` };
const adminMiddleware = { httpAdminMiddleware: `httpAdminMiddleware: ${guard('httpAdminMiddleware')},` };
const adminMiddlewareApp = { 'admin-app': `httpAdminMiddleware: ${guardApp('admin-app')},` };

interface Layout {
  readonly name: string;
  /** Further properties of settings.js, besides guards. */
  readonly settings?: string;
  /** Mounts of the app around Node-RED; `guard` and `app` create guards by name. */
  readonly embed?: string;
  /** Names of the guards in `embed`. */
  readonly embedded?: readonly string[];
  readonly inSettings?: Readonly<Record<string, string>>;
  readonly inNodes?: Readonly<Record<string, string>>;
  readonly root?: string;
}

const layouts: readonly Layout[] = [
  {
    name: 'default settings',
    inSettings: { ...auth, ...middleware, ...adminMiddleware },
    inNodes: { ...ofNodes, ...ofAdminNodes, ...rootFront },
  },
  {
    name: 'both roots moved',
    settings: "httpNodeRoot: '/api', httpAdminRoot: '/admin',",
    inSettings: { ...auth, ...middleware },
    inNodes: { ...ofNodes, ...rootFront },
    root: '/api',
  },
  {
    name: 'httpAdminRoot false',
    settings: 'httpAdminRoot: false,',
    inSettings: { ...auth, ...middleware },
    inNodes: { ...ofNodes, ...rootFront },
  },
  {
    name: 'disableEditor, with an app as httpAdminMiddleware',
    settings: 'disableEditor: true,',
    inSettings: { ...auth, ...middleware, ...adminMiddlewareApp },
    inNodes: { ...ofNodes, ...ofAdminNodes, ...rootFront },
  },
  {
    name: 'embedded, with guards on the app around it',
    embed: `root.use(guard('function')); root.use(app('app')); root.use('/', RED.httpAdmin);
      root.use('/cemm', guard('path')); root.all('/cemm', guard('route')); root.use('/', app('between'), RED.httpNode);`,
    embedded: ['function', 'app', 'path', 'route', 'between'],
    inSettings: { ...middleware, ...adminMiddleware },
    inNodes: { ...ofNodes, ...ofAdminNodes, ...rootFront },
  },
  {
    name: 'embedded, with an app between it and the root',
    embed: `const inner = express(); inner.use(guard('inner')); inner.use(app('inner-app')); inner.use(RED.httpNode);
      root.use('/', RED.httpAdmin); root.use('/', inner);`,
    embedded: ['inner', 'inner-app'],
    inSettings: middleware,
    inNodes: { ...ofNodes, ...ofAdminNodes, ...rootFront },
  },
  {
    name: 'embedded without an editor, with an app as guard',
    settings: 'httpAdminRoot: false,',
    embed: `root.use(app('app')); root.use('/', RED.httpNode);`,
    embedded: ['app'],
    inSettings: middleware,
    inNodes: { ...ofNodes, ...rootFront },
  },
  {
    name: 'embedded, with the editor on another server',
    embed: `const other = express(); other.use('/', RED.httpAdmin); http.createServer(other).listen(0, '127.0.0.1');
      root.use(app('app')); root.use('/', RED.httpNode);`,
    embedded: ['app'],
    inSettings: middleware,
    inNodes: { ...ofNodes, ...rootFront },
  },
  {
    name: 'embedded, with the editor behind the addresses of flows',
    embed: `root.use(app('app')); root.use('/', RED.httpNode); root.use('/', guard('behind'), RED.httpAdmin);`,
    embedded: ['app'],
    inSettings: middleware,
    inNodes: { ...ofNodes, ...rootFront },
  },
];

/** Layouts whose guards did not see calls through an earlier shortcut in front of Express. */
const unseen: readonly Layout[] = [
  {
    name: 'an app between root and httpNode',
    embed: `const inner = express(); inner.use(guard('inner')); inner.use(RED.httpNode);
      root.use('/', RED.httpAdmin); root.use('/', inner);`,
    embedded: ['inner'],
  },
  {
    name: 'a mounted app, without an editor',
    settings: 'httpAdminRoot: false,',
    embed: `root.use(app('app')); root.use('/', RED.httpNode);`,
    embedded: ['app'],
  },
  {
    name: 'a mounted app, with the editor on another server',
    embed: `const other = express(); other.use('/', RED.httpAdmin); http.createServer(other).listen(0, '127.0.0.1');
      root.use(app('app')); root.use('/', RED.httpNode);`,
    embedded: ['app'],
  },
  {
    name: 'an app as httpAdminMiddleware, with disableEditor',
    settings: 'disableEditor: true,',
    inSettings: adminMiddlewareApp,
  },
];

describe('a webhook request behind middleware of the user @node-red-5-daily', function () {
  this.timeout(120_000);
  let nodeRed: NodeRed | undefined;
  let nodes = '';

  afterEach(async () => {
    await nodeRed?.stop();
    nodeRed = undefined;
    await rm(nodes, { recursive: true, force: true });
  });

  async function start({ settings = '', embed, inSettings = {}, inNodes = {} }: Layout): Promise<NodeRed> {
    nodes = await mkdtemp(join(tmpdir(), 'cemm-guard-'));
    await writeFile(
      join(nodes, 'guard.js'),
      `module.exports = (RED) => { ${Object.values(inNodes).join('\n')} RED.nodes.registerType('guard', () => {}); };`
        // The node is installed in another folder than Express.
        .replaceAll("require('express')", `require(${JSON.stringify(require.resolve('express'))})`),
    );
    await writeFile(join(nodes, 'guard.html'), '<script type="text/html" data-template-name="guard"></script>');
    const around = `embed: ({ express, http, RED, root }) => {
      const guard = (name) => eval(${JSON.stringify(guard('NAME'))}.replaceAll('NAME', name));
      const app = (name) => { const made = express(); made.use(guard(name)); return made; };
      ${embed ?? ''}
    },`;
    return NodeRed.start({
      settings: `${settings} ${Object.values(inSettings).join(' ')} ${embed === undefined ? '' : around}
        nodesDir: ${JSON.stringify(nodes)},`.replaceAll(
        "require('express')",
        `require(${JSON.stringify(require.resolve('express'))})`,
      ),
      embedded: embed !== undefined,
      stored: { flows: webhookFlow(), credentials },
    });
  }

  async function call({ url }: NodeRed, root: string, body: Buffer, words: readonly string[]): Promise<Response> {
    return fetch(`${url}${root}/cemm`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-signature': sign(key, body), 'x-words': words.join(' ') },
      body: Uint8Array.from(body),
    });
  }

  async function seeEachAsked(layout: Layout): Promise<void> {
    const { root = '', embedded = [], inSettings = {}, inNodes = {} } = layout;
    const names = [...embedded, ...Object.keys(inSettings), ...Object.keys(inNodes)];
    nodeRed = await start(layout);
    for (const name of names) {
      const others = names.filter((other) => other !== name);
      const refused = await call(nodeRed, root, delivery(), others);
      refused.status.should.equal(418, name);
      (await refused.text()).should.equal(name);
    }
    const body = delivery();
    (await call(nodeRed, root, body, names)).status.should.equal(200);
    listReadingValues(await nodeRed.waitForMessages('deliveries', 1)).should.deepEqual([valueIn(body)]);
    const other = await fetch(`${nodeRed.url}${root}/cemm`, { headers: { 'x-words': names.join(' ') } });
    other.status.should.equal(405);
  }

  for (const layout of layouts) {
    it(`WT26: is refused by each of them, and accepted unread behind all: ${layout.name}`, async () => {
      await seeEachAsked(layout);
    });
  }

  it('meets the request and the response as Express gives them', async () => {
    const echo = `httpNodeMiddleware: (req, res) => {
      const { statusCode, statusMessage = null, locals } = res;
      const { query, params, originalUrl } = req;
      res.status(418).json({ statusCode, statusMessage, locals, query, params, originalUrl, isCrossed: req.res !== res });
    },`;
    nodeRed = await start({ name: 'echo', inSettings: { echo } });
    const answer = await fetch(`${nodeRed.url}/cemm?a=1&b=x%20y`, { method: 'POST' });
    answer.status.should.equal(418);
    should(await answer.json()).deepEqual({
      statusCode: 200,
      statusMessage: null,
      locals: {},
      query: { a: '1', b: 'x y' },
      params: {},
      originalUrl: '/cemm?a=1&b=x%20y',
      isCrossed: false,
    });
  });

  for (const layout of unseen) {
    it(`WT26: is refused by ${layout.name}`, async () => {
      await seeEachAsked(layout);
    });
  }
});

/**
 * A whole Node-RED in its own process, with default settings and the packed package, driven over its admin API. CEMM_NODE_RED
 * names another `red.js` (the second run on Node-RED 5); it runs with the Node.js of the tests.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { inspect } from 'node:util';
import { createUserDir, emptyUserDir } from './installed-package';
import { opened } from '../mocha/left-open';
import { until } from '../until';

/** Those of root, for which every folder is writable, every file readable and every port free. */
const rights = ['dac_override', 'dac_read_search', 'fowner', 'net_bind_service'].map((right) => `-${right}`).join(',');

/** The same command for anybody but root. It stays the same process, so signals and channels reach it. */
function asOrdinaryUser(command: readonly string[]): readonly string[] {
  if (process.getuid?.() !== 0) return command;
  return ['setpriv', `--bounding-set=${rights}`, `--inh-caps=${rights}`, ...command];
}

export interface FlowNode {
  id: string;
  type: string;
  [property: string]: unknown;
}

/** Flows and credentials in a user directory. */
export interface StoredFlows {
  readonly flows: readonly FlowNode[];
  /** Node id → credentials; those inside a node of `flows` need not be repeated. */
  readonly credentials: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export interface Settings {
  /** Source text of further properties of settings.js, e.g. `httpAdminRoot: '/admin',`. */
  readonly settings?: string;
  /** Further packages: names in the working tree (the dashboard), or folders. */
  readonly modules?: readonly string[];
  readonly flows?: readonly FlowNode[];
  /** Starts it inside another Express app, which `embed` in the settings creates (see embedded.cjs). */
  readonly embedded?: boolean;
  /** Node id → credentials, sent with the first deploy. */
  readonly credentials?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly env?: Readonly<Record<string, string>>;
  /** Root of the admin API, if `settings` moves it. */
  readonly adminRoot?: string;
  /** Flows and credentials in the user directory before the start, for a Node-RED without an admin API. */
  readonly stored?: StoredFlows;
  /** Starts with an empty user directory. */
  readonly isBare?: boolean;
  /** A user directory of an earlier run (restart after a kill). */
  readonly userDir?: string;
  /** Default: any free one. */
  readonly port?: number;
  readonly nodeOptions?: readonly string[];
  /** Starts it without the rights of root, if the tests have them. */
  readonly asOrdinaryUser?: boolean;
  /** False if the settings disable the admin API and every route: Node-RED then opens no port. Default: true. */
  readonly listens?: boolean;
}

export interface Handles {
  readonly resources: string[];
  readonly layers: { root: number; httpNode: number };
  readonly listeners: Record<string, number>;
}

/** Work of the process since the previous question. */
export interface ProcessLoad {
  readonly ms: number;
  readonly cpuMs: number;
  readonly delayP99Ms: number;
}

interface Stats extends Handles {
  /** The package's admin routes. */
  readonly adminRoutes: { method: string; path: string }[];
  readonly cpu: NodeJS.CpuUsage;
  /** The first question only starts the measurement. */
  readonly load: ProcessLoad;
  /** After a forced collection. */
  readonly memory: NodeJS.MemoryUsage;
  /** Files of all loaded modules. */
  readonly modules: string[];
}

const redScript = process.env['CEMM_NODE_RED'] ?? require.resolve('node-red/red.js');

const redLibrary = join(dirname(redScript), 'lib', 'red.js');

/** A port below the range that the system assigns: no other test gets it, even while nobody listens there. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

export class NodeRed {
  readonly url: string;
  private output = '';
  private exit: number | string | null = null;
  private questions = 0;
  private token: string | undefined;
  private readonly closed = opened({ shows: null, close: () => this.stop() });

  private constructor(
    private readonly child: ChildProcess,
    readonly userDir: string,
    readonly port: number,
    private readonly adminRoot: string,
  ) {
    this.url = `http://127.0.0.1:${port}`;
    child.stdout?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    child.once('exit', (code, signal) => (this.exit = signal ?? code));
  }

  static async start(options: Settings = {}): Promise<NodeRed> {
    const isBare = options.isBare === true;
    const userDir = options.userDir ?? (await (isBare ? emptyUserDir() : createUserDir(options.modules)));
    const port = options.port ?? (await freePort());
    if (options.userDir === undefined) {
      await writeSettings(userDir, `${await separateCoreNodes(userDir)} ${options.settings ?? ''}`);
    }
    if (options.stored !== undefined) await writeFlows(userDir, options.stored);
    const command = [
      process.execPath,
      ...(options.nodeOptions ?? []),
      '--expose-gc',
      '--require',
      join(__dirname, 'process-stats.cjs'),
      '--require',
      join(__dirname, '../time/moved-clock.cjs'),
      options.embedded === true ? join(__dirname, 'embedded.cjs') : redScript,
      '--userDir',
      userDir,
      '--settings',
      join(userDir, 'settings.js'),
      '--port',
      String(port),
    ];
    const [program = '', ...args] = options.asOrdinaryUser === true ? asOrdinaryUser(command) : command;
    const child = spawn(program, args, {
      cwd: userDir,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: {
        ...process.env,
        NODE_RED_HOME: undefined,
        CEMM_ALLOW_LOOPBACK: 'true',
        CEMM_RED_LIBRARY: redLibrary,
        ...options.env,
      },
    });
    const nodeRed = new NodeRed(child, userDir, port, options.adminRoot ?? '');
    try {
      await nodeRed.startedFlows(1);
    } catch (error) {
      // Another run of the tests on this network took the port first.
      if (options.port !== undefined || !/port in use/.test(nodeRed.log)) throw error;
      await nodeRed.stop({ keep: options.userDir !== undefined });
      return NodeRed.start(options);
    }
    if (options.listens !== false) await nodeRed.listens();
    if (options.flows !== undefined) await nodeRed.deploy(options.flows, 'full', options.credentials);
    return nodeRed;
  }

  /** The output of Node-RED so far. */
  get log(): string {
    return this.output;
  }

  /** Process id, for signals. */
  get pid(): number {
    return this.child.pid ?? NaN;
  }

  get running(): boolean {
    return this.exit === null;
  }

  /** A request to the admin API. */
  async admin(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (!headers.has('accept')) headers.set('accept', 'application/json');
    // Node-RED ends a connection after five quiet seconds, which a busy machine may notice only when it has sent the next request.
    headers.set('connection', 'close');
    if (this.token !== undefined) headers.set('authorization', `Bearer ${this.token}`);
    return fetch(`${this.url}${this.adminRoot}${path}`, { ...init, headers });
  }

  /** Presses the button of an inject node. */
  async inject(id: string): Promise<void> {
    const response = await this.admin(`/inject/${id}`, { method: 'POST' });
    if (!response.ok) throw new Error(`inject answered ${response.status}`);
  }

  /** Deploys, and resolves when the new flows run: the response alone may come earlier. */
  async deploy(
    flows: readonly FlowNode[],
    type: 'full' | 'nodes' | 'flows' = 'full',
    credentials: Settings['credentials'] = {},
  ): Promise<void> {
    const before = this.starts();
    const body = {
      flows: placed(flows).map((node) => ({
        ...node,
        ...(credentials[node.id] === undefined ? {} : { credentials: credentials[node.id] }),
      })),
    };
    const response = await this.admin('/flows', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'Node-RED-API-Version': 'v2', 'Node-RED-Deployment-Type': type },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`deploy answered ${response.status}: ${await response.text()}`);
    await this.startedFlows(before + 1);
  }

  /** The messages of a collector. */
  async messages(name: string): Promise<CollectedMessage[]> {
    const text = await readFile(join(this.userDir, `${name}.jsonl`), 'utf8').catch(() => '');
    // The text after the last line end is still being written.
    return text
      .slice(0, text.lastIndexOf('\n') + 1)
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as CollectedMessage);
  }

  async waitForMessages(name: string, count: number, limitMs?: number): Promise<CollectedMessage[]> {
    return this.waitFor(name, (messages) => messages.length >= count, limitMs);
  }

  async waitFor(
    name: string,
    test: (messages: CollectedMessage[]) => boolean,
    limitMs?: number,
  ): Promise<CollectedMessage[]> {
    try {
      return await until(
        `messages of "${name}"`,
        async () => {
          if (!this.running) throw new Error(`Node-RED ended (${String(this.exit)})`);
          const messages = await this.messages(name);
          return test(messages) && messages;
        },
        limitMs,
      );
    } catch (error) {
      throw new Error(`${String(error)}; ${await this.lastMessages()}; Node-RED said:\n${this.output.slice(-3000)}`, {
        cause: error,
      });
    }
  }

  /** The end of the last message of each collector, such as what a Catch node got. */
  private async lastMessages(): Promise<string> {
    const files = (await readdir(this.userDir)).filter((file) => file.endsWith('.jsonl'));
    const ends = await Promise.all(
      files.map(async (file) => `${file}: …${(await readFile(join(this.userDir, file), 'utf8')).trim().slice(-600)}`),
    );
    return ends.join('; ');
  }

  async handles(): Promise<Handles> {
    return {
      resources: await this.ask('resources'),
      layers: await this.ask('layers'),
      listeners: await this.ask('listeners'),
    };
  }

  /** CPU time so far, in ms. */
  async cpu(): Promise<number> {
    const { user, system } = await this.ask('cpu');
    return (user + system) / 1000;
  }

  /** SIGTERM, like a service manager; `keep` keeps the user directory for a later start. */
  async stop({ keep = false, signal = 'SIGTERM' }: { keep?: boolean; signal?: NodeJS.Signals } = {}): Promise<void> {
    this.closed();
    if (this.running) {
      this.child.kill(signal);
      await until('Node-RED to end', () => !this.running, 20_000).catch((error: unknown) => {
        this.child.kill('SIGKILL');
        throw error;
      });
    }
    if (!keep) await rm(this.userDir, { recursive: true, force: true });
  }

  /** Sends this token to the admin API, with adminAuth. */
  useToken(token: string): void {
    this.token = token;
  }

  private starts(): number {
    // The text differs after a deploy of type `nodes` or `flows`.
    return this.output.split(/Started (?:modified )?(?:flows|nodes)/).length - 1;
  }

  /** Node-RED 5 can start its flows before its server. */
  private async listens(): Promise<void> {
    await until('the server of Node-RED', () =>
      this.admin('/settings').then(
        (response) => response.text().then(() => true),
        (error: unknown) => !/ECONNREFUSED/.test(inspect(error)),
      ),
    );
  }

  private async startedFlows(count: number): Promise<void> {
    try {
      await until(
        'started flows',
        () => {
          if (!this.running) throw new Error(`Node-RED ended (${String(this.exit)})`);
          return this.starts() >= count;
        },
        60_000,
      );
    } catch (error) {
      throw new Error(`${String(error)}; Node-RED said:\n${this.output.slice(-3000)}`, { cause: error });
    }
  }

  /** What process-stats.cjs answers in the process. */
  ask<What extends keyof Stats>(what: What): Promise<Stats[What]> {
    const id = ++this.questions;
    return new Promise((resolve, reject) => {
      const listener = (answer: { id: number; value: Stats[What]; error?: string }) => {
        if (answer.id !== id) return;
        this.child.off('message', listener);
        if (answer.error === undefined) resolve(answer.value);
        else reject(new Error(answer.error));
      };
      this.child.on('message', listener);
      this.child.send({ id, what });
    });
  }
}

/** Node-RED distinguishes a node on a tab from a config node by its position. */
function placed(flows: readonly FlowNode[]): FlowNode[] {
  return flows.map((node) => ({ ...(node['z'] === undefined ? {} : { x: 100, y: 100 }), ...node }));
}

/**
 * A setting for a Node-RED without the packages beside it, which take a third of the processor time of a start. It searches each
 * `node_modules` above its core nodes, which are in that of this project.
 */
async function separateCoreNodes(userDir: string): Promise<string> {
  const place = join(userDir, 'core-nodes');
  await symlink(dirname(require.resolve('@node-red/nodes', { paths: [dirname(redScript)] })), place);
  return `coreNodesDir: ${JSON.stringify(place)},`;
}

async function writeSettings(userDir: string, more: string): Promise<void> {
  await writeFile(join(userDir, 'package.json'), '{"name":"user","private":true}');
  // Default settings, except for those that keep a test on this machine: no address other than loopback, no outside requests.
  await writeFile(
    join(userDir, 'settings.js'),
    `module.exports = {
      flowFile: 'flows.json',
      credentialSecret: 'a secret of the tests',
      uiHost: '127.0.0.1',
      telemetry: { enabled: false, updateNotification: false },
      ${more.includes('editorTheme') ? '' : 'editorTheme: { tours: false, palette: { catalogues: [] } },'}
      ${more}
    };`,
  );
}

/** In the form that Node-RED reads at its start: credentials in a separate file, which it encrypts when it saves. */
async function writeFlows(userDir: string, { flows, credentials }: StoredFlows): Promise<void> {
  const own = flows.flatMap(({ id, credentials: inNode }) => (inNode === undefined ? [] : [[id, inNode]]));
  await writeFile(join(userDir, 'flows.json'), JSON.stringify(placed(flows)));
  await writeFile(join(userDir, 'flows_cred.json'), JSON.stringify({ ...Object.fromEntries(own), ...credentials }));
}

/** A message as stored by the collector: payload, topic, and the parts that tests check. */
export interface CollectedMessage {
  readonly payload?: unknown;
  readonly topic?: string;
  readonly [property: string]: unknown;
}

/**
 * Nodes that write every message as one JSON line to `<userDir>/<name>.jsonl`. Wire into `${name}`. A file, because it keeps
 * the order and survives a killed process.
 */
export function collector(name: string, z = 'flow'): FlowNode[] {
  return [
    {
      id: name,
      type: 'function',
      z,
      name,
      func: 'delete msg.req; delete msg.res; return { payload: JSON.stringify(msg) };',
      outputs: 1,
      wires: [[`${name}-file`]],
    },
    {
      id: `${name}-file`,
      type: 'file',
      z,
      filename: `${name}.jsonl`,
      filenameType: 'str',
      appendNewline: true,
      createDir: false,
      overwriteFile: 'false',
      encoding: 'none',
      wires: [[]],
    },
  ];
}

/** Several flows in one Node-RED: shared nodes, such as the connection of the examples, exist once. */
export function together(flows: readonly (readonly FlowNode[])[]): FlowNode[] {
  return [...new Map(flows.flat().map((node) => [node.id, node])).values()];
}

/** The tab with the nodes of a test. */
export function tab(id = 'flow'): FlowNode {
  return { id, type: 'tab', label: id, disabled: false };
}

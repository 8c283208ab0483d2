/** The Node-REDs of the fleet: the packed package with the settings and the example flows of a user. */
import { readFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { resolve } from 'node:path';
import { installedModules } from '../../support/node-red/installed-package';
import { freePort, NodeRed, type FlowNode, type StoredFlows } from '../../support/node-red/node-red';
import type { CpuAccount } from './cpu';
import { editor } from './roles';

const settingsFile = resolve(__dirname, '../../../docs/fleet/settings.js');

/** An example from the packed package. */
export async function exampleFlow(name: string): Promise<FlowNode[]> {
  const file = resolve(await installedModules(), 'node-red-contrib-cemm/examples/fleet', `${name}.json`);
  return JSON.parse(await readFile(file, 'utf8')) as FlowNode[];
}

export interface ReplicaOptions extends StoredFlows {
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  /** Without one, nobody can change its flows, and Node-RED opens no port. */
  readonly hasEditor?: boolean;
  readonly profiles?: string | undefined;
  /** Gives way to the others on a busy processor (see docs/fleets.md). */
  readonly yields?: boolean;
}

export class Replica {
  private constructor(
    readonly name: string,
    /** For deliveries. */
    readonly receiverPort: number,
    private readonly env: Readonly<Record<string, string>>,
    private readonly yields: boolean,
    private nodeRed: NodeRed,
  ) {}

  static async start({
    name,
    env,
    hasEditor = false,
    yields = false,
    profiles,
    ...stored
  }: ReplicaOptions): Promise<Replica> {
    const receiverPort = await freePort();
    const settings = `...require(${JSON.stringify(settingsFile)}),`;
    const own = {
      NODE_RED_CREDENTIAL_SECRET: 'a secret of the tests',
      CEMM_RECEIVER_PORT: String(receiverPort),
      ...(hasEditor ? { CEMM_EDITOR_PASSWORD: editor.hash } : {}),
      ...env,
    };
    const nodeOptions =
      profiles === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', profiles, '--cpu-prof-name', `${name}.cpuprofile`];
    const nodeRed = await NodeRed.start({ settings, env: own, stored, nodeOptions, listens: hasEditor });
    const replica = new Replica(name, receiverPort, own, yields, nodeRed);
    await replica.settle();
    return replica;
  }

  /** Port of the editor, if there is one. */
  get editorPort(): number {
    return this.nodeRed.port;
  }

  get hasEditor(): boolean {
    return this.env['CEMM_EDITOR_PASSWORD'] !== undefined;
  }

  get log(): string {
    return this.nodeRed.log;
  }

  get pid(): number {
    return this.nodeRed.pid;
  }

  get running(): boolean {
    return this.nodeRed.running;
  }

  async press(id: string): Promise<void> {
    await this.nodeRed.inject(id);
  }

  /** SIGKILL: it can neither log nor save anything. */
  async kill(cpu: CpuAccount): Promise<void> {
    cpu.leave(this.name);
    await this.nodeRed.stop({ signal: 'SIGKILL', keep: true });
  }

  /** Restarts like a service manager: the same user directory, port and environment. */
  async startAgain(cpu: CpuAccount): Promise<void> {
    const { userDir, port } = this.nodeRed;
    this.nodeRed = await NodeRed.start({ userDir, port, env: this.env, listens: this.hasEditor });
    cpu.watch(this.name, this.nodeRed.pid, true);
    await this.settle();
  }

  async stop(): Promise<void> {
    await this.nodeRed.stop();
  }

  private async settle(): Promise<void> {
    if (this.yields) setPriority(this.pid, 10);
    if (this.hasEditor) await this.logIn();
  }

  private async logIn(): Promise<void> {
    const { password } = editor;
    const form = { client_id: 'node-red-admin', grant_type: 'password', scope: '*', username: 'admin', password };
    const response = await this.nodeRed.admin('/auth/token', { method: 'POST', body: new URLSearchParams(form) });
    const { access_token: token } = (await response.json()) as { access_token?: string };
    if (token === undefined) throw new Error(`the editor of ${this.name} gave no token (${response.status})`);
    this.nodeRed.useToken(token);
  }
}

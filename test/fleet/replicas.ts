/** The Node-REDs of the fleet: the packed package, the settings and the example flows as a user has them. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { installedModules } from '../support/installed-package';
import { freePort, NodeRed, type FlowNode } from '../support/node-red';
import type { CpuAccount } from './cpu';

const settingsFile = resolve(__dirname, '../../docs/fleet/settings.js');

/** An example as the packed package ships it. */
export async function exampleFlow(name: string): Promise<FlowNode[]> {
  const file = resolve(await installedModules(), 'node-red-contrib-cemm/examples', `${name}.json`);
  return JSON.parse(await readFile(file, 'utf8')) as FlowNode[];
}

export interface ReplicaOptions {
  readonly name: string;
  readonly flows: readonly FlowNode[];
  readonly env: Readonly<Record<string, string>>;
  readonly credentials?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export class Replica {
  private constructor(
    readonly name: string,
    readonly port: number,
    private readonly env: Readonly<Record<string, string>>,
    private nodeRed: NodeRed,
  ) {}

  static async start({ name, flows, env, credentials = {} }: ReplicaOptions): Promise<Replica> {
    const port = await freePort();
    const settings = `...require(${JSON.stringify(settingsFile)}),`;
    const own = { NODE_RED_CREDENTIAL_SECRET: 'a secret of the tests', ...env };
    const nodeRed = await NodeRed.start({ settings, env: own, port, flows, credentials });
    return new Replica(name, port, own, nodeRed);
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
    const response = await this.nodeRed.admin(`/inject/${id}`, { method: 'POST' });
    if (!response.ok) throw new Error(`pressing ${id} answered ${response.status}`);
  }

  /** SIGKILL: no chance to say or save anything. */
  async kill(cpu: CpuAccount): Promise<void> {
    cpu.leave(this.name);
    await this.nodeRed.stop({ signal: 'SIGKILL', keep: true });
  }

  /** As a service manager does: the same user directory, port and environment. */
  async startAgain(cpu: CpuAccount): Promise<void> {
    this.nodeRed = await NodeRed.start({ userDir: this.nodeRed.userDir, port: this.port, env: this.env });
    cpu.watch(this.name, this.nodeRed.pid, true);
  }

  async stop(): Promise<void> {
    await this.nodeRed.stop();
  }
}

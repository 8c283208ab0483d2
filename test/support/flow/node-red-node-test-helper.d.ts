/** Types of the used part of the helper, which ships none. */
declare module 'node-red-node-test-helper' {
  import type { EventEmitter } from 'node:events';
  import type { Node, NodeInitializer } from 'node-red';

  interface TestHelper {
    init(runtimePath: string, userSettings?: object): void;
    settings(userSettings: object): void;
    load(
      nodes: NodeInitializer | readonly NodeInitializer[],
      flow: readonly object[],
      credentials?: Readonly<Record<string, object>>,
    ): Promise<void>;
    setFlows(flow: readonly object[], type?: 'full' | 'flows' | 'nodes'): Promise<void>;
    unload(): Promise<void>;
    getNode(id: string): Node | null;
    log(): { args: readonly (readonly { level: number; msg: unknown; type?: string }[])[] };
    readonly _events: EventEmitter;
    readonly _context: { load(): Promise<void> };
  }

  const helper: TestHelper;
  export = helper;
}

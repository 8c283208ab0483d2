/** Sends balances through the function nodes of an example, and collects the texts that the next nodes show. */
import { nodesOf, runFunction } from '../docs/example-functions';

export class ExampleTexts {
  readonly shown: unknown[] = [];
  private readonly flow = new Map<string, unknown>();
  private readonly contexts = new Map<string, Map<string, unknown>>();

  constructor(
    private readonly example: string,
    private readonly env: Readonly<Record<string, unknown>>,
  ) {}

  /** Sends a message as if from this node. */
  from(id: string, message: object, now: number): void {
    const node = nodesOf(this.example).find((one) => one.id === id);
    if (node === undefined) throw new Error(`${this.example} has no node ${id}`);
    for (const next of node.wires?.flat() ?? []) this.to(next, message, now);
  }

  to(id: string, message: object, now: number): void {
    const node = nodesOf(this.example).find((one) => one.id === id);
    if (node?.type !== 'function') {
      this.shown.push(message);
      return;
    }
    const context = this.contexts.get(id) ?? new Map<string, unknown>();
    this.contexts.set(id, context);
    const state = { env: this.env, flow: this.flow, context, now };
    const result = runFunction(this.example, id, structuredClone(message), state);
    if (result === null || result === undefined) return;
    const outputs: readonly unknown[] = Array.isArray(result) ? result : [result];
    outputs.forEach((output, index) => {
      const messages: readonly unknown[] = Array.isArray(output) ? output : [output];
      for (const sent of messages) {
        if (typeof sent !== 'object' || sent === null) continue;
        for (const next of node.wires?.[index] ?? []) this.to(next, sent, now);
      }
    });
  }
}

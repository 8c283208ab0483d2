/** What a webhook-in node says to people: status, log, warnings. */
import type { Node, NodeAPI, NodeStatus } from 'node-red';
import type { CemmError } from '../../src/clients/errors';
import { toNodeError } from '../shared/node-error';
import { createSay, type Say } from '../shared/sentences';
import { createStatusLine, type StatusLine } from '../shared/status-line';
import { blockedStatus } from './webhook-status';

export class Voice {
  readonly say: Say;
  private readonly line: StatusLine;
  private readonly told = new Set<string>();
  private shown = '';

  constructor(
    RED: NodeAPI,
    private readonly node: Node,
  ) {
    this.say = createSay(RED);
    this.line = createStatusLine((status) => {
      node.status(status);
    });
  }

  status(status: NodeStatus): void {
    this.shown = '';
    this.line.show(status);
  }

  /** Every call has a status, most of them that of the call before: `like` tells whether there is anything to put into words. */
  statusOfCall(like: string, build: () => NodeStatus): void {
    if (like === this.shown) return;
    this.status(build());
    this.shown = like;
  }

  block(error: CemmError): void {
    this.status(blockedStatus(error, this.say));
    this.fail(error);
  }

  fail(error: CemmError): void {
    this.node.error(toNodeError(error, this.say), {});
  }

  /** Once in the life of the node. */
  warnOnce(key: 'oldKey' | 'blankKey' | 'shortKey' | 'rawBody' | 'keyStore'): void {
    if (this.told.has(key)) return;
    this.told.add(key);
    this.node.warn(this.say(`warning.${key}`) ?? key);
  }

  warn(error: CemmError): void {
    this.node.warn(toNodeError(error, this.say));
  }

  close(): void {
    this.line.close();
  }
}

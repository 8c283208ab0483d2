/** The balance of a house, current or for a day, month or year. */
import type { Node, NodeAPI } from 'node-red';
import { createRunner, type Job } from '../lib/runner';
import { pollBalance, readBalance } from './ask';
import { migrated } from '../lib/migrate';
import { type BalanceConfig, balanceDefaults } from './config';
import { MessagesBalance } from './messages';
import { queueOfQuestion } from './question';

export function startNode(RED: NodeAPI, node: Node, stored: Partial<BalanceConfig>): void {
  const config = migrated(balanceDefaults, stored);
  const isAsking = config.source !== 'messages';
  const runner = createRunner(RED, node, {
    parallel: 1,
    connection: config.connection,
    work: (job: Job) => (isAsking ? readBalance(parts, job) : messages.work(job)),
    queueFor: queueOfQuestion,
    isStop: (msg) => msg['stop'] === true,
  });
  const parts = { RED, node, config, runner };
  const messages = new MessagesBalance(parts);
  if (isAsking) pollBalance(parts);
  else messages.start();
}

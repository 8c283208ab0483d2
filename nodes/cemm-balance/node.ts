/** The balance of a house, current or for a day, month or year. */
import type { Node, NodeAPI } from 'node-red';
import { createRunner, type Job } from '../lib/run/runner';
import { pollBalance, readBalance } from './ask';
import { dateChecks, mac } from '../lib/editor/checks';
import { pricesCheck } from '../lib/editor/prices/checks';
import { parseProperties } from '../lib/stored/stored-properties';
import { expandEnv } from '../lib/stored/typed-input';
import { type BalanceConfig, balanceFields } from './config';
import { battery, meters } from './field-checks';
import { MessagesBalance } from './messages';
import { queueOfQuestion } from './question';

export function startNode(RED: NodeAPI, node: Node, stored: Partial<BalanceConfig>): void {
  const properties = parseProperties(
    {
      rules: balanceFields,
      checks: { mac, ...dateChecks, battery, meters, prices: pricesCheck((key) => key.replace('form.price.', '')) },
      expand: (text) => expandEnv(RED, node, text),
    },
    stored,
  );
  const { config } = properties;
  const isAsking = config.source !== 'messages';
  const runner = createRunner(RED, node, {
    parallel: 1,
    connection: config.connection,
    properties,
    work: (job: Job) => (isAsking ? readBalance(parts, job) : balance.work(job)),
    queueFor: queueOfQuestion,
    isStop: (msg) => msg['stop'] === true,
    isKept: (msg) => !isAsking && balance.isAdded(msg),
  });
  const parts = { RED, node, config, runner };
  const balance = new MessagesBalance(parts);
  if (isAsking) pollBalance(parts);
  else balance.startPolls();
}

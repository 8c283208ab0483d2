/** The page of the house: sends it to a ui-template of Dashboard 2, and asks a balance node for what its viewers look at. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Node, NodeAPI, NodeMessage, NodeStatus } from 'node-red';
import type { BalancePayload } from '../../src/model/payload';
import { readPayload } from '../../src/model/read-payload';
import { isRecord } from '../../src/record';
import { wallClock } from '../lib/choice';
import { migrated } from '../lib/migrate';
import { onProgress } from '../lib/progress';
import { createRunner, type Job } from '../lib/runner';
import { stateStatus } from '../lib/status';
import { dialogPath } from './dialog-path';
import { type PageConfig, pageDefaults, settingsOf } from './config';
import type { Failure } from './page/messages';
import { PageState } from './page-state';
import { readViewerMessage } from './viewer-message';

/** Interval at which the node looks for viewers that are gone, and for balances that are due. */
const lookMs = 2_000;

/** The page as one text for `msg.ui_update.format`, written by the build. */
function templateText(): string {
  return readFileSync(path.join(__dirname, '..', 'cemm-page', 'page.html'), 'utf8');
}

export function startNode(RED: NodeAPI, node: Node, stored: Partial<PageConfig>): void {
  const config = migrated(pageDefaults, stored);
  const runner = createRunner(RED, node, { parallel: 1, work });
  const page = new PageState(settingsOf(config), node.id);
  const template = templateText();

  function work({ msg }: Job): Promise<void> {
    if (msg !== null) read(msg);
    update();
    return Promise.resolve();
  }

  /** Anything else that comes in is ignored, so a circle of wires ends here. */
  function read(msg: NodeMessage): void {
    const now = wallClock();
    const failure = failureIn(msg, now);
    const viewer = readViewerMessage(msg.payload);
    const balance = balanceIn(msg.payload);
    if (failure !== null) page.fail(questionId(msg.payload), failure);
    else if (viewer !== null) page.sign(viewer, now);
    else if (balance !== null && !page.take(balance, now)) otherHouse = now;
  }

  function update(): void {
    const now = wallClock();
    for (const question of page.due(now)) runner.send([null, { payload: question }]);
    const message = page.message(now);
    if (message !== null) runner.send([{ payload: message }, null]);
    runner.status(statusOf(now));
  }

  function statusOf(now: number): NodeStatus {
    const text = (key: string, words = {}): string => runner.translate(`status.${key}`, words) ?? key;
    if (now - otherHouse < lookMs * 30) return { fill: 'yellow', shape: 'ring', text: text('otherHouse') };
    const count = page.viewerCount(now);
    if (count === 0) return { ...stateStatus('stopped', runner.translate), text: text('nobody') };
    return { fill: 'green', shape: 'dot', text: text('viewers', { count }) };
  }

  let otherHouse = -Infinity;

  /** After every deploy: the ui-template may be new. */
  function begin(): void {
    runner.send([{ ui_update: { format: template } }, null]);
    page.deployed(dialogPath(RED, node.id));
    update();
  }

  RED.events.on('flows:started', begin);
  const timer = setInterval(update, lookMs);
  const endProgress = onProgress(RED.events, ({ question, done, all }) => {
    page.progress(question, done, all);
  });
  runner.onClose(() => {
    RED.events.removeListener('flows:started', begin);
    clearInterval(timer);
    endProgress();
  });
}

/** The error of a message from a Catch node. */
function failureIn({ error }: NodeMessage & { error?: unknown }, at: number): Failure | null {
  if (!isRecord(error)) return null;
  const { code, message } = error;
  return { code: typeof code === 'string' ? code : '', message: typeof message === 'string' ? message : '', at };
}

function questionId(payload: unknown): unknown {
  return isRecord(payload) ? payload['question'] : undefined;
}

/** Null if it is something else, also a payload of another version. */
function balanceIn(payload: unknown): BalancePayload | null {
  if (!isRecord(payload) || payload['kind'] !== 'balance') return null;
  try {
    const read = readPayload(payload);
    return read.kind === 'balance' ? read : null;
  } catch {
    return null;
  }
}

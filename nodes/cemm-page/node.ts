/** The page of the house: sends it to a ui-template of Dashboard 2, and asks a balance node for what its viewers look at. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Node, NodeAPI, NodeMessage, NodeStatus } from 'node-red';
import { systemClock } from '../../src/time/clock';
import { isRecord } from '../../src/checks/record';
import { wallClock } from '../lib/stored/choice';
import { onProgress } from '../lib/run/progress';
import { createRunner, type Job } from '../lib/run/runner';
import { stateStatus } from '../lib/run/status';
import { parseProperties } from '../lib/stored/stored-properties';
import { expandEnv } from '../lib/stored/typed-input';
import { dialogPath } from './dialog-path';
import { failureIn } from './failure';
import { type PageConfig, pageFields, settingsOf } from './config';
import { isOpenToVisitors } from './dashboard-settings';
import { Looks } from './looks';
import type { Failure, ViewerMessage } from './page/messages';
import { type Addressed, PageState } from './page-state';
import { readBalance } from './read-balance';
import { type Client, everyone, readClient, readViewerMessage } from './viewer-message';
import { views } from './views-check';

const otherHouseMs = 60_000;

/** The page as one text for `msg.ui_update.format`, written by the build. */
function templateText(): string {
  return readFileSync(path.join(__dirname, '..', 'cemm-page', 'page.html'), 'utf8');
}

export function startNode(
  RED: NodeAPI,
  node: Node,
  stored: Partial<PageConfig>,
  template: string = templateText(),
): void {
  const properties = parseProperties(
    { rules: pageFields, checks: { views }, expand: (text) => expandEnv(RED, node, text) },
    stored,
  );
  const { config } = properties;
  const runner = createRunner(RED, node, { properties, parallel: 1, work });
  const settings = settingsOf(config);
  const page = new PageState(settings);
  const looks = new Looks(systemClock, update);
  let otherHouse = -Infinity;
  let isOpen = false;
  let hasWarned = false;
  let hasWarnedOfBalance = false;

  function work({ msg }: Job): Promise<void> {
    if (msg !== null) read(msg);
    return Promise.resolve();
  }

  /**
   * Reads only the question of the viewer in a message of a browser. Anything else that comes in is ignored, so a circle of wires
   * ends here.
   */
  function read(msg: NodeMessage & Readonly<Record<string, unknown>>): void {
    const now = wallClock();
    const client = readClient(msg);
    const viewer = readViewerMessage(msg.payload, settings.changePrices);
    if (viewer !== null) {
      readViewer(client ?? everyone, viewer, now);
      return;
    }
    if (client !== null) return;
    const isAwaited = page.isAwaited(questionId(msg.payload));
    const balance = readBalance(msg.payload);
    const failure = failureIn(msg, now) ?? (balance === null && isBalance(msg.payload) ? unreadable(now) : null);
    if (failure !== null) page.fail(questionId(msg.payload), failure);
    else if (balance !== null && !page.addBalance(balance, now)) otherHouse = now;
    if (isAwaited) looks.lookNow();
    else looks.lookSoon();
  }

  function readViewer(client: Client, message: ViewerMessage, now: number): void {
    if (page.noteSign(client, message, now)) looks.lookFor(client.address);
    else looks.lookSoon();
  }

  function unreadable(now: number): Failure {
    const message = runner.translate('warning.unreadable') ?? 'unreadable';
    if (!hasWarnedOfBalance) node.warn(message);
    hasWarnedOfBalance = true;
    return { code: 'BAD_PAYLOAD', message, at: now };
  }

  function update(): void {
    if (runner.problem() !== null) return;
    const now = wallClock();
    for (const question of page.due(now)) runner.send([null, { payload: question }]);
    for (const one of page.messages(now)) runner.send([messageOf(one), null]);
    runner.status(statusOf(now));
  }

  function statusOf(now: number): NodeStatus {
    const text = (key: string, words = {}): string => runner.translate(`status.${key}`, words) ?? key;
    if (isOpen) return { fill: 'yellow', shape: 'ring', text: text('notProtected') };
    if (now - otherHouse < otherHouseMs) return { fill: 'yellow', shape: 'ring', text: text('otherHouse') };
    const count = page.viewerCount(now);
    if (count === 0) return { ...stateStatus('stopped', runner.translate), text: text('nobody') };
    return { fill: 'green', shape: 'dot', text: text('viewers', { count }) };
  }

  /** After every deploy: the ui-template may be new. */
  function begin(): void {
    if (runner.problem() !== null) return;
    isOpen = isOpenToVisitors(RED, node.id);
    if (isOpen && !hasWarned) {
      hasWarned = true;
      node.warn(runner.translate('warning.notProtected') ?? 'notProtected');
    }
    runner.send([{ ui_update: { format: template } }, null]);
    page.applyDeploy(dialogPath(RED, node.id));
    looks.lookNow();
  }

  RED.events.on('flows:started', begin);
  const endProgress = onProgress(RED.events, ({ question, done, all }) => {
    page.progress(question, done, all, wallClock());
  });
  runner.onClose(() => {
    RED.events.removeListener('flows:started', begin);
    looks.close();
    endProgress();
  });
}

/** Dashboard sends a message with `_client` to that browser alone, and does not keep it. */
function messageOf({ client, message }: Addressed): NodeMessage {
  const { socket } = client;
  return { payload: message, ...(socket !== '' && { _client: { socketId: socket } }) };
}

function isBalance(payload: unknown): boolean {
  return isRecord(payload) && payload['kind'] === 'balance';
}

function questionId(payload: unknown): unknown {
  return isRecord(payload) ? payload['question'] : undefined;
}

/**
 * Owns a node's send, done, status and abort. Every message leads to exactly one `done`. Closing ends everything in flight at
 * once, except messages whose data would be lost, and nothing is sent after it. Exceptions go to `done`, never to Node-RED itself.
 */
import type { Node, NodeAPI, NodeMessage, NodeMessageInFlow, NodeStatus } from 'node-red';
import { CemmError } from '../../../src/errors';
import { languageOf, findMode } from './connection-node';
import { mostCloseMs, mostSaveMs, within } from './close-limits';
import { asCemmError, toNodeError } from './node-error';
import { createStatusLine, errorStatus } from './status';
import type { StoredProperties } from '../stored/stored-properties';
import { createTranslate, type Translate } from './translate';

const mostWaiting = 100;

type Outputs = NodeMessage | (NodeMessage | null)[];

/** One piece of work: for a message, or (msg null) a poll. */
export interface Job {
  readonly msg: NodeMessageInFlow | null;
  /** Aborted when the node closes or the job is stopped. */
  readonly signal: AbortSignal;
  /** Does nothing once the job is over or the node is closed. */
  readonly send: (outputs: Outputs) => void;
}

export interface RunnerOptions {
  /** Jobs at a time; others wait, in order. */
  readonly parallel: number;
  /** Id of the node's connection, which sets the language of statuses and errors. */
  readonly connection?: string | undefined;
  /** A property that cannot be used is reported at the start, and fails every message. */
  readonly properties?: Pick<StoredProperties<unknown>, 'problem' | 'messageProperty'>;
  work(job: Job): Promise<void>;
  /** The queue of work that may take long: one of each queue runs at a time, beside the others. Null: the usual queue. */
  queueFor?(msg: NodeMessage): string | null;
  /** True: the message is not work, but ends all running and waiting jobs of this node. */
  isStop?(msg: NodeMessage): boolean;
  /** True: the message brings data that would be lost. When the node closes, waiting ones are worked on as long as it may take. */
  isKept?(msg: NodeMessage): boolean;
  /** Status after a failed message; default: the error's status. */
  failureStatus?(error: CemmError): NodeStatus;
}

export interface PollResult {
  /** Null if the poll succeeded. */
  readonly error: CemmError | null;
  /** True if it sent a message, such as a balance that lacks one meter. */
  readonly hasSent: boolean;
}

export interface Runner {
  readonly nodeId: string;
  readonly translate: Translate;
  readonly closed: boolean;
  /** The first stored property that cannot be used; null: all can. Known once all nodes of a deploy exist. */
  problem(): CemmError | null;
  /** The stored property that takes its value from a message; null: none does. */
  messageProperty(): string | null;
  status(status: NodeStatus): void;
  /** Sends the result of a poll. */
  send(outputs: Outputs): void;
  /** Queues a poll behind the waiting messages; never rejects. */
  poll(): Promise<PollResult>;
  /** Reports a failure outside of a message to the Catch nodes, and shows the given status, or the error's status; null: none. */
  report(error: CemmError, status?: NodeStatus | null): void;
  /** Runs first when the node closes, which waits for it; `removed`: deleted or disabled, not redeployed. */
  onClose(release: (removed: boolean) => void | Promise<void>): void;
  /** Runs last when the node closes, for data that would be lost otherwise: waits for it longer than for anything else. */
  onSave(save: () => Promise<void>): void;
}

interface Task {
  readonly msg: NodeMessageInFlow | null;
  readonly send: (outputs: Outputs) => void;
  readonly done: (error: CemmError | null) => void;
  readonly abort: AbortController;
  /** Null: the usual one. */
  readonly queue: string | null;
  settled: boolean;
}

export function createRunner(RED: NodeAPI, node: Node, options: RunnerOptions): Runner {
  const language = (): string => languageOf(RED, options.connection);
  const translate = createTranslate(RED, { type: node.type, language });
  const statusLine = createStatusLine((status) => {
    node.status(status);
  });
  const waiting: Task[] = [];
  const running = new Set<Task>();
  const inFlight = new Set<Promise<void>>();
  const releases: ((removed: boolean) => void | Promise<void>)[] = [];
  const saves: (() => Promise<void>)[] = [];
  let closed = false;
  // Deferred, because the connection may be created after this node, and so may the nodes that catch the error.
  const start = setTimeout(() => {
    const problem = findProblem();
    if (problem !== null) report(problem);
    // After the first status of a node that polls.
    setImmediate(() => {
      statusLine.clear();
    });
  }, 0);

  function findProblem(): CemmError | null {
    return options.properties?.problem(findMode(RED, options.connection)) ?? null;
  }

  function report(error: CemmError, status: NodeStatus | null = errorStatus(error, translate)): void {
    if (closed) return;
    if (status !== null) statusLine.show(status);
    node.error(toNodeError(error, translate), {});
  }

  function settle(task: Task, error: CemmError | null): void {
    if (task.settled) return;
    task.settled = true;
    try {
      task.done(error);
    } catch (thrown) {
      explain(thrown);
    }
  }

  function acceptTask(task: Task): void {
    if (closed) {
      settle(task, cancelled('closed'));
    } else if (waiting.length >= mostWaiting) {
      settle(task, tooManyWaiting());
    } else {
      waiting.push(task);
      startNext();
    }
  }

  function startNext(): void {
    for (;;) {
      const next = waiting.findIndex((task) => runningLike(task) < (task.queue === null ? options.parallel : 1));
      const [task] = next < 0 ? [] : waiting.splice(next, 1);
      if (task === undefined) return;
      running.add(task);
      const promise = work(task);
      inFlight.add(promise);
      void promise.then(() => {
        inFlight.delete(promise);
        running.delete(task);
        startNext();
      });
    }
  }

  function runningLike({ queue }: Task): number {
    return [...running].filter((task) => task.queue === queue).length;
  }

  /** Never rejects. */
  async function work(task: Task): Promise<void> {
    try {
      // While the node closes, its connection may be gone already.
      const problem = closed ? null : findProblem();
      if (problem !== null) throw problem;
      await options.work({
        msg: task.msg,
        signal: task.abort.signal,
        send: (outputs) => {
          if (!closed && !task.settled) task.send(outputs);
        },
      });
      settle(task, null);
    } catch (thrown) {
      // The connection of the node may have closed before it.
      settle(task, closed ? cancelled('closed') : explain(thrown));
    }
  }

  function cancelAll(reason: 'closed' | 'stopped', isCancelled: (task: Task) => boolean = () => true): void {
    for (const task of [...running, ...waiting].filter(isCancelled)) {
      if (waiting.includes(task)) waiting.splice(waiting.indexOf(task), 1);
      task.abort.abort();
      settle(task, cancelled(reason));
    }
  }

  async function finishAll(): Promise<void> {
    while (inFlight.size > 0) await Promise.all(inFlight);
  }

  /** Writes the location of an internal fault to the debug log; the flow gets a sentence. */
  function explain(thrown: unknown): CemmError {
    if (!(thrown instanceof CemmError) && thrown instanceof Error) node.debug(`${thrown.name}\n${frames(thrown)}`);
    return asCemmError(thrown);
  }

  node.on('input', (msg, send, done) => {
    const task: Task = {
      msg,
      send,
      done: (error) => {
        if (error === null) {
          done();
        } else {
          statusLine.show(options.failureStatus?.(error) ?? errorStatus(error, translate));
          done(toNodeError(error, translate));
        }
      },
      abort: new AbortController(),
      queue: options.queueFor?.(msg) ?? null,
      settled: false,
    };
    if (options.isStop?.(msg) === true) {
      cancelAll('stopped');
      settle(task, null);
    } else {
      acceptTask(task);
    }
  });

  node.on('close', (removed: boolean, done: () => void) => {
    closed = true;
    clearTimeout(start);
    statusLine.close();
    const released = releases.map((release) => runReported(() => release(removed)));
    cancelAll('closed', ({ msg }) => msg === null || options.isKept?.(msg) !== true);
    void within(mostCloseMs, [finishAll(), ...released])
      .then(() => {
        cancelAll('closed');
        return within(mostSaveMs, saves.map(runReported));
      })
      .then(done);
  });

  async function runReported(work: () => void | Promise<void>): Promise<void> {
    try {
      await work();
    } catch (thrown) {
      // Node-RED discards exceptions of a close handler, so they are reported here.
      node.error(toNodeError(explain(thrown), translate));
    }
  }

  return {
    nodeId: node.id,
    translate,
    get closed() {
      return closed;
    },
    problem: findProblem,
    messageProperty: () => options.properties?.messageProperty(findMode(RED, options.connection)) ?? null,
    status: (status) => {
      statusLine.show(status);
    },
    send: (outputs) => {
      if (!closed) node.send(outputs);
    },
    poll: () =>
      new Promise((resolve) => {
        let hasSent = false;
        acceptTask({
          msg: null,
          send: (outputs) => {
            hasSent = true;
            node.send(outputs);
          },
          done: (error) => {
            resolve({ error, hasSent });
          },
          abort: new AbortController(),
          queue: null,
          settled: false,
        });
      }),
    report,
    onClose: (release) => {
      releases.push(release);
    },
    onSave: (save) => {
      saves.push(save);
    },
  };
}

/** The stack without the message, which may contain a URL or a key. */
function frames({ stack = '' }: Error): string {
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');
}

function cancelled(reason: 'closed' | 'stopped'): CemmError {
  return new CemmError('CANCELLED', { reason });
}

function tooManyWaiting(): CemmError {
  return new CemmError('INPUT', { reason: 'too_many_waiting', params: { count: mostWaiting } });
}

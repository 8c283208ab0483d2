/** The life of one webhook-in node: gets its path or says why not, receives, watches for missed slots, and lets go. */
import type { Node, NodeAPI } from 'node-red';
import { CemmError } from '../../src/clients/errors';
import type { ProblemPayload, WebhookPayload } from '../../src/model/payload';
import { problemPayload, type Problem } from '../../src/model/webhook-problem';
import { systemClock } from '../../src/webhook/clock';
import { MissedSlots } from '../../src/webhook/missed-slots';
import { createReceiver, type Receiver, type ReceiverOutlets } from '../../src/webhook/receiver';
import { asCemmError, toNodeError } from '../shared/node-error';
import { createSay } from '../shared/sentences';
import { createStatusLine } from '../shared/status-line';
import type { Hook, HookOwner } from './hook';
import type { Hooks } from './hooks';
import { defaultFacts, followInstallation } from './installation-facts';
import type { WebhookSettings } from './settings';
import { blockedStatus, missedStatus, receivedStatus, refusedStatus, waitingStatus } from './webhook-status';

export interface Endpoint {
  /** `removed`: the node is gone for good, not just deployed again. */
  close(removed: boolean): void;
}

export interface EndpointOptions {
  readonly RED: NodeAPI;
  readonly node: Node;
  readonly hooks: Hooks;
  readonly connection: string;
  /** @throws CemmError CONFIG */
  readonly settings: () => WebhookSettings;
}

export function openEndpoint({ RED, node, hooks, connection, settings: read }: EndpointOptions): Endpoint {
  const say = createSay(RED);
  const statusLine = createStatusLine((status) => {
    node.status(status);
  });
  let settings: WebhookSettings;
  try {
    settings = read();
  } catch (thrown) {
    block(asCemmError(thrown));
    return {
      close: () => {
        statusLine.close();
      },
    };
  }
  const isOpen = settings.proof.ways.length === 0;
  let facts = defaultFacts;
  let hook: Hook | null = null;
  let receiver: Receiver | null = null;
  let blocked = '';
  const owner: HookOwner = {
    id: node.id,
    receiver: () =>
      receiver === null
        ? null
        : (req, res) => {
            receiver?.handle(req, res);
          },
  };

  function block(error: CemmError): void {
    statusLine.show(blockedStatus(error, say));
    node.error(toNodeError(error, say));
  }

  /** Once per reason, however many deploys it lasts. */
  function blockOnce(error: CemmError): void {
    const reason = `${error.reason ?? ''} ${JSON.stringify(error.params)}`;
    if (reason === blocked) return;
    blocked = reason;
    block(error);
  }

  function look(): void {
    try {
      if (hook !== null) {
        const httpIn = hooks.httpInOn(settings.path);
        if (httpIn !== null) {
          leave(true);
          throw taken(httpIn);
        }
        hook.mount();
      } else {
        const claim = hooks.claim(settings.path, owner);
        if (claim.conflict !== null) throw taken(claim.conflict);
        hook = claim.hook;
        receive(hook);
      }
      if (hook.isShadowed) throw configError('shadowed', 'Another route takes the calls to this path first.');
      if (blocked !== '') statusLine.show(waitingStatus(isOpen, say));
      blocked = '';
    } catch (thrown) {
      blockOnce(
        thrown instanceof CemmError
          ? thrown
          : configError('layers_gone', 'This Node-RED does not let the path be opened.'),
      );
    }
  }

  function receive(claimed: Hook): void {
    const begin = (): void => {
      receiver ??= createReceiver(
        {
          proof: settings.proof,
          maxAgeMs: settings.maxAgeMs,
          monitors: settings.monitors,
          meaning: () => ({
            ...facts,
            path: settings.path,
            catalogue: new Map(),
            subject: settings.subject,
            interval: settings.expected,
          }),
        },
        claimed.state,
        outlets,
        systemClock,
      );
    };
    if (factsAreKnown) begin();
    whenFactsAreKnown = begin;
  }

  let factsAreKnown = false;
  let whenFactsAreKnown: () => void = () => undefined;
  let missed: MissedSlots | null = null;
  let oldKeyTold = false;
  let rawBodyTold = false;

  const outlets: ReceiverOutlets = {
    deliver(payload) {
      node.send([messageFor(payload), null]);
    },
    problem: tellProblem,
    seen(started, arrived) {
      missed?.saw(started, arrived);
    },
    outcome({ word, keyUsed }) {
      const now = Date.now();
      if (word === 'accepted' || word === 'duplicate') {
        statusLine.show(receivedStatus(now, facts.timezone, keyUsed, isOpen, say));
      } else statusLine.show(refusedStatus(word, now, facts.timezone, say));
      if (keyUsed === 'previous' && !oldKeyTold) {
        oldKeyTold = true;
        node.warn(say('warning.oldKey') ?? 'A monitor still signs with the previous HMAC key.');
      }
      if (word === 'raw_body_unavailable' && !rawBodyTold) {
        rawBodyTold = true;
        node.error(say('warning.rawBody') ?? 'Something in front of this node reads the bodies of requests.');
      }
    },
    fault(error) {
      node.error(toNodeError(asCemmError(error), say));
    },
  };

  function tellProblem(problem: Problem): void {
    node.send([null, messageFor(problemPayload(problem, settings.path, facts.monitor))]);
  }

  const stopFollowing = followInstallation(
    RED,
    connection,
    (told) => {
      if (told.timezone !== facts.timezone || missed === null) watchSlots(told.timezone);
      facts = told;
      factsAreKnown = true;
      whenFactsAreKnown();
    },
    (error) => {
      node.warn(toNodeError(asCemmError(error), say));
    },
  );

  function watchSlots(timezone: string): void {
    const { expected } = settings;
    if (expected === null) return;
    missed?.stop();
    missed = new MissedSlots(expected, timezone, systemClock, ({ start, end, count }) => {
      tellProblem({ reason: 'missed', count, remote: null, at: systemClock.now(), slot: { start, end } });
      statusLine.show(missedStatus(end, timezone, say));
    });
  }

  function leave(removed: boolean): void {
    receiver?.close();
    receiver = null;
    whenFactsAreKnown = () => undefined;
    if (hook !== null) hooks.release(hook, owner, removed);
    hook = null;
  }

  statusLine.show(waitingStatus(isOpen, say));
  if (settings.hasBlankAroundKey) node.warn(say('warning.blankKey') ?? 'A key has blanks around it.');
  look();
  const stopWatching = hooks.watch(look);

  return {
    close(removed) {
      stopWatching();
      stopFollowing();
      missed?.stop();
      leave(removed);
      statusLine.close();
    },
  };
}

function configError(reason: string, message: string, params: Record<string, string> = {}): CemmError {
  return new CemmError('CONFIG', message, { reason: `webhook_${reason}`, params });
}

function taken(id: string): CemmError {
  return configError('path_taken', `The path belongs to node ${id} already: choose another one.`, { id });
}

/** contract.md section 2; what a message about the whole monitor has no part for is left out. */
function messageFor(payload: WebhookPayload | ProblemPayload): {
  payload: WebhookPayload | ProblemPayload;
  topic: string;
} {
  const { monitor, kind } = payload;
  const key = payload.kind === 'webhook' ? meterOf(payload) : undefined;
  const parts = ['cemm', monitor.id ?? monitor.cemm, key, kind];
  return { payload, topic: parts.filter((part) => part !== undefined).join('/') };
}

/** The meter, where the delivery is about one. */
function meterOf({ meter, readings }: WebhookPayload): string | undefined {
  if (meter?.key !== undefined) return meter.key;
  const [first] = readings;
  return readings.every((reading) => reading.meter === first?.meter) ? first?.meter : undefined;
}

/** The messages that leave a webhook-in node. */
import type { Node, NodeAPI, NodeMessage } from 'node-red';
import { topicOf } from '../../src/model/identity';
import type { ProblemPayload, WebhookPayload } from '../../src/model/payload';
import { CemmError } from '../../src/errors';
import { type DeliveryContext, type Problem, problemPayload } from '../../src/model/delivery';
import { backgroundClock } from '../../src/clock';
import type { KeyLookup } from '../../src/webhook/keys';
import { InstallationWatch } from '../../src/webhook/missed-deliveries';
import type { InstallationPath } from '../../src/webhook/path-pattern';
import { createReceiver, type Receiver, type ReceiverCallbacks } from '../../src/webhook/receiver';
import { asCemmError } from '../lib/node-error';
import { parameterNames } from './config';
import type { WebhookRoute, WebhookRouteOwner, WebhookRoutes } from './webhook-routes';
import {
  type ConnectionInfo,
  type ConnectionInfoSource,
  defaultConnectionInfo,
  readConnectionInfo,
} from './connection-info';
import { createKeyLookup } from './key-lookup';
import { listenError } from './own-ports';
import type { WebhookSettings } from './settings';
import { type SecurityWarning, missedStatus, receivedStatus, refusedStatus, Reporter, waitingStatus } from './reporter';

/** @param parameters names of those in the path: their values are in `msg.req.params`, as behind a core `http in` */
function webhookMessage(payload: WebhookPayload | ProblemPayload, parameters: readonly string[]): NodeMessage {
  const { installation } = payload;
  const topic = topicOf(payload);
  if (installation === undefined) return { payload, topic };
  const values = installation.split('/');
  const params = Object.fromEntries(parameters.map((name, place) => [name, values[place] ?? '']));
  return Object.assign({ payload, topic }, { req: { params } });
}

// The life of one webhook-in node: gets its path or says why not, receives, watches for missed slots, and lets go.

const minuteMs = 60_000;

interface ReceiverNode {
  /** `removed`: the node is gone for good, not just deployed again. */
  close(removed: boolean): void;
}

interface ReceiverNodeOptions {
  readonly RED: NodeAPI;
  readonly node: Node;
  readonly routes: WebhookRoutes;
  /** Id of the connection node; blank = none. */
  readonly connection: string;
  readonly localHost: () => string | null;
  /** @throws CemmError CONFIG */
  readonly settings: () => WebhookSettings;
}

/** A node whose settings cannot work says so and opens nothing. */
export function openReceiverNode(options: ReceiverNodeOptions): ReceiverNode {
  const reporter = new Reporter(options.RED, options.node);
  try {
    return new OpenReceiverNode(options, options.settings(), reporter);
  } catch (thrown) {
    reporter.block(asCemmError(thrown));
    return {
      close: () => {
        reporter.close();
      },
    };
  }
}

class OpenReceiverNode implements ReceiverNode, WebhookRouteOwner {
  readonly id: string;
  readonly lookUpKeys: KeyLookup | null;
  private route: WebhookRoute | null = null;
  private current: Receiver | null = null;
  /** Null until the time zone is known: calls are answered 503 for that moment. */
  private facts: ConnectionInfo | null = null;
  /** Made of the facts with the first delivery that comes after them. */
  private meaning: DeliveryContext | null = null;
  private missed: InstallationWatch | null = null;
  /** Why there is no open path; blank where there is one. */
  private blocked = '';
  private readonly stops: (() => void)[];
  private readonly connectionInfo: ConnectionInfoSource;
  /** Empty = all. */
  private readonly allowed: Set<number>;
  private readonly parameters: readonly string[];

  constructor(
    private readonly options: ReceiverNodeOptions,
    private readonly settings: WebhookSettings,
    private readonly reporter: Reporter,
  ) {
    const { RED, node, routes, connection, localHost } = options;
    this.id = node.id;
    reporter.status(waitingStatus(this.doubt, reporter.translate));
    if (settings.hasBlankAroundKey) reporter.warnOnce('blankKey');
    if (settings.hasShortKey) reporter.warnOnce('shortKey');
    const look = (): void => {
      this.look();
    };
    this.allowed = new Set(settings.monitors);
    this.parameters = parameterNames(settings.path);
    this.lookUpKeys = createKeyLookup(RED, node, settings, (about) => {
      reporter.warnOnce(about);
    });
    this.connectionInfo = readConnectionInfo({
      RED,
      connection,
      localHost,
      update: (info) => {
        this.learn(info);
      },
      warn: (error) => {
        reporter.warn(asCemmError(error));
      },
    });
    this.stops = [
      routes.watch(look),
      () => {
        this.connectionInfo.stop();
      },
    ];
    look();
  }

  receiver(): Receiver | null {
    return this.current;
  }

  close(removed: boolean): void {
    for (const stop of this.stops) stop();
    this.missed?.stop();
    this.leave(removed);
    this.reporter.close();
  }

  private get doubt(): SecurityWarning {
    if (this.settings.authenticator.methods.length === 0) return 'open';
    return this.settings.sharesKey ? 'sharedKey' : null;
  }

  private get timezone(): string {
    return (this.facts ?? defaultConnectionInfo).timezone;
  }

  /** At the start and after every deploy: is the path ours and in place? */
  private look(): void {
    try {
      this.takePath();
      if (this.blocked !== '') this.reporter.status(waitingStatus(this.doubt, this.reporter.translate));
      this.blocked = '';
    } catch (thrown) {
      const error = thrown instanceof CemmError ? thrown : configError('layers_gone', 'The path cannot be opened.');
      const reason = `${error.reason ?? ''} ${JSON.stringify(error.params)}`;
      // Once per reason, however many deploys it lasts.
      if (reason !== this.blocked) this.reporter.block(error);
      this.blocked = reason;
    }
  }

  private takePath(): void {
    const { routes } = this.options;
    const { listen, path } = this.settings;
    const httpIn = listen.kind === 'shared' ? routes.httpInOn(path) : null;
    if (httpIn !== null) {
      this.leave(true);
      throw taken(httpIn);
    }
    if (this.route === null) {
      const { route, conflict } = routes.claim(listen, path, this);
      if (conflict !== null) throw taken(conflict);
      this.route = route;
      this.receive();
    } else this.route.mount.put();
    const { mount } = this.route;
    if (mount.isShadowed) throw configError('shadowed', 'Another route takes the calls to this path first.');
    const closed = mount.server === null ? null : listenError(mount.server);
    if (closed !== null) throw closed;
  }

  private learn(known: ConnectionInfo): void {
    // Behind a path with parameters there are many monitors: what a connection says of its own does not hold for them.
    const facts = this.settings.pattern === null ? known : { ...defaultConnectionInfo, timezone: known.timezone };
    if (this.facts?.timezone !== facts.timezone) this.watchSlots(facts.timezone);
    this.facts = facts;
    this.meaning = null;
    this.allow(facts.monitor?.cemm);
    this.receive();
  }

  /** Where the list names monitors at all, the one of the connection is among them. */
  private allow(cemm: number | undefined): void {
    const { monitors } = this.settings;
    // While nobody knows better, who was let in stays in.
    if (monitors.size === 0 || cemm === undefined) return;
    this.allowed.clear();
    for (const number of [...monitors, cemm]) this.allowed.add(number);
  }

  /** As soon as both the path and the time zone are there. */
  private receive(): void {
    if (this.route === null || this.facts === null || this.current !== null) return;
    const { path, authenticator, maxAgeMs, subject, expected } = this.settings;
    const monitors = this.allowed;
    const own = (): DeliveryContext =>
      (this.meaning ??= { ...(this.facts ?? defaultConnectionInfo), path, subject, interval: expected });
    const contextOf = (sender: InstallationPath | null) =>
      sender === null ? own() : { ...own(), path: sender.path, installation: sender.installation };
    const rules = { authenticator, maxAgeMs, monitors, contextOf, lookUpKeys: this.lookUpKeys ?? undefined };
    this.current = createReceiver(rules, this.route.state, this.callbacks(), backgroundClock);
    this.route.wake();
  }

  private callbacks(): ReceiverCallbacks {
    const { node } = this.options;
    const { reporter } = this;
    return {
      deliver: (payload) => {
        node.send([webhookMessage(payload, this.parameters), null]);
        // The delivery is out; the next one may know more.
        if (this.settings.pattern === null && this.hasUnknownKey(payload)) this.connectionInfo.refresh();
      },
      problem: (problem) => {
        this.tell(problem);
      },
      seen: (started, arrived, installation) => {
        this.missed?.recordDelivery(started, arrived, installation);
      },
      outcome: ({ word, keyUsed }) => {
        const now = backgroundClock.now();
        const isGood = word === 'accepted' || word === 'duplicate';
        // The words tell the minute.
        reporter.statusOfCall(`${isGood ? keyUsed : word} ${Math.floor(now / minuteMs)}`, () =>
          isGood
            ? receivedStatus(now, this.timezone, keyUsed, this.doubt, reporter.translate)
            : refusedStatus(word, now, this.timezone, reporter.translate),
        );
        if (keyUsed === 'previous') reporter.warnOnce('oldKey');
        if (word === 'raw_body_unavailable') reporter.warnOnce('rawBody');
      },
      fault(error) {
        reporter.fail(asCemmError(error));
      },
    };
  }

  private hasUnknownKey({ readings }: WebhookPayload): boolean {
    const catalogue = this.facts?.catalogue ?? defaultConnectionInfo.catalogue;
    return readings.some(({ meter, channel }) => catalogue.get(meter)?.channels.has(channel) !== true);
  }

  private tell(problem: Problem): void {
    const monitor = this.facts?.monitor ?? null;
    this.options.node.send([
      null,
      webhookMessage(problemPayload(problem, this.settings.path, monitor), this.parameters),
    ]);
  }

  private watchSlots(timezone: string): void {
    const { expected, pattern } = this.settings;
    if (expected === null) return;
    this.missed?.stop();
    const isFleet = pattern !== null;
    this.missed = new InstallationWatch(
      expected,
      timezone,
      isFleet,
      backgroundClock,
      ({ start, end, count }, installation) => {
        const named = installation === null ? {} : { installation };
        this.tell({ reason: 'missed', count, remote: null, at: backgroundClock.now(), slot: { start, end }, ...named });
        this.reporter.status(missedStatus(end, timezone, this.reporter.translate));
      },
    );
  }

  private leave(removed: boolean): void {
    this.current?.close();
    this.current = null;
    if (this.route !== null) this.options.routes.release(this.route, this, removed);
    this.route = null;
  }
}

function configError(reason: string, message: string, params: Record<string, string> = {}): CemmError {
  return new CemmError('CONFIG', message, { reason: `webhook_${reason}`, params });
}

function taken(id: string): CemmError {
  return configError('path_taken', `The path belongs to node ${id} already: choose another one.`, { id });
}

/** The messages that leave a webhook-in node. */
import type { Node, NodeAPI, NodeMessage } from 'node-red';
import { topicOf } from '../../src/model/identity';
import type { ProblemPayload, WebhookPayload } from '../../src/model/payload';
import { CemmError } from '../../src/errors';
import { type DeliveryMeaning, type Problem, problemPayload } from '../../src/model/delivery';
import { backgroundClock } from '../../src/clock';
import type { FindKeys } from '../../src/webhook/keys';
import { InstallationSlots } from '../../src/webhook/missed-deliveries';
import type { PathSender } from '../../src/webhook/path-pattern';
import { createReceiver, type Receiver, type ReceiverOutlets } from '../../src/webhook/receiver';
import { asCemmError } from '../lib/node-error';
import { parameterNames } from './config';
import type { WebhookRoute, WebhookRouteOwner, WebhookRoutes } from './webhook-routes';
import { defaultFacts, type FollowedConnection, followConnection, type ConnectionFacts } from './connection-facts';
import { createKeyFinder } from './key-finder';
import { listenError } from './own-ports';
import type { WebhookSettings } from './settings';
import { type Doubt, missedStatus, receivedStatus, refusedStatus, Reporter, waitingStatus } from './reporter';

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

interface Endpoint {
  /** `removed`: the node is gone for good, not just deployed again. */
  close(removed: boolean): void;
}

interface EndpointOptions {
  readonly RED: NodeAPI;
  readonly node: Node;
  readonly hooks: WebhookRoutes;
  /** Id of the connection node; blank = none. */
  readonly connection: string;
  readonly localHost: () => string | null;
  /** @throws CemmError CONFIG */
  readonly settings: () => WebhookSettings;
}

/** A node whose settings cannot work says so and opens nothing. */
export function openEndpoint(options: EndpointOptions): Endpoint {
  const voice = new Reporter(options.RED, options.node);
  try {
    return new OpenEndpoint(options, options.settings(), voice);
  } catch (thrown) {
    voice.block(asCemmError(thrown));
    return {
      close: () => {
        voice.close();
      },
    };
  }
}

class OpenEndpoint implements Endpoint, WebhookRouteOwner {
  readonly id: string;
  readonly findKeys: FindKeys | null;
  private hook: WebhookRoute | null = null;
  private current: Receiver | null = null;
  /** Null until the time zone is known: calls are answered 503 for that moment. */
  private facts: ConnectionFacts | null = null;
  /** Made of the facts with the first delivery that comes after them. */
  private meaning: DeliveryMeaning | null = null;
  private missed: InstallationSlots | null = null;
  /** Why there is no open path; blank where there is one. */
  private blocked = '';
  private readonly stops: (() => void)[];
  private readonly followed: FollowedConnection;
  /** Empty = all. */
  private readonly allowed: Set<number>;
  private readonly parameters: readonly string[];

  constructor(
    private readonly options: EndpointOptions,
    private readonly settings: WebhookSettings,
    private readonly voice: Reporter,
  ) {
    const { RED, node, hooks, connection, localHost } = options;
    this.id = node.id;
    voice.status(waitingStatus(this.doubt, voice.translate));
    if (settings.hasBlankAroundKey) voice.warnOnce('blankKey');
    if (settings.hasShortKey) voice.warnOnce('shortKey');
    const look = (): void => {
      this.look();
    };
    this.allowed = new Set(settings.monitors);
    this.parameters = parameterNames(settings.path);
    this.findKeys = createKeyFinder(RED, node, settings, (about) => {
      voice.warnOnce(about);
    });
    this.followed = followConnection({
      RED,
      connection,
      localHost,
      tell: (facts) => {
        this.learn(facts);
      },
      complain: (error) => {
        voice.warn(asCemmError(error));
      },
    });
    this.stops = [
      hooks.watch(look),
      () => {
        this.followed.stop();
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
    this.voice.close();
  }

  private get doubt(): Doubt {
    if (this.settings.proof.ways.length === 0) return 'open';
    return this.settings.sharesKey ? 'sharedKey' : null;
  }

  private get timezone(): string {
    return (this.facts ?? defaultFacts).timezone;
  }

  /** At the start and after every deploy: is the path ours and in place? */
  private look(): void {
    try {
      this.takePath();
      if (this.blocked !== '') this.voice.status(waitingStatus(this.doubt, this.voice.translate));
      this.blocked = '';
    } catch (thrown) {
      const error = thrown instanceof CemmError ? thrown : configError('layers_gone', 'The path cannot be opened.');
      const reason = `${error.reason ?? ''} ${JSON.stringify(error.params)}`;
      // Once per reason, however many deploys it lasts.
      if (reason !== this.blocked) this.voice.block(error);
      this.blocked = reason;
    }
  }

  private takePath(): void {
    const { hooks } = this.options;
    const { listen, path } = this.settings;
    const httpIn = listen.kind === 'shared' ? hooks.httpInOn(path) : null;
    if (httpIn !== null) {
      this.leave(true);
      throw taken(httpIn);
    }
    if (this.hook === null) {
      const { hook, conflict } = hooks.claim(listen, path, this);
      if (conflict !== null) throw taken(conflict);
      this.hook = hook;
      this.receive();
    } else this.hook.mount.put();
    const { mount } = this.hook;
    if (mount.isShadowed) throw configError('shadowed', 'Another route takes the calls to this path first.');
    const closed = mount.server === null ? null : listenError(mount.server);
    if (closed !== null) throw closed;
  }

  private learn(known: ConnectionFacts): void {
    // Behind a path with parameters there are many monitors: what a connection says of its own does not hold for them.
    const facts = this.settings.pattern === null ? known : { ...defaultFacts, timezone: known.timezone };
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
    if (this.hook === null || this.facts === null || this.current !== null) return;
    const { path, proof, maxAgeMs, subject, expected } = this.settings;
    const monitors = this.allowed;
    const own = (): DeliveryMeaning =>
      (this.meaning ??= { ...(this.facts ?? defaultFacts), path, subject, interval: expected });
    const meaning = (sender: PathSender | null) =>
      sender === null ? own() : { ...own(), path: sender.path, installation: sender.installation };
    const rules = { proof, maxAgeMs, monitors, meaning, findKeys: this.findKeys ?? undefined };
    this.current = createReceiver(rules, this.hook.state, this.outlets(), backgroundClock);
    this.hook.wake();
  }

  private outlets(): ReceiverOutlets {
    const { node } = this.options;
    const { voice } = this;
    return {
      deliver: (payload) => {
        node.send([webhookMessage(payload, this.parameters), null]);
        // The delivery is out; the next one may know more.
        if (this.settings.pattern === null && this.hasUnknownKey(payload)) this.followed.refresh();
      },
      problem: (problem) => {
        this.tell(problem);
      },
      seen: (started, arrived, installation) => {
        this.missed?.saw(started, arrived, installation);
      },
      outcome: ({ word, keyUsed }) => {
        const now = backgroundClock.now();
        const isGood = word === 'accepted' || word === 'duplicate';
        // The words tell the minute.
        voice.statusOfCall(`${isGood ? keyUsed : word} ${Math.floor(now / minuteMs)}`, () =>
          isGood
            ? receivedStatus(now, this.timezone, keyUsed, this.doubt, voice.translate)
            : refusedStatus(word, now, this.timezone, voice.translate),
        );
        if (keyUsed === 'previous') voice.warnOnce('oldKey');
        if (word === 'raw_body_unavailable') voice.warnOnce('rawBody');
      },
      fault(error) {
        voice.fail(asCemmError(error));
      },
    };
  }

  private hasUnknownKey({ readings }: WebhookPayload): boolean {
    const catalogue = this.facts?.catalogue ?? defaultFacts.catalogue;
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
    this.missed = new InstallationSlots(
      expected,
      timezone,
      isFleet,
      backgroundClock,
      ({ start, end, count }, installation) => {
        const named = installation === null ? {} : { installation };
        this.tell({ reason: 'missed', count, remote: null, at: backgroundClock.now(), slot: { start, end }, ...named });
        this.voice.status(missedStatus(end, timezone, this.voice.translate));
      },
    );
  }

  private leave(removed: boolean): void {
    this.current?.close();
    this.current = null;
    if (this.hook !== null) this.options.hooks.release(this.hook, this, removed);
    this.hook = null;
  }
}

function configError(reason: string, message: string, params: Record<string, string> = {}): CemmError {
  return new CemmError('CONFIG', message, { reason: `webhook_${reason}`, params });
}

function taken(id: string): CemmError {
  return configError('path_taken', `The path belongs to node ${id} already: choose another one.`, { id });
}

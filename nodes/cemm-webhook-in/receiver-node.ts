/**
 * A running webhook-in node: gets its path or reports the reason, receives deliveries, watches for missed ones, and releases
 * the path on close.
 */
import type { Node, NodeAPI } from 'node-red';
import type { WebhookPayload } from '../../src/model/payload';
import { CemmError } from '../../src/errors';
import { type DeliveryContext, type Problem, problemPayload } from '../../src/model/delivery';
import { backgroundClock } from '../../src/time/clock';
import { DeliveryRecorder } from '../../src/report/delivery-recorder';
import type { KeyLookup } from '../../src/webhook/keys';
import { InstallationWatch } from '../../src/webhook/missed-deliveries';
import type { InstallationPath } from '../../src/webhook/path-pattern';
import { Receiver, type ReceiverCallbacks } from '../../src/webhook/receiver';
import { asCemmError } from '../lib/run/node-error';
import type { Runner } from '../lib/run/runner';
import { parameterNames } from './config';
import type { NodeRecording } from './node-recording';
import type { WebhookRoute, WebhookRouteOwner } from './routes/webhook-route';
import type { WebhookRoutes } from './routes/webhook-routes';
import { type ConnectionInfo, defaultConnectionInfo, readConnectionInfo } from './connection-info';
import type { ConnectionInfoSource } from './connection-info';
import { createKeyLookup } from './key-lookup';
import { withNodeName } from './node-names';
import { listenError } from './routes/own-ports';
import { webhookError, type WebhookSettings } from './settings';
import type { Reporter, SecurityWarning } from './reporter';
import { webhookMessage } from './webhook-message';

interface ReceiverNodeOptions {
  readonly RED: NodeAPI;
  readonly node: Node;
  readonly routes: WebhookRoutes;
  /** Id of the connection node; blank = none. */
  readonly connection: string;
  readonly localHost: () => string | null;
}

export class ReceiverNode implements WebhookRouteOwner {
  readonly id: string;
  readonly lookUpKeys: KeyLookup | null;
  readonly recording: NodeRecording;
  private route: WebhookRoute | null = null;
  private current: Receiver | null = null;
  /** Null until the time zone is known; until then requests wait. */
  private info: ConnectionInfo | null = null;
  /** Created from `info` by the next delivery. */
  private context: DeliveryContext | null = null;
  private missed: InstallationWatch | null = null;
  /** Reason of a path that is not open; blank if it is open. */
  private blockedReason = '';
  private readonly stops: (() => void)[];
  private readonly connectionInfo: ConnectionInfoSource;
  /** Empty = all. */
  private readonly allowed: Set<number>;
  private readonly parameters: readonly string[];

  constructor(
    private readonly options: ReceiverNodeOptions,
    private readonly settings: WebhookSettings,
    private readonly runner: Runner,
    private readonly reporter: Reporter,
  ) {
    const { RED, node, routes, connection, localHost } = options;
    this.id = node.id;
    reporter.showWaiting(this.securityWarning);
    if (settings.hasBlankAroundKey) reporter.warnOnce('blankKey');
    if (settings.authenticator.hasShortKey) reporter.warnOnce('shortKey');
    if (settings.sharesKey) reporter.warnOnce('sharedKey');
    this.allowed = new Set(settings.monitors);
    this.parameters = parameterNames(settings.path);
    this.recording = {
      recorder: new DeliveryRecorder(backgroundClock),
      keys: settings.keys,
      timezone: () => this.timezone,
    };
    this.lookUpKeys = createKeyLookup(RED, node, settings, (about) => {
      reporter.warnOnce(about);
    });
    this.connectionInfo = readConnectionInfo({
      RED,
      connection,
      localHost,
      update: (info) => {
        this.update(info);
      },
      warn: (error) => {
        reporter.warn(asCemmError(error));
      },
    });
    this.stops = [
      routes.watch(() => {
        this.checkPath();
      }),
      () => {
        this.connectionInfo.stop();
      },
    ];
    this.checkPath();
  }

  receiver(): Receiver | null {
    return this.current;
  }

  close(removed: boolean): void {
    this.recording.recorder.clear();
    for (const stop of this.stops) stop();
    this.missed?.stop();
    this.leaveRoute(removed);
  }

  private get securityWarning(): SecurityWarning {
    if (this.settings.authenticator.methods.length === 0) return 'open';
    return this.settings.sharesKey ? 'sharedKey' : null;
  }

  private get timezone(): string {
    return (this.info ?? defaultConnectionInfo).timezone;
  }

  /** Called at the start, after every deploy, and when the state of the port changes. */
  private checkPath(): void {
    try {
      this.takePath();
      if (this.blockedReason !== '') this.reporter.showWaiting(this.securityWarning);
      this.blockedReason = '';
    } catch (thrown) {
      const error = withNodeName(this.options.RED, thrown instanceof CemmError ? thrown : webhookError('layers_gone'));
      const reason = `${error.reason ?? ''} ${JSON.stringify(error.params)}`;
      // Reported once per reason, not at every deploy.
      if (reason !== this.blockedReason) this.reporter.block(error);
      this.blockedReason = reason;
    }
  }

  private takePath(): void {
    const { routes } = this.options;
    const { listen, path } = this.settings;
    const httpIn = listen.kind === 'shared' ? routes.httpInOn(path) : null;
    if (httpIn !== null) {
      this.leaveRoute(true);
      throw taken(httpIn);
    }
    if (this.route === null) {
      const { route, conflict } = routes.claim(listen, path, this);
      if (conflict !== null) throw taken(conflict);
      this.route = route;
      this.receive();
    } else this.route.mount.put();
    const { mount } = this.route;
    if (mount.isShadowed) throw webhookError('shadowed');
    const closed = mount.server === null ? null : listenError(mount.server);
    if (closed !== null) throw closed;
  }

  private update(known: ConnectionInfo): void {
    // A path with parameters serves many monitors; the connection knows only one of them.
    const { timezone, meters, delivered } = known;
    const info = this.settings.pattern === null ? known : { ...defaultConnectionInfo, timezone, meters, delivered };
    if (this.info?.timezone !== info.timezone) this.watchMissed(info.timezone);
    this.info = info;
    this.context = null;
    this.allow(info.monitor?.cemm);
    this.receive();
  }

  /** Adds the connection's monitor to the allowed monitors, if they are limited. */
  private allow(cemm: number | undefined): void {
    const { monitors } = this.settings;
    // While its number is unknown, the last known one stays allowed.
    if (monitors.size === 0 || cemm === undefined) return;
    this.allowed.clear();
    for (const number of [...monitors, cemm]) this.allowed.add(number);
  }

  /** Starts the receiver once the path is open and the time zone is known. */
  private receive(): void {
    if (this.route === null || this.info === null || this.current !== null) return;
    const { path, authenticator, maxAgeMs, subject, expected, sharesKey } = this.settings;
    const monitors = this.allowed;
    const ownContext = (): DeliveryContext =>
      (this.context ??= { ...(this.info ?? defaultConnectionInfo), path, subject, interval: expected });
    const contextOf = (match: InstallationPath | null) =>
      match === null ? ownContext() : { ...ownContext(), path: match.path, installation: match.installation };
    const lookUpKeys = this.lookUpKeys ?? undefined;
    const rules = { authenticator, maxAgeMs, monitors, sharesKey, contextOf, lookUpKeys };
    this.current = new Receiver(rules, this.route.state, this.callbacks(), backgroundClock);
    this.route.wake();
  }

  private callbacks(): ReceiverCallbacks {
    const { runner, reporter } = this;
    return {
      deliver: (payload) => {
        runner.send([webhookMessage(this.options.RED, payload, this.parameters), null]);
        this.info?.delivered?.note(payload);
        // Counts from the next delivery on.
        if (this.settings.pattern === null && this.hasUnknownChannel(payload)) this.connectionInfo.refresh();
      },
      problem: (problem) => {
        this.sendProblem(problem);
      },
      seen: (started, arrived, installation) => {
        this.missed?.recordDelivery(started, arrived, installation);
      },
      outcome: (outcome) => {
        const { word, keyUsed } = outcome;
        reporter.showOutcome(outcome, backgroundClock.now(), this.timezone, this.securityWarning);
        if (keyUsed === 'previous') reporter.warnOnce('oldKey');
        if (word === 'raw_body_unavailable') reporter.warnOnce('rawBody');
      },
      arrived: (delivery) => {
        this.recording.recorder.add(delivery);
      },
      fault(error) {
        reporter.fail(asCemmError(error));
      },
    };
  }

  private hasUnknownChannel({ readings }: WebhookPayload): boolean {
    const catalogue = this.info?.catalogue ?? defaultConnectionInfo.catalogue;
    return readings.some(({ meter, channel }) => catalogue.get(meter)?.channels.has(channel) !== true);
  }

  private sendProblem(problem: Problem): void {
    const monitor = this.info?.monitor ?? null;
    const payload = problemPayload(problem, this.settings.path, monitor);
    this.runner.send([null, webhookMessage(this.options.RED, payload, this.parameters)]);
  }

  private watchMissed(timezone: string): void {
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
        this.sendProblem({
          reason: 'missed',
          count,
          remote: null,
          at: backgroundClock.now(),
          slot: { start, end },
          ...named,
        });
        this.reporter.showMissed(end, timezone);
      },
    );
  }

  private leaveRoute(removed: boolean): void {
    this.current?.close();
    this.current = null;
    if (this.route !== null) this.options.routes.release(this.route, this, removed);
    this.route = null;
  }
}

function taken(id: string): CemmError {
  return webhookError('path_taken', { id });
}

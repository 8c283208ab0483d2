/**
 * Whether a call may be answered at the front of the web server instead of behind all of Node-RED's apps, which costs as much
 * as verifying it. Only where nothing on the long way would have a say: no setting that guards the addresses of flows, and no
 * layer but Node-RED's own, which leave such a call alone.
 */
import type { NodeAPI } from 'node-red';
import {
  layersAfter,
  layersBefore,
  lineageOf,
  mountPath,
  rootOf,
  stackOf,
  takesPostTo,
  type ExpressApp,
  type Handler,
  type Layer,
} from './express-layers';

/** Function names of Node-RED's own layers, each as often as it has them: one more of a name is somebody else's. */
const ofRoot = ['rawBodyCapture', 'query', 'expressInit', 'mounted_app', 'mounted_app'];
const ofNodes = ['query', 'expressInit'];
const ofEditor = [
  ...['query', 'expressInit', 'corsMiddleware', 'corsMiddleware', 'jsonParser', 'urlencodedParser', 'initialize'],
  ...['mounted_app', 'mounted_app', 'mounted_app'],
];

/** Somebody else's layer on the long way, and where its app is mounted. */
interface Rival {
  readonly layer: Layer;
  readonly mount: string;
}

export class ShortWay {
  private isGuarded = true;
  private rivals: readonly Rival[] = [];
  private apps: readonly ExpressApp[] = [];
  private layers = 0;

  /** @param front our route in the root app @param handler our route in httpNode, at the end of the long way */
  constructor(
    private readonly RED: NodeAPI,
    private readonly front: Handler,
    private readonly handler: Handler,
  ) {}

  /** Looks again at settings and layers; isOpenTo does so itself where one was added or taken out. */
  look(): void {
    try {
      this.survey();
    } catch {
      // An app whose layers cannot be seen may have any.
      this.isGuarded = true;
      this.apps = [];
    }
  }

  /** @param path of a POST that Express brought to the front: what its URL has before the query */
  isOpenTo(path: string): boolean {
    if (this.layers !== this.countLayers()) this.look();
    return !this.isGuarded && !this.rivals.some((rival) => hasASay(rival, path));
  }

  private survey(): void {
    const { settings, httpNode, httpAdmin } = this.RED;
    const root = rootOf(httpNode);
    // What nodes know as httpAdmin is mounted in the app of the editor, which is mounted in the root.
    const [ofAdminNodes, ...editors] = lineageOf(httpAdmin).filter((app) => app !== root);
    const admins = ofAdminNodes === undefined ? [] : [ofAdminNodes];
    this.isGuarded = ['httpNodeAuth', 'httpNodeMiddleware'].some((name) => Boolean(Reflect.get(settings, name)));
    this.apps = [root, httpNode, ...admins, ...editors];
    this.layers = this.countLayers();
    this.rivals = [
      ...strangersIn(root, layersAfter(root, this.front), ofRoot),
      ...editors.flatMap((app) => strangersIn(app, stackOf(app), ofEditor)),
      ...admins.flatMap((app) => strangersIn(app, stackOf(app), ofNodes)),
      ...strangersIn(httpNode, layersBefore(httpNode, this.handler), ofNodes),
    ];
  }

  private countLayers(): number {
    return this.apps.reduce((sum, app) => sum + stackOf(app).length, 0);
  }
}

function strangersIn(app: ExpressApp, layers: readonly Layer[], own: readonly string[]): Rival[] {
  const mount = mountPath(app);
  const left = [...own];
  const strangers = layers.filter(({ name = '', route }) => {
    const place = route === undefined ? left.indexOf(name) : -1;
    if (place >= 0) left.splice(place, 1);
    return place < 0;
  });
  return strangers.map((layer) => ({ layer, mount }));
}

function hasASay({ layer, mount }: Rival, path: string): boolean {
  if (path.slice(0, mount.length).toLowerCase() !== mount.toLowerCase()) return false;
  return takesPostTo(layer, path.slice(mount.length) || '/');
}

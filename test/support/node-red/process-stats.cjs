// Loaded into the Node-RED process under test (`--require`): answers the test's questions about handles, memory and routes over
// the IPC channel. It changes nothing that the package can see.

process.on('message', (question) => {
  const { id, what } = question;
  Promise.resolve()
    .then(() => answers[what]())
    .then(
      (value) => process.send({ id, value }),
      (error) => process.send({ id, error: String(error) }),
    );
});
process.channel?.unref();

function cached(pattern) {
  return require.cache[Object.keys(require.cache).find((name) => pattern.test(name))].exports;
}

function nodeRed() {
  return cached(/[\\/]node-red[\\/]lib[\\/]red\.js$/);
}

function stackOf(app) {
  if (app._router) return app._router.stack;
  try {
    return app.router.stack;
  } catch {
    // Express 4 without a route has no router yet, and its `router` property throws.
    return [];
  }
}

// Event loop delay: created by the first question about the load, because it needs its own timer.
const { monitorEventLoopDelay, performance } = require('node:perf_hooks');
let delays;
let since;

const answers = {
  // Since the previous question; the first one starts the measurement.
  load: () => {
    delays ??= monitorEventLoopDelay({ resolution: 10 });
    const now = { ms: performance.now(), cpu: process.cpuUsage() };
    const { user = 0, system = 0 } = since ? process.cpuUsage(since.cpu) : {};
    const found = {
      ms: now.ms - (since?.ms ?? now.ms),
      cpuMs: (user + system) / 1000,
      // Without the resolution, which the histogram counts as delay.
      delayP99Ms: Math.max(0, delays.percentile(99) / 1e6 - 10),
    };
    delays.enable();
    delays.reset();
    since = now;
    return found;
  },
  resources: () => process.getActiveResourcesInfo().sort(),
  cpu: () => process.cpuUsage(),
  memory: () => {
    globalThis.gc?.();
    globalThis.gc?.();
    return process.memoryUsage();
  },
  // Files of loaded modules.
  modules: () => Object.keys(require.cache),
  layers: () => {
    const { httpNode } = nodeRed();
    let root = httpNode;
    while (root.parent) root = root.parent;
    return { root: stackOf(root).length, httpNode: stackOf(httpNode).length };
  },
  // Every route that a node of this package has added to the editor's own.
  adminRoutes: () =>
    stackOf(cached(/[\\/]@node-red[\\/]runtime[\\/]lib[\\/]index\.js$/).httpAdmin)
      .filter(({ route }) => route && [route.path].flat().some((path) => String(path).startsWith('/cemm')))
      .flatMap(({ route }) => Object.keys(route.methods).map((method) => ({ method, path: String(route.path) }))),
  listeners: () => {
    const { events } = nodeRed();
    return Object.fromEntries(events.eventNames().map((name) => [String(name), events.listenerCount(name)]));
  },
};

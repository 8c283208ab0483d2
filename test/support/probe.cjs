// Loaded into the Node-RED process under test (`--require`): answers the test's questions about handles, memory and routes
// over the IPC channel. It changes nothing that the package can see.
// A test that needs a certain day (sunshine, a change of the clocks) starts the process at that moment; time goes on from there.
if (process.env.CEMM_TEST_CLOCK) {
  const RealDate = Date;
  const shift = RealDate.parse(process.env.CEMM_TEST_CLOCK) - RealDate.now();
  globalThis.Date = class Date extends RealDate {
    constructor(...parts) {
      super(...(parts.length === 0 ? [RealDate.now() + shift] : parts));
    }
    static now() {
      return RealDate.now() + shift;
    }
  };
}

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

function nodeRed() {
  const file = Object.keys(require.cache).find((name) => /[\\/]node-red[\\/]lib[\\/]red\.js$/.test(name));
  return require.cache[file].exports;
}

function stackOf(app) {
  const router = app._router ?? app.router;
  return router?.stack ?? [];
}

const answers = {
  resources: () => process.getActiveResourcesInfo().sort(),
  memory: () => {
    globalThis.gc?.();
    globalThis.gc?.();
    return process.memoryUsage();
  },
  layers: () => {
    const { httpNode } = nodeRed();
    let root = httpNode;
    while (root.parent) root = root.parent;
    return { root: stackOf(root).length, httpNode: stackOf(httpNode).length };
  },
  listeners: () => {
    const { events } = nodeRed();
    return Object.fromEntries(events.eventNames().map((name) => [String(name), events.listenerCount(name)]));
  },
};

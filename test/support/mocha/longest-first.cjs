// Shared settings of `npm run test:process`, `npm run test:browser` and the campaign node-red-5: lanes that run side by side in
// one installation of the package, because they mostly wait. The longest tests start first, so all lanes end at about the same
// time. Seconds are measured on two cores; a file without any comes first.
const { readdirSync } = require('node:fs');
const { join } = require('node:path');

const suffix = '.test.ts';
const seconds = {
  'test/process': {
    examples: 40,
    'old-pages': 35,
    'balance-messages': 30,
    secrets: 30,
    'every-meter': 25,
    discovery: 25,
    hostile: 25,
    neighbours: 25,
    remote: 20,
    library: 20,
    'kept-days': 20,
    'webhook-load': 20,
    'balance-midnight': 30,
    balance: 15,
    realtime: 15,
    'webhook-own-port': 15,
    'webhook-deploys': 15,
    'admin-routes': 15,
    words: 12,
    'for-assistants': 12,
    'connection-language': 10,
    'this-machine': 10,
    'installed-twice': 10,
    'local-series': 10,
    'odd-readings': 10,
    recorded: 10,
    public: 10,
    chart: 8,
    'discovery-subnets': 8,
    'wiring-page': 6,
    'package-size': 6,
    'webhook-guards': 6,
    'check-flow': 5,
    'webhook-roots': 5,
    'webhook-fleet': 5,
  },
  'test/browser': {
    dialogs: 146,
    'add-chart': 90,
    'add-page': 40,
    palette: 76,
    accessible: 69,
    'first-hour': 68,
    webhook: 56,
    'contract-form': 60,
    connection: 56,
    'home-assistant-app': 48,
    editor: 45,
    site: 40,
    'webhook-dialog': 27,
    language: 23,
    public: 12,
    'connection-dialog': 12,
    'import-examples': 10,
    'home-assistant': 7,
    'import-versions': 2,
  },
  'test/campaigns/long': {},
};

/** Mocha settings for the tests of these folders. */
module.exports = function longestFirst(folders, jobs) {
  const files = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((file) => file.endsWith(suffix))
      .map((file) => ({ file: join(folder, file), seconds: seconds[folder][file.slice(0, -suffix.length)] ?? 1000 })),
  );
  return {
    ...require('../installed.mocharc.json'),
    parallel: true,
    jobs,
    spec: files.sort((a, b) => b.seconds - a.seconds).map(({ file }) => file),
  };
};

// Shared settings of `npm run test:process`, `npm run test:browser` and the campaigns processes and node-red-5: lanes that run side by side in
// one installation of the package, because they mostly wait. The longest tests start first, so all lanes end at about the same
// time. Seconds are measured on two cores; a file without any comes first.
const { readdirSync } = require('node:fs');
const { join } = require('node:path');

const suffix = '.test.ts';
const seconds = {
  'test/process': {
    page: 80,
    'balance-messages': 50,
    'balance-midnight': 40,
    'priced-flows': 30,
    'dashboard-visitor': 40,
    'every-meter': 40,
    examples: 40,
    'prices-page': 40,
    'dashboard-guards': 35,
    library: 35,
    discovery: 30,
    'ordinary-user': 25,
    realtime: 25,
    'written-flows': 25,
    'old-readings': 20,
    'webhook-deploys': 20,
    'admin-routes': 15,
    'dynamic-prices': 15,
    'house-meters': 15,
    polling: 15,
    remote: 15,
    report: 15,
    secrets: 15,
    'webhook-load': 15,
    balance: 10,
    'consumption-by-type': 10,
    neighbours: 10,
    'local-series': 8,
    'webhook-recording': 8,
    'connection-language': 7,
    'installed-twice': 7,
    'prototype-names': 7,
    'webhook-roots': 7,
    'stored-properties': 6,
    'this-machine': 6,
    'package-size': 5,
    recorded: 5,
    'webhook-fleet': 5,
    'webhook-own-port': 5,
    chart: 4,
    'check-flow': 4,
    'odd-readings': 4,
    public: 4,
    'wiring-page': 4,
    'for-assistants': 3,
    words: 3,
    'discovery-subnets': 25,
  },
  'test/browser': {
    dialogs: 146,
    'house-meters': 120,
    'add-chart': 90,
    'add-page': 40,
    palette: 76,
    accessible: 69,
    'first-hour': 68,
    webhook: 56,
    'contract-form': 100,
    prices: 80,
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
  'test/campaigns/processes': {
    'kept-days': 65,
    'old-pages': 40,
    hostile: 35,
    'missing-dependency': 35,
    'package-checks': 25,
    'webhook-guards': 25,
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

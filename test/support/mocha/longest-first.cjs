// Shared settings of `npm test`, `npm run test:process`, `npm run test:browser` and the campaigns processes and node-red-5: lanes that run
// side by side in one installation of the package, because they mostly wait. The longest tests start first, so all lanes end at about
// the same time. Seconds are measured on two cores; a file without any comes first, but among unit tests, of which most take
// less than a second, last.
const { readdirSync } = require('node:fs');
const { join } = require('node:path');

const suffix = '.test.ts';
const seconds = {
  'test/flow': {
    'balance-questions': 50,
    realtime: 40,
    balance: 35,
    series: 30,
    shard: 28,
    'house-prices': 24,
    totals: 14,
    'balance-days': 12,
    lifecycle: 8,
    jobs: 5,
    page: 5,
    'bad-input': 3,
    format: 2,
    'kept-lists': 2,
  },
  'test/unit': {
    'library/connect': 25,
    'webhook/delivery-server': 25,
    'balance/bills': 19,
    'discovery/search': 17,
    'store/past-campaign': 17,
    'clients/fault-matrix': 15,
    'balance/webhook-walk': 14,
    'library/arguments': 14,
    'balance/messages': 13,
    'page/draw': 12,
    'page/webhook-walk': 11,
    'clients/in-process': 11,
    'connection/public-connection': 10,
    'repository/workflows': 9,
    'simulator/cli': 9,
  },
  'test/process': {
    page: 80,
    'balance-messages': 50,
    'balance-midnight': 40,
    'priced-flows': 30,
    'every-meter': 40,
    examples: 40,
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
    'dashboard-visitor': 40,
    'prices-page': 40,
    'dashboard-guards': 35,
    'demo-year': 15,
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
    readdirSync(folder, { recursive: true })
      .filter((file) => file.endsWith(suffix))
      .map((file) => ({ file: join(folder, file), seconds: secondsOf(folder, file.slice(0, -suffix.length)) })),
  );
  return {
    ...require('../installed.mocharc.json'),
    parallel: true,
    jobs,
    spec: files.sort((a, b) => b.seconds - a.seconds).map(({ file }) => file),
  };
};

function secondsOf(folder, name) {
  return seconds[folder][name] ?? (folder === 'test/unit' ? 1 : 1000);
}

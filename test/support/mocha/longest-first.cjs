// Shared settings of `npm test`, `npm run test:process`, `npm run test:browser` and the campaigns processes and node-red-5: lanes that run
// side by side in one installation of the package, because they mostly wait. The longest tests start first, so all lanes end at about
// the same time. Seconds are measured on two cores. A file without any comes first in a browser and in a campaign. The
// others without any take less than 20 s, and come last.
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
  },
  'test/unit': {
    'library/connect': 25,
    'webhook/delivery-server': 25,
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
  return seconds[folder]?.[name] ?? (/browser|campaigns/.test(folder) ? 1000 : 0);
}

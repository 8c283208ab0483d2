// `npm run test:process`: four lanes, as they mostly wait, in one installation of the package. What takes longest begins, so that all
// lanes end at about the same time: seconds as measured, a file without any first. `.ci/run` has another lane beside them and takes two.
const { readdirSync } = require('node:fs');

const seconds = {
  'home-assistant-history': 45,
  balance: 15,
  'balance-messages': 30,
  'balance-midnight': 18,
  chart: 8,
  'connection-language': 10,
  'this-machine': 10,
  words: 12,
  secrets: 30,
  'every-meter': 25,
  examples: 50,
  alarms: 40,
  'wiring-page': 6,
  discovery: 25,
  hostile: 25,
  remote: 20,
  library: 20,
  'npm-start': 20,
  realtime: 15,
  'webhook-load': 20,
  'webhook-own-port': 15,
  'webhook-deploys': 15,
  'admin-routes': 15,
  'installed-twice': 10,
  'local-series': 10,
  'discovery-subnets': 8,
  'odd-readings': 10,
  recorded: 10,
  'for-assistants': 12,
  'check-flow': 5,
  public: 10,
  'package-size': 6,
  neighbours: 25,
  'webhook-guards': 6,
  'webhook-roots': 5,
  'webhook-fleet': 5,
};
const suffix = '.test.ts';
const names = readdirSync('test/process')
  .filter((file) => file.endsWith(suffix))
  .map((file) => file.slice(0, -suffix.length));
const longest = (name) => seconds[name] ?? 1000;

module.exports = {
  ...require('./installed.mocharc.json'),
  parallel: true,
  jobs: 4,
  spec: names.sort((a, b) => longest(b) - longest(a)).map((name) => `test/process/${name}${suffix}`),
};

// The differences between the versions: the editor, admin routes, webhooks, redeploys, and every example.
module.exports = {
  ...require('./mocha/longest-first.cjs')(['test/process', 'test/browser', 'test/campaigns/long'], 2),
  grep: '@node-red-5',
};

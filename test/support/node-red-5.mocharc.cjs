// The differences between the versions: the editor, admin routes, webhooks, redeploys, and every example. CEMM_NODE_RED_5=most leaves
// the tests with the tag @node-red-5-daily out.
module.exports = {
  ...require('./mocha/longest-first.cjs')(
    ['test/process', 'test/browser', 'test/campaigns/processes', 'test/campaigns/long'],
    2,
  ),
  grep: process.env.CEMM_NODE_RED_5 === 'most' ? '@node-red-5(?!-daily)' : '@node-red-5',
};

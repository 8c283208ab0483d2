module.exports = require('./mocha/longest-first.cjs')(['test/campaigns/processes'], 2);

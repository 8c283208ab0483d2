module.exports = require('./mocha/longest-first.cjs')(['test/browser'], 2);

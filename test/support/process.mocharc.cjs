module.exports = require('./mocha/longest-first.cjs')(['test/process'], 4);

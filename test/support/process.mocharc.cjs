module.exports = require('./longest-first.cjs')(['test/process'], 6);

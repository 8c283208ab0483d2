module.exports = require('./longest-first.cjs')(['test/browser'], 2);

// Process tests mostly wait; unit tests use the processors meanwhile.
module.exports = require('./mocha/longest-first.cjs')(['test/process', 'test/flow', 'test/unit'], 6);

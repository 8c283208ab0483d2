// Loads TypeScript for the measurement of coverage (`--require`, instead of tsx). The compiler's output differs from the source
// only by its types, while a bundler's helper functions would count as branches of every file.
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const ts = require('typescript');

const compilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.CommonJS,
  esModuleInterop: true,
  inlineSourceMap: true,
  inlineSources: true,
};

require.extensions['.ts'] = (module, fileName) => {
  const { outputText } = ts.transpileModule(readFileSync(fileName, 'utf8'), { fileName, compilerOptions });
  module._compile(outputText, fileName);
};

// Programs started by a test load TypeScript in other ways, so their report would not match the text. The variable itself must
// stay, because Node keeps source maps only if it is set. Tests run only in mocha's workers.
if (process.env.NODE_V8_COVERAGE && process.env.MOCHA_WORKER_ID !== undefined) {
  process.env.NODE_V8_COVERAGE = join(process.env.NODE_V8_COVERAGE, 'of-others');
  // A worker gets a signal when it takes more than a second to end. On a busy machine writing the coverage takes longer.
  process.on('SIGTERM', () => process.exit());
}

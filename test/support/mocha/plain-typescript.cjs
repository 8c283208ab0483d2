// Loads TypeScript for the measurement of coverage (`--require`, instead of tsx): what the compiler emits differs from the
// source by its types alone, while a bundler's helper functions would be counted as branches of every file.
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

// Programs that a test starts load TypeScript by other means: their report would be laid over another text. The variable itself
// must stay, because Node keeps source maps only where it is set. Tests run in the workers of mocha alone.
if (process.env.NODE_V8_COVERAGE && process.env.MOCHA_WORKER_ID !== undefined) {
  process.env.NODE_V8_COVERAGE = join(process.env.NODE_V8_COVERAGE, 'of-others');
  // A worker gets a signal when it takes more than a second to end. On a busy machine it writes what it measured for longer.
  process.on('SIGTERM', () => process.exit());
}

// Makes the exports of TypeScript files plain properties (`--require`, after tsx), as in what the compiler writes and in the package. tsx
// writes a getter for each of them, which every use of an import calls: a quarter of the processor time of the simulator.
// Others would not see a later value of an exported variable, so eslint.config.mjs refuses `export let`.
const load = require.extensions['.ts'];

require.extensions['.ts'] = (module, fileName) => {
  load(module, fileName);
  const { exports } = module;
  if (!exports.__esModule) return;
  const plain = Object.defineProperty({}, '__esModule', { value: true });
  module.exports = Object.assign(plain, exports);
};

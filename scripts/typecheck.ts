/** `npm run typecheck`: the errors of the compiler in all TypeScript, and the faults of dialogs and catalogues, all of them at once. */
import path from 'node:path';
import { typeCheck } from './build/compile';
import { findTextFaults } from './build/text-faults';

const root = path.resolve(__dirname, '..');

void Promise.all(['tsconfig.json', 'tsconfig.editor.json'].map((config) => typeCheck(root, config))).then(
  (problems) => {
    const all = [...problems, findTextFaults(root)].join('');
    process.stderr.write(all);
    process.exitCode = all === '' ? 0 : 1;
  },
);

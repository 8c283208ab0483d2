// The arrows of the architecture: the allowed imports between the rooms of src/ and nodes/. Everything not listed is refused. A
// room may always import itself; npm packages are decided in package.json, and Node's own modules are free (except below).
const rooms = {
  protocol: [],
  calendar: ['protocol'],
  model: ['protocol', 'calendar'],
  clients: ['protocol'],
  discovery: ['protocol', 'clients', 'model'],
  diagnostics: ['protocol', 'clients'],
  connection: ['protocol', 'calendar', 'model', 'clients', 'discovery', 'store'],
  webhook: ['protocol', 'calendar', 'model'],
  formats: ['protocol', 'calendar', 'model'],
  store: ['protocol'],
  balance: ['protocol', 'calendar', 'model', 'store'],
  report: ['protocol', 'calendar', 'model', 'clients', 'connection', 'diagnostics', 'webhook'],
  simulator: ['protocol', 'calendar', 'report'],
};

/** Files beside the rooms that rooms may import; no room imports any other of them. */
const sharedFiles = {
  extremes: ['balance', 'connection', 'diagnostics', 'formats', 'model', 'simulator', 'store', 'webhook'],
  'set-recent': ['balance', 'clients', 'connection', 'store'],
  errors: ['clients', 'discovery', 'diagnostics', 'connection', 'balance', 'model', 'formats', 'report', 'simulator'],
  clock: ['clients', 'discovery', 'diagnostics', 'connection', 'store', 'balance', 'webhook', 'formats', 'report'],
  'interval-timer': ['connection', 'balance'],
  pause: ['balance', 'connection', 'store'],
  limits: ['protocol', 'clients', 'diagnostics', 'connection', 'formats', 'report'],
  'date-text': ['protocol', 'calendar', 'report'],
  'meter-names': ['model', 'balance'],
  'meter-rows': ['model', 'connection', 'balance'],
  record: ['protocol', 'model', 'connection', 'store', 'balance', 'formats', 'report', 'simulator'],
  'prices-input': ['balance'],
  'contract-rows': ['balance'],
  options: ['simulator'],
  lazy: ['clients'],
};

/** Allowed imports of these files. */
const importsOfSharedFiles = {
  extremes: [],
  'set-recent': [],
  errors: ['node:module', './lazy', './missing-package', './protocol/protocol-error', './sentences'],
  clock: ['./protocol/time'],
  'interval-timer': ['./clock', './errors', './protocol/time'],
  pause: ['node:timers/promises'],
  limits: ['ipaddr.js'],
  'date-text': [],
  'meter-names': [],
  'meter-rows': ['./limits', './meter-names', './record'],
  record: [],
  'prices-input': ['./record'],
  'contract-rows': ['./date-text', './prices-input', './record'],
  closest: [],
  options: ['./closest', './errors', './record'],
  sentences: [],
  lazy: [],
  'missing-package': [],
};

const names = Object.keys(rooms);

function sharedFilesOf(room) {
  return Object.keys(sharedFiles).filter((file) => sharedFiles[file].includes(room));
}

const noNodeRed = {
  group: ['**/nodes/**', 'node-red', 'node-red/*', '@node-red/*'],
  message: 'src knows nothing of Node-RED.',
};

/**
 * @param files of the room, at one depth
 * @param up the way from them to src
 */
function rulesOf(room, files, up) {
  const refused = names.filter((other) => other !== room && !rooms[room].includes(other));
  const shared = sharedFilesOf(room);
  return {
    files: [`src/${room}/${files}`],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: refused.map((other) => `${up}${other}/*`),
              message: `src/${room} may import only: ${rooms[room].join(', ') || 'nothing of src'} (scripts/arrows.mjs).`,
            },
            {
              // A file beside the rooms, such as ../connect.
              regex: `^${up.replaceAll('.', '\\.')}(?!(?:${shared.join('|') || 'nothing'})$)[^./]+$`,
              message: `src/${room} may import only these files beside the rooms: ${shared.join(', ') || 'none'} (scripts/arrows.mjs).`,
            },
            noNodeRed,
          ],
        },
      ],
    },
  };
}

export const arrows = [
  ...names.flatMap((room) => [rulesOf(room, '*.ts', '../'), rulesOf(room, '*/*.ts', '../../')]),
  // Programs import the files beside the rooms; these may use every room.
  {
    files: ['src/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [noNodeRed],
        },
      ],
    },
  },
  ...Object.entries(importsOfSharedFiles).map(([file, allowed]) => ({
    files: [`src/${file}.ts`],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: `^(?!(?:${allowed.join('|').replaceAll('.', '\\.')})$)`,
              message: `src/${file} may import only: ${allowed.join(', ') || 'nothing'} (scripts/arrows.mjs).`,
            },
          ],
        },
      ],
    },
  })),
  {
    files: ['nodes/check-flow/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: '^(@?node-red(/|$)|.*/(node|runtime|editor)$)',
              message: 'A flow file is checked without Node-RED, by what config.ts and the checks of the dialogs say.',
            },
          ],
        },
      ],
    },
  },
  {
    files: ['nodes/cemm-*/*.ts', 'nodes/lib/*.ts'],
    ignores: ['nodes/*/editor.ts', 'nodes/*/editor-*.ts', 'nodes/cemm-*/*-check.ts', 'nodes/cemm-*/*-checks.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              // A node checks its stored properties as its dialog does.
              regex: '/lib/editor/(?!checks$|price-checks$)|^\\./editor(?!/checks$)|/check-flow/',
              allowTypeImports: true,
              message: 'Node-RED would load the code of the dialogs with the nodes.',
            },
          ],
        },
      ],
    },
  },
  {
    files: ['nodes/*/editor.ts', 'nodes/*/editor-*.ts', 'nodes/lib/editor/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: [
                '**/src/*',
                '!**/src/date-text',
                '!**/src/limits',
                '!**/src/meter-names',
                '!**/src/meter-rows',
                '!**/src/record',
                '!**/src/prices-input',
                '!**/src/model',
                '**/src/model/*',
                '!**/src/model/fields',
                '!**/src/balance',
                '**/src/balance/*',
                '!**/src/balance/prices',
                '**/src/balance/prices/*',
                '!**/src/balance/prices/zone-words',
                'node:*',
              ],
              message:
                'The editor half runs in a browser; share through config.ts, src/date-text, src/limits, src/meter-names, src/meter-rows, src/record, src/prices-input, src/model/fields and src/balance/prices/zone-words only.',
            },
          ],
        },
      ],
    },
  },
];

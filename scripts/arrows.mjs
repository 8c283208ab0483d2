// The arrows of the architecture: the allowed imports between the rooms of src/ and nodes/. Everything not listed is refused. A
// room may always import itself and the basic rooms; npm packages are decided in package.json, and Node's own modules are free.
const basic = { checks: [], time: [], loading: [] };

const rooms = {
  ...basic,
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

/** The public face of the library: its files may import every room, and no room imports them. */
const publicRoom = 'library';

/** Rooms that throw errors of the package; the others say what is wrong in their own types. */
const roomsWithErrors = new Set([
  ...['checks', 'time', 'clients', 'discovery', 'diagnostics', 'connection'],
  ...['balance', 'model', 'formats', 'report', 'simulator'],
]);

/** Allowed imports of the files beside the rooms. */
const importsOfFiles = {
  errors: ['node:module', './loading/lazy', './loading/missing-package', './protocol/protocol-error', './sentences'],
  sentences: [],
};

const names = [...Object.keys(rooms), publicRoom];

function allowedFor(room) {
  return room in basic ? rooms[room] : [...Object.keys(basic), ...rooms[room]];
}

const noNodeRed = {
  group: ['**/nodes/**', 'node-red', 'node-red/*', '@node-red/*'],
  message: 'src knows nothing of Node-RED.',
};

/** A block of ESLint's configuration that refuses what the patterns match. */
function refuse(files, patterns) {
  return { files, rules: { 'no-restricted-imports': ['error', { patterns }] } };
}

/**
 * @param files of the room, at one depth
 * @param up the way from them to src
 */
function rulesOf(room, files, up) {
  const allowed = allowedFor(room);
  const refused = names.filter((other) => other !== room && !allowed.includes(other));
  const shared = roomsWithErrors.has(room) ? 'errors' : 'nothing';
  return refuse(
    [`src/${room}/${files}`],
    [
      {
        group: refused.map((other) => `${up}${other}/*`),
        message: `src/${room} may import only: ${allowed.join(', ') || 'no other room'} (scripts/arrows.mjs).`,
      },
      {
        // A file beside the rooms, such as ../connect.
        regex: `^${up.replaceAll('.', '\\.')}(?!(?:${shared})$)[^./]+$`,
        message: `src/${room} may import of the files beside the rooms: ${shared} (scripts/arrows.mjs).`,
      },
      noNodeRed,
    ],
  );
}

/** The files of src that the editor half of a node also uses. */
const browserFiles = [
  ...['checks/limits', 'checks/record', 'time/date-text', 'model/fields', 'model/meter-names', 'model/meter-rows'],
  ...['balance/prices/prices-input', 'balance/prices/zone-words'],
];

export const arrows = [
  ...Object.keys(rooms).flatMap((room) => [rulesOf(room, '*.ts', '../'), rulesOf(room, '*/*.ts', '../../')]),
  refuse(['src/*.ts', `src/${publicRoom}/*.ts`], [noNodeRed]),
  ...Object.entries(importsOfFiles).map(([file, allowed]) =>
    refuse(
      [`src/${file}.ts`],
      [
        {
          regex: `^(?!(?:${allowed.join('|').replaceAll('.', '\\.')})$)`,
          message: `src/${file} may import only: ${allowed.join(', ') || 'nothing'} (scripts/arrows.mjs).`,
        },
      ],
    ),
  ),
  refuse(
    ['nodes/check-flow/**/*.ts'],
    [
      {
        regex: '^(@?node-red(/|$)|.*/(node|runtime|editor)$)',
        message: 'A flow file is checked without Node-RED, by what config.ts and the checks of the dialogs say.',
      },
    ],
  ),
  {
    files: ['nodes/cemm-*/*.ts', 'nodes/cemm-*/routes/*.ts', 'nodes/lib/*.ts', 'nodes/lib/{stored,run}/*.ts'],
    ignores: ['nodes/*/editor.ts', 'nodes/*/editor-*.ts', 'nodes/cemm-*/*-check.ts', 'nodes/cemm-*/*-checks.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              // A node checks its stored properties as its dialog does.
              regex: '/lib/editor/(?!checks$|prices/checks$)|/dialog/|^\\./editor(?!/checks$)|/check-flow/',
              allowTypeImports: true,
              message: 'Node-RED would load the code of the dialogs with the nodes.',
            },
          ],
        },
      ],
    },
  },
  refuse(
    ['nodes/*/editor.ts', 'nodes/*/editor-*.ts', 'nodes/*/dialog/*.ts', 'nodes/lib/editor/**/*.ts'],
    [
      {
        regex: `^node:|(^|/)src/(?!(?:${browserFiles.join('|')})$)`,
        message: `The editor half runs in a browser; share through config.ts and these files of src only: ${browserFiles.join(', ')}.`,
      },
    ],
  ),
];

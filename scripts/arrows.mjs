// The arrows of the architecture: which room of src/ and nodes/ may import which. Everything not listed is refused.
// A room may always import itself; npm packages are decided in package.json, Node's own modules are free (except below).
const rooms = {
  protocol: [],
  calendar: ['protocol'],
  model: ['protocol', 'calendar'],
  clients: ['protocol'],
  discovery: ['protocol', 'clients', 'model'],
  diagnostics: ['protocol', 'clients'],
  connection: ['protocol', 'calendar', 'model', 'clients', 'discovery'],
  webhook: ['protocol', 'calendar', 'model'],
  formats: ['protocol', 'calendar', 'model'],
  balance: ['protocol', 'calendar', 'model'],
  simulator: ['protocol', 'calendar'],
};

const names = Object.keys(rooms);

const noNodeRed = {
  group: ['**/nodes/**', 'node-red', 'node-red/*', '@node-red/*'],
  message: 'src knows nothing of Node-RED.',
};

export const arrows = [
  ...names.map((room) => ({
    files: [`src/${room}/**/*.ts`],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: names
                .filter((other) => other !== room && !rooms[room].includes(other))
                .map((other) => `../${other}/*`),
              message: `src/${room} may import only: ${rooms[room].join(', ') || 'nothing of src'} (scripts/arrows.mjs).`,
            },
            noNodeRed,
          ].filter((pattern) => pattern.group.length > 0),
        },
      ],
    },
  })),
  // The files beside the rooms are what a program imports; they may use every room.
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
  {
    files: ['src/limits.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [{ regex: '^(?!ipaddr\\.js$)', message: 'The editor imports src/limits, which imports nothing.' }],
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
              group: ['**/src/**', '!**/src/limits', 'node:*'],
              message: 'The editor half runs in a browser; share through config.ts and src/limits only.',
            },
          ],
        },
      ],
    },
  },
];

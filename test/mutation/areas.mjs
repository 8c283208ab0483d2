/** The areas of mutation testing: files of `src`, and their unit tests. */
const unit = (...names) => names.map((name) => `test/unit/${name}.test.ts`);

export const areas = {
  signature: { mutate: ['src/webhook/signature.ts'], tests: unit('webhook/signature') },
  schedule: { mutate: ['src/clients/promise-schedule.ts'], tests: unit('clients/promise-schedule') },
  redaction: { mutate: ['src/clients/redaction.ts'], tests: unit('clients/redaction') },
  protocol: {
    mutate: ['src/protocol/**/*.ts'],
    tests: unit(
      ...['responses', 'datagram', 'json', 'mac', 'measurement', 'public', 'delivery', 'series', 'shape', 'time'].map(
        (name) => `protocol/${name}`,
      ),
      'webhook/delivery',
    ),
  },
  limits: {
    mutate: ['src/checks/limits.ts'],
    tests: unit(
      'calendar/parse-date',
      'clients/address',
      'clients/input',
      'connection/shard',
      'discovery/candidates',
      'editor/checks',
      'limits',
      'protocol/mac',
      'protocol/time',
    ),
  },
  calendar: {
    mutate: ['src/calendar/**/*.ts'],
    tests: unit(
      'calendar/parse-date',
      'calendar/periods',
      'calendar/slots',
      'calendar/weeks',
      'calendar/calendar-error',
    ),
  },
};

/** The area of this process. */
export const area = areas[process.env.CEMM_MUTATION_AREA];

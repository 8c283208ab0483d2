/** Every endpoint against a server with each fault, and the error that follows. */
import should from 'should';
import type { ErrorCode } from '../../../src/errors';
import {
  type Act,
  answer,
  disguises,
  type FaultCase,
  expectedCode,
  faults,
  head,
  json,
  sendBytes,
  sendAndReset,
  startFaultServer,
} from '../../support/network/fault-server';
import { faultTitle } from '../../support/mocha/fault-title';
import { apiKey, askOptions } from '../../support/clients/harness';
import {
  codeFor,
  endpointOf,
  local,
  longMs,
  meet,
  publicSide,
  remote,
  shortMs,
} from '../../support/clients/fault-sides';

/** Far above every deadline of these tests. */
const hangs = 40_000;

/** Side → case → fault of test/faults.json. */
const shown: Readonly<Record<string, Readonly<Partial<Record<FaultCase, string>>>>> = {
  remote: {
    'HTML page': 'RA11',
    'status 204': 'RA12',
    'empty body': 'RA12',
    'truncated, without length': 'RA13',
    'reset in headers': 'RA14',
    'last chunk missing': 'RA14',
    'dripping headers': 'RA15',
    'dripping body': 'RA15',
    silence: 'RA16',
    'redirect on the same host': 'RA19',
    'gzip bomb': 'RA20',
    'endless body': 'RA20',
    'endless headers': 'RA20',
    'another shape': 'RA22',
  },
  local: {
    'HTML page called JSON': 'RA11',
    'reset in body': 'LA1',
    'redirect on the same host': 'LA5',
  },
};

/** Messages of BAD_PAYLOAD and similar codes. */
const reasons: Readonly<Partial<Record<FaultCase, string>>> = {
  'garbage instead of HTTP': 'not_http',
  'truncated, without length': 'json',
  'gzip bomb': 'compressed',
  'corrupt gzip': 'compressed',
  'gzip without saying so': 'utf8',
  'HTML page': 'html',
  'HTML page called JSON': 'html',
  'invalid UTF-8': 'utf8',
  'status 204': 'empty',
  'empty body': 'empty',
  null: 'shape',
  NaN: 'json',
  'deep nest': 'shallow_nesting',
  'another shape': 'shape',
  'endless headers': 'headers',
  'endless body': 'body',
  'huge length': 'body',
  'text after the JSON': 'json',
  'UTF-16': 'utf8',
  'a string': 'shape',
};

describe('clients against a faulty server', () => {
  for (const side of [remote, local, publicSide]) {
    describe(side.name, () => {
      for (const [fault, act] of Object.entries(faults) as [FaultCase, Act][]) {
        it(faultTitle(shown[side.name]?.[fault], `${fault}: the right error at every endpoint`), async () => {
          const deadlineMs = expectedCode(fault) === 'DEADLINE' ? shortMs : longMs;
          const met = await Promise.all(
            side.endpoints.map(async (endpoint) => ({ endpoint, ...(await meet(side, endpoint, act, deadlineMs)) })),
          );
          for (const { endpoint, error } of met) {
            should(error.code).equal(codeFor(side, endpoint, fault), `${endpoint.name}: ${error.message}`);
            should(error.endpoint).equal(endpoint.name);
            if (error.code !== 'NOT_A_MONITOR' && reasons[fault] !== undefined)
              should(error.reason).equal(reasons[fault]);
          }
        }).timeout(hangs);
      }

      it('LA8: accepts a valid response in unusual encodings', async () => {
        for (const endpoint of side.endpoints) {
          for (const [disguise, act] of Object.entries(disguises(JSON.stringify(endpoint.body)))) {
            const server = await side.serve(act, endpoint);
            const client = endpoint.open(server);
            try {
              await client.ask(askOptions()).catch((error: unknown) => {
                throw new Error(`${endpoint.name}, ${disguise}: ${String(error)}`);
              });
            } finally {
              client.close();
              await server.close();
            }
          }
        }
      });
    });
  }

  for (const side of [remote, local]) {
    describe(side.name, () => {
      it('leaves out a channel with a name that JavaScript reserves, and keeps the others', async () => {
        const endpoint = endpointOf(side, 'realtime');
        const body = '{"io_id":1,"data":{"__proto__":[1700000000000,6],"t2":[1700000000000,7]}}';
        const server = await side.serve(answer(200, body), endpoint);
        const client = endpoint.open(server);
        try {
          const { value } = (await client.ask(askOptions())) as { value: { data: Map<string, unknown> } };
          [...value.data.keys()].should.deepEqual(['t2']);
        } finally {
          client.close();
          await server.close();
        }
      });

      it('keeps the other channels when a value is not finite', async () => {
        for (const name of ['realtime', 'day']) {
          const endpoint = endpointOf(side, name);
          const pair = (value: string): string =>
            name === 'day' ? `[[1700000000000,${value}]]` : `[1700000000000,${value}]`;
          const body = `{"io_id":1,"data":{"t1":${pair('1e999')},"t2":${pair('7')}}}`;
          const server = await side.serve(answer(200, body), endpoint);
          const client = endpoint.open(server);
          try {
            const { value } = (await client.ask(askOptions())) as {
              value: Record<string, Map<string, unknown>>;
            };
            const channels = value['data'] ?? value['channels'] ?? new Map<string, unknown>();
            should(channels.get('t1')).match(
              name === 'day' ? { values: { 0: NaN } } : { value: null, flaw: 'not_finite' },
            );
            should(channels.get('t2')).match(name === 'day' ? { values: { 0: 7 } } : { value: 7, flaw: null });
          } finally {
            client.close();
            await server.close();
          }
        }
      });
    });
  }

  it('public: keeps the other entries when a value is not finite', async () => {
    const endpoint = endpointOf(publicSide, 'timeseries');
    const server = await publicSide.serve(answer(200, '{"data":[[1700000000,1e999],[1700086400,7]]}'), endpoint);
    const client = endpoint.open(server);
    try {
      should((await client.ask(askOptions())).value).match({ values: { 0: NaN, 1: 7 }, malformed: 0 });
    } finally {
      client.close();
      await server.close();
    }
  });

  it('CL1, CL5, ME8: a key that a server repeats is in no error', async () => {
    const encoded = encodeURIComponent(apiKey);
    const hex = Buffer.from(apiKey).toString('hex');
    const echoes: Act[] = [
      json({ error: apiKey }),
      json({ data: { [apiKey]: 'x', [hex]: 7 } }),
      answer(403, apiKey, { 'X-Echo': encoded }),
      answer(500, encoded, { 'Retry-After': encoded }),
      sendBytes(head(302, { Location: `http://${hex}.example/?api_key=${encoded}`, 'Content-Length': '0' })),
      sendBytes(head(302, { Location: `http://example.com/?api_key=${encoded}`, 'Content-Length': '0' })),
      answer(200, apiKey),
      sendAndReset(head(200, { 'Content-Length': '1000', 'X-Echo': encoded }), encoded),
    ];
    await Promise.all(echoes.map((act) => meet(remote, endpointOf(remote, 'day'), act)));
  });

  const remoteStatuses: [number, ErrorCode, number, string][] = [
    [400, 'UNSUPPORTED', 1, 'RA10'],
    [401, 'AUTH', 1, 'RA5'],
    [403, 'AUTH', 1, 'RA5'],
    [404, 'CONFIG', 1, 'RA10'],
    [405, 'UNSUPPORTED', 1, 'RA10'],
    [407, 'CONFIG', 1, 'RA10'],
    [408, 'UPSTREAM_TIMEOUT', 3, 'RA6'],
    [409, 'UNSUPPORTED', 1, 'RA10'],
    [412, 'ALIAS', 1, 'RA7'],
    [418, 'UNSUPPORTED', 1, 'RA10'],
    [429, 'RATE', 3, 'RA10'],
    [500, 'UPSTREAM', 3, 'RA10'],
    [501, 'UPSTREAM', 3, 'RA10'],
    [502, 'MONITOR_OFFLINE', 2, 'RA8'],
    [503, 'UPSTREAM', 3, 'RA33'],
    [504, 'UPSTREAM', 3, 'RA10'],
    [599, 'UPSTREAM', 3, 'RA10'],
    [600, 'BAD_PAYLOAD', 1, 'RA10'],
    [999, 'BAD_PAYLOAD', 1, 'RA10'],
    [205, 'BAD_PAYLOAD', 1, 'RA10'],
    [300, 'REDIRECT', 1, 'RA10'],
    [304, 'REDIRECT', 1, 'RA10'],
  ];
  for (const [status, code, requests, id] of remoteStatuses) {
    it(`${id}: remote, status ${status}: ${code} after ${requests} requests, at every endpoint`, async () => {
      const bodies = ['', '<html>sorry</html>', '{"message":"no"}'];
      await Promise.all(
        remote.endpoints.map(async (endpoint, index) => {
          const act = status === 304 ? sendBytes(head(304)) : answer(status, bodies[index % 3]);
          const { error, requests: received } = await meet(remote, endpoint, act);
          should(error.code).equal(code, error.message);
          if (status !== 205) should(error.status).equal(status);
          should(error.requests).equal(requests);
          should(received).equal(requests);
          should(error.alias).equal(endpoint.path.startsWith('p1/') ? 'p1' : null);
        }),
      );
    });
  }

  const localStatuses: [number, ErrorCode, string][] = [
    [400, 'UNSUPPORTED', 'request_refused'],
    [401, 'AUTH', 'local_access'],
    [403, 'AUTH', 'local_access'],
    [404, 'ALIAS', 'no_meter'],
    [408, 'UPSTREAM_TIMEOUT', 'status'],
    [412, 'ALIAS', 'no_meter'],
    [429, 'RATE', 'status'],
    [500, 'UPSTREAM', 'status'],
    [502, 'MONITOR_OFFLINE', 'status'],
    [503, 'UPSTREAM', 'status'],
    [202, 'BAD_PAYLOAD', 'empty'],
    [204, 'BAD_PAYLOAD', 'empty'],
  ];
  for (const [status, code, reason] of localStatuses) {
    it(`LA15: local, status ${status}: ${code} ${reason}, without a retry`, async () => {
      for (const endpoint of local.endpoints.filter(({ path }) => path.startsWith('p1/'))) {
        const { error, requests } = await meet(local, endpoint, sendBytes(head(status, { 'Content-Length': '0' })));
        should([error.code, error.reason, error.status]).eql([code, reason, status]);
        should(requests).equal(2); // the root and the request
      }
    });
  }

  /** Status, then code and reason for the list of meters and for a time series. */
  const publicStatuses: [number, readonly [ErrorCode, string], readonly [ErrorCode, string]][] = [
    [400, ['UNSUPPORTED', 'request_refused'], ['UNSUPPORTED', 'timeseries_refused']],
    [401, ['AUTH', 'local_role'], ['AUTH', 'local_role']],
    [403, ['AUTH', 'local_role'], ['AUTH', 'local_role']],
    [404, ['UNSUPPORTED', 'request_refused'], ['ALIAS', 'no_channel']],
    [408, ['UPSTREAM_TIMEOUT', 'status'], ['UPSTREAM_TIMEOUT', 'status']],
    [412, ['ALIAS', 'not_supported'], ['ALIAS', 'no_channel']],
    [422, ['UNSUPPORTED', 'request_refused'], ['UNSUPPORTED', 'timeseries_refused']],
    [429, ['RATE', 'status'], ['RATE', 'status']],
    [500, ['UPSTREAM', 'status'], ['UPSTREAM', 'status']],
    [502, ['MONITOR_OFFLINE', 'status'], ['MONITOR_OFFLINE', 'status']],
    [503, ['UPSTREAM', 'status'], ['UPSTREAM', 'status']],
    [202, ['BAD_PAYLOAD', 'empty'], ['BAD_PAYLOAD', 'empty']],
    [204, ['BAD_PAYLOAD', 'empty'], ['BAD_PAYLOAD', 'empty']],
  ];
  for (const [status, ofMeters, ofTimeseries] of publicStatuses) {
    it(`public, status ${status}: ${ofTimeseries.join(' ')}, without a retry`, async () => {
      for (const [name, [code, reason]] of [
        ['meters', ofMeters],
        ['timeseries', ofTimeseries],
      ] as const) {
        const act = sendBytes(head(status, { 'Content-Length': '0' }));
        const { error, requests } = await meet(publicSide, endpointOf(publicSide, name), act);
        should([error.code, error.reason, error.status]).eql([code, reason, status]);
        should(requests).equal(2); // the identity and the request
      }
    });
  }

  it('LA15: the status decides, for a body of any length', async () => {
    const endless = (socket: Parameters<Act>[0]): void => {
      socket.write(head(403, { 'Content-Length': '100000000' }));
      socket.write(Buffer.alloc(100_000));
    };
    should((await meet(remote, endpointOf(remote, 'realtime'), endless)).error.code).equal('AUTH');
  });

  it('RA19: the target of a redirect is reported and never requested', async () => {
    const spy = await startFaultServer(() => json({}));
    try {
      const location = `http://127.0.0.1:${spy.port}/v1/cemm/?api_key=${encodeURIComponent(apiKey)}`;
      const { error } = await meet(
        remote,
        endpointOf(remote, 'realtime'),
        sendBytes(head(302, { Location: location })),
      );
      should(error.params).eql({ host: `127.0.0.1:${spy.port}` });
      should(spy.connections).equal(0);
    } finally {
      await spy.close();
    }
  });
});

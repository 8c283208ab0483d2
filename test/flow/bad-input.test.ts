import net from 'node:net';
import http from 'node:http';
import should from 'should';
import { until } from '../support/until';
import { Flow, unload, watched, type FlowNode } from '../support/flow/flow';
import {
  endSimulators,
  key,
  localConnection,
  remoteConnection,
  remoteCredentials,
  simulate,
} from '../support/flow/simulated';
import { listenOnLoopback } from '../support/network/loopback';

function local(host: string, properties: object = {}): FlowNode {
  return { id: 'connection', type: 'cemm-connection', mode: 'local', host, ...properties };
}

function realtime(properties: object = {}): FlowNode {
  return { id: 'realtime', type: 'cemm-realtime', connection: 'connection', alias: 'p1', interval: 0, ...properties };
}

interface Refusal {
  readonly code: string;
  /** Matches the advice in the message. */
  readonly message: RegExp;
  readonly fill?: 'red' | 'yellow';
}

/** The message leads to one error at the Catch node, none at the Complete node, and a status; Node-RED keeps running. */
async function refused(flow: Flow, expected: Refusal, message: Record<string, unknown> = {}): Promise<void> {
  flow.send('realtime', message);
  const [caught] = await flow.next('errors');
  should(caught?.error?.code).equal(expected.code);
  should(caught?.error?.message).match(expected.message);
  should(caught).containEql(message);
  await until('a status', () => flow.at('statuses').some(({ status }) => status?.fill === (expected.fill ?? 'red')));
  flow.at('completed').should.have.length(0);
  flow.at('out').should.have.length(0);
  flow.at('errors').should.have.length(1);
}

describe('bad input', function () {
  this.timeout(60_000);
  const servers: net.Server[] = [];

  afterEach(async () => {
    await unload();
    await endSimulators();
    for (const server of servers.splice(0)) server.close();
  });

  async function listen(server: net.Server): Promise<number> {
    servers.push(server);
    return listenOnLoopback(server);
  }

  const settings: readonly (readonly [string, FlowNode, RegExp])[] = [
    ['LC14: no host', local(''), /“Address” in the connection is blank. Enter/],
    ['a host with a path', local('http://192.168.1.20/open-api'), /must not have a path/],
    ['a host with a password', local('http://me:secret@192.168.1.20'), /must not have a user name/],
    ['a host that is no name', local('not a host'), /“Address” is not a valid name/],
    ['a port that is none', local('192.168.1.20:99999'), /from 1 to 65535/],
    ['TD14: an unknown time zone', local('192.168.1.20', { timezone: 'Mars/Olympus' }), /IANA name/],
    ['a MAC that is none', local('192.168.1.20', { mac: '12:34' }), /12 hexadecimal digits/],
    ['a deadline too short', local('192.168.1.20', { deadline: 1 }), /5 to 60 seconds/],
    ['a variable that is not set', local('${CEMM_NO_SUCH}.local'), /CEMM_NO_SUCH is not set/],
    ['this machine itself', local('127.0.0.1'), /“The monitor runs on this machine”/],
    ['an address of the internet', local('8.8.8.8'), /not one of a local network/],
    [
      'no API key',
      { id: 'connection', type: 'cemm-connection', mode: 'remote' },
      /“Open API key” in the connection is blank. Enter/,
    ],
    [
      'RA28: a base address without a version',
      { id: 'connection', type: 'cemm-connection', mode: 'remote', baseUrl: 'https://open-api.cemm.nl/' },
      /must end in the version/,
    ],
    [
      'an unknown mode',
      { id: 'connection', type: 'cemm-connection', mode: 'guess' },
      /choose how the monitor is reached/,
    ],
  ];
  for (const [name, connection, message] of settings) {
    it(`${name}: CONFIG`, async () => {
      const flow = await Flow.load([connection, ...watched(realtime())]);
      await refused(flow, { code: 'CONFIG', message }, { keep: name });
      should(flow.at('errors')[0]?.error?.message).not.containEql('secret');
    });
  }

  it('an unknown host: NETWORK', async () => {
    const flow = await Flow.load([local('no-such-monitor.invalid'), ...watched(realtime())]);
    await refused(flow, {
      code: 'NETWORK',
      message: /(“Address” or “Service” is not known|name service)/,
      fill: 'yellow',
    });
  });

  it('a closed port: NETWORK', async () => {
    const server = net.createServer();
    const port = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    process.env['CEMM_ALLOW_LOOPBACK'] = 'true';
    const flow = await Flow.load([local(`127.0.0.1:${port}`), ...watched(realtime())]);
    await refused(flow, { code: 'NETWORK', message: /Nothing answers at this address/, fill: 'yellow' });
  });

  it('something that is not a monitor: NOT_A_MONITOR', async () => {
    process.env['CEMM_ALLOW_LOOPBACK'] = 'true';
    const port = await listen(http.createServer((_request, response) => response.end('<html>hello</html>')));
    const flow = await Flow.load([local(`127.0.0.1:${port}`), ...watched(realtime())]);
    await refused(flow, { code: 'NOT_A_MONITOR', message: /Check “Address”/ });
  });

  it('LA2: a wrong MAC: WRONG_MONITOR', async () => {
    const simulator = await simulate();
    const flow = await Flow.load([localConnection(simulator, { mac: '00:11:22:33:44:55' }), ...watched(realtime())]);
    await refused(flow, { code: 'WRONG_MONITOR', message: /00:11:22:33:44:55.*Check “Address” and “MAC address”/ });
  });

  it('RA29: an alias with a slash: CONFIG in the node, INPUT in a message', async () => {
    const simulator = await simulate();
    const sentence = /letters, digits, hyphens and underscores/;
    const stored = await Flow.load([localConnection(simulator), ...watched(realtime({ alias: 'p1/../io' }))]);
    stored.send('realtime', { asked: 1 });
    const caught = await stored.next('errors', 2);
    for (const { error } of caught) {
      should(error?.code).equal('CONFIG');
      should(error?.message).match(/“Meter” /);
      should(error?.message).match(sentence);
    }
    caught.filter((message) => message['asked'] === 1).should.have.length(1);
    stored.at('out').should.have.length(0);
    await unload();
    const named = realtime({ aliasType: 'msg', alias: 'wanted' });
    const flow = await Flow.load([localConnection(simulator), ...watched(named)]);
    await refused(flow, { code: 'INPUT', message: sentence }, { wanted: 'p1/../io' });
  });

  it('LA12: an alias that the monitor does not have: ALIAS', async () => {
    const simulator = await simulate();
    const flow = await Flow.load([localConnection(simulator), ...watched(realtime({ alias: 'mb99' }))]);
    await refused(flow, { code: 'ALIAS', message: /no meter “mb99”/ });
  });

  it('a property that the message does not have: INPUT', async () => {
    const simulator = await simulate();
    const flow = await Flow.load([
      localConnection(simulator),
      ...watched(realtime({ alias: 'wanted', aliasType: 'msg' })),
    ]);
    await refused(flow, { code: 'INPUT', message: /“Meter” has no value/ });
  });

  it('an expression that fails: INPUT', async () => {
    const simulator = await simulate();
    const flow = await Flow.load([
      localConnection(simulator),
      ...watched(realtime({ alias: '$nosuch(', aliasType: 'jsonata' })),
    ]);
    await refused(flow, { code: 'INPUT', message: /JSONata expression/ });
  });

  it('CL2: a refused key: AUTH, and nothing contains the key', async () => {
    const simulator = await simulate({ apiKey: 'another' });
    const flow = await Flow.load([remoteConnection(simulator), ...watched(realtime())], {
      credentials: remoteCredentials,
    });
    await refused(flow, { code: 'AUTH', message: /refuses the API key/ });
    JSON.stringify([flow.at('errors'), flow.at('statuses')]).should.not.containEql(key);
  });

  it('LC6: no connection, or a deleted one: CONFIG', async () => {
    const flow = await Flow.load(watched(realtime({ connection: '' })));
    await refused(flow, { code: 'CONFIG', message: /No connection is chosen/ });
    await unload();
    const other = await Flow.load(watched(realtime()));
    await refused(other, { code: 'CONFIG', message: /deleted or disabled/ });
  });

  it('shows the whole sentence in the debug sidebar where no Catch node takes the error', async () => {
    const sentence = 'No connection is chosen. Open the node, choose one and deploy.';
    const node = realtime({ connection: '' });
    const flow = await Flow.load([node, { ...node, id: 'polls', interval: 10 }]);
    flow.send('realtime');
    const shown = await until('both errors', () => flow.errorsInSidebar().length >= 2 && flow.errorsInSidebar());
    shown.should.eql([sentence, sentence]);
  });

  it('LC6: a connection deleted while its node polls: CONFIG', async () => {
    const simulator = await simulate();
    const node = realtime({ interval: 5 });
    const flow = await Flow.load([localConnection(simulator), ...watched(node)]);
    await flow.next('out');
    await flow.deploy(watched(node), 'nodes');
    const [caught] = await flow.next('errors');
    should(caught?.error?.code).equal('CONFIG');
    should(caught?.error?.message).match(/deleted or disabled/);
  });

  it('LC6: a connection that comes back with a deploy of the changed nodes alone: polled again', async () => {
    const simulator = await simulate();
    const node = realtime({ interval: 5 });
    const others = watched(node);
    const flow = await Flow.load([localConnection(simulator), ...others]);
    await flow.next('out');
    await flow.deploy(others, 'nodes');
    await flow.next('errors');
    const count = flow.at('out').length;
    await flow.deploy([localConnection(simulator), ...others], 'nodes');
    await flow.next('out', count + 1);
    flow.at('errors').should.have.length(1);
  });

  it('LC6: a connection that comes back: a node without an interval no longer shows that it is missing', async () => {
    const simulator = await simulate();
    const others = watched(realtime());
    const flow = await Flow.load([localConnection(simulator), ...others]);
    await flow.deploy(others, 'nodes');
    await until('the status', () => flow.statuses('statuses').at(-1) === 'connection is missing');
    await flow.deploy([localConnection(simulator), ...others], 'nodes');
    await until('a blank status', () => flow.statuses('statuses').at(-1) === '');
    flow.send('realtime');
    await flow.next('out');
  });

  it('a corrected node no longer shows what was wrong, before its first message', async () => {
    const simulator = await simulate();
    const flow = await Flow.load([localConnection(simulator), ...watched(realtime({ alias: 'p1/gas' }))]);
    await until('the fault', () => flow.statuses('statuses').at(-1) === 'check: Meter');
    await flow.deploy([localConnection(simulator), ...watched(realtime())], 'nodes');
    await until('a blank status', () => flow.statuses('statuses').at(-1) === '');
  });

  const polling: readonly (readonly [string, object, RegExp])[] = [
    ['an interval of 0.1', { interval: 0.1 }, /5 to 86400 seconds/],
    ['an interval that is a word', { interval: 'often' }, /5 to 86400 seconds/],
    ['TD10: an interval over a day', { interval: 3_000_000 }, /5 to 86400 seconds/],
    [
      'a poll that needs a message',
      { interval: 5, aliasType: 'msg', alias: 'wanted' },
      /“Meter” is taken from a message/,
    ],
    ['a poll without a connection', { interval: 5, connection: '' }, /No connection is chosen/],
  ];
  for (const [name, properties, message] of polling) {
    it(`${name}: CONFIG, reported once at the start`, async () => {
      const simulator = await simulate();
      const flow = await Flow.load([localConnection(simulator), ...watched(realtime(properties))]);
      const [caught] = await flow.next('errors');
      should(caught?.error?.code).equal('CONFIG');
      should(caught?.error?.message).match(message);
      await until('a red status', () => flow.at('statuses').some(({ status }) => status?.fill === 'red'));
      flow.at('out').should.have.length(0);
    });
  }

  it('uses the language of Node-RED', async () => {
    for (const [language, text] of [
      ['nl', /“Adres” in de verbinding is leeg/],
      ['de', /„Adresse“ in der Verbindung ist leer/],
      ['fr', /« Adresse » dans la connexion est vide/],
    ] as const) {
      const flow = await Flow.load([local(''), ...watched(realtime())], { language });
      await refused(flow, { code: 'CONFIG', message: text });
      await unload();
    }
  });
});

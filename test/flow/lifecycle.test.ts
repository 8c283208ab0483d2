import net from 'node:net';
import should from 'should';
import { until } from '../support/until';
import { Flow, unload, watched, type FlowNode } from '../support/flow/flow';
import { endSimulators, localConnection, simulate } from '../support/flow/simulated';
import { listenOnLoopback } from '../support/network/loopback';

function realtime(properties: object = {}): FlowNode {
  return { id: 'realtime', type: 'cemm-realtime', connection: 'connection', alias: 'p1', interval: 0, ...properties };
}

/** Resources that keep a process alive, by kind. */
function resources(): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

describe('lifecycle of the nodes', function () {
  this.timeout(240_000);
  const servers: net.Server[] = [];
  const sockets = new Set<net.Socket>();

  afterEach(async () => {
    await unload();
    await endSimulators();
    for (const socket of sockets) socket.destroy();
    for (const server of servers.splice(0)) server.close();
  });

  /** A server that accepts connections and never answers. */
  async function silence(): Promise<FlowNode> {
    process.env['CEMM_ALLOW_LOOPBACK'] = 'true';
    const server = net.createServer((socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      socket.on('error', () => undefined);
      socket.resume();
    });
    servers.push(server);
    const port = await listenOnLoopback(server);
    return { id: 'connection', type: 'cemm-connection', mode: 'local', host: `127.0.0.1:${port}` };
  }

  it('LC2: aborts a request when the node closes: one error per message, nothing sent, no open socket', async () => {
    const flow = await Flow.load([await silence(), ...watched(realtime())]);
    const node = flow.node('realtime');
    const errors: unknown[] = [];
    let completed = 0;
    const sent: unknown[] = [];
    for (let index = 0; index < 20; index += 1) {
      flow.deliver(
        'realtime',
        { index },
        (message) => sent.push(message),
        (error) => {
          if (error === undefined) completed += 1;
          else errors.push(error);
        },
      );
    }
    await until('the request', () => sockets.size > 0);
    const start = performance.now();
    await node.close(false);
    (performance.now() - start).should.be.below(1000);
    errors.should.have.length(20);
    errors.every((error) => (error as { code?: string }).code === 'CANCELLED').should.be.true();
    completed.should.equal(0);
    await until('the socket to be gone', () => sockets.size === 0);
    sent.should.eql([]);
  });

  it('RA32, LC9, OV3: refuses messages when the queue is full, and completes each message once', async () => {
    const flow = await Flow.load([await silence(), ...watched(realtime())]);
    const outcomes: number[] = [];
    const codes: unknown[] = [];
    for (let index = 0; index < 150; index += 1) {
      outcomes[index] = 0;
      flow.deliver(
        'realtime',
        { index },
        () => undefined,
        (error) => {
          outcomes[index] = (outcomes[index] ?? 0) + 1;
          codes.push((error as { code?: string } | undefined)?.code);
        },
      );
    }
    codes.should.eql(Array<string>(40).fill('INPUT'));
    await unload();
    outcomes.should.eql(Array<number>(150).fill(1));
    codes.slice(40).should.eql(Array<string>(110).fill('CANCELLED'));
  });

  it('LC10: closes everything, including the demo monitor: 200 reloads leave no handle open', async () => {
    const simulator = await simulate();
    const nodes = [localConnection(simulator), ...watched(realtime({ interval: 5 }))];
    const flow = await Flow.load(nodes);
    await flow.next('out');
    const before = resources();
    for (let round = 0; round < 200; round += 1) {
      await flow.deploy(nodes);
      // Some close in the middle of a request, some after a response.
      if (round % 20 === 0) await flow.next('out', flow.at('out').length + 1);
    }
    await flow.next('out', flow.at('out').length + 1);
    await until('the handles of before', () => {
      const now = resources();
      return ['Timeout', 'TCPSocketWrap', 'TCPServerWrap'].every((kind) => (now[kind] ?? 0) <= (before[kind] ?? 0) + 1);
    });
  });

  it('stops polling when its connection ends under it, without an error', async () => {
    const simulator = await simulate();
    const flow = await Flow.load([localConnection(simulator), ...watched(realtime({ interval: 5 }))]);
    await flow.next('out');
    const count = flow.statuses('statuses').filter((text) => text === 'connecting').length;
    await flow.node('connection').close(false);
    await until('the status', () => flow.statuses('statuses').filter((text) => text === 'connecting').length > count);
    flow.at('errors').should.have.length(0);
  });

  it('ends the demo monitor with its connection', async () => {
    const before = resources()['TCPServerWrap'] ?? 0;
    const demo = { id: 'connection', type: 'cemm-connection', mode: 'demo' };
    const flow = await Flow.load([demo, ...watched(realtime())]);
    flow.send('realtime');
    await flow.next('out');
    should(resources()['TCPServerWrap']).equal(before + 1);
    await unload();
    await until('the port to be closed', () => (resources()['TCPServerWrap'] ?? 0) === before);
  });
});

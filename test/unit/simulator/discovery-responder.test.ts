import dgram from 'node:dgram';
import should from 'should';
import { startDiscoveryResponder, type DiscoveryResponder } from '../../../src/simulator/discovery-responder';
import { startSimulator } from '../../../src/simulator/start-simulator';
import { until } from '../../support/until';

interface Asker {
  readonly port: number;
  readonly answers: readonly { readonly text: string; readonly port: number }[];
  readonly send: (bytes: Buffer | string, port: number) => Promise<void>;
  readonly close: () => void;
}

async function openAsker(): Promise<Asker> {
  const socket = dgram.createSocket('udp4');
  const answers: { text: string; port: number }[] = [];
  socket.on('message', (message, { port }) => answers.push({ text: message.toString('utf8'), port }));
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    port: socket.address().port,
    answers,
    send: (bytes, port) =>
      new Promise((resolve, reject) => {
        socket.send(bytes, port, '127.0.0.1', (error) => {
          if (error) reject(error);
          else resolve();
        });
      }),
    close: () => socket.close(),
  };
}

describe('Discovery responder', () => {
  const monitor = { mac: '00:1E:C0:85:96:CC', core: '1.25' };
  const expected = { mac: monitor.mac, version: '1.25', type: 'CEMM_basic', init_state: 1 };
  let asker: Asker;
  let responder: DiscoveryResponder | null = null;

  async function start(address: string, lines: object[] = []): Promise<DiscoveryResponder> {
    responder = await startDiscoveryResponder({
      port: 0,
      address,
      monitor: () => monitor,
      log: (line) => lines.push(line),
    });
    return responder;
  }

  beforeEach(async () => {
    asker = await openAsker();
  });

  afterEach(async () => {
    asker.close();
    await responder?.close();
    responder = null;
  });

  it('answers the ten bytes with one JSON object, to the port that asked, from its own', async () => {
    const { port } = await start('127.0.0.1');
    await asker.send(Buffer.from('63656d6d5f7175657279', 'hex'), port);
    await until('an answer', () => asker.answers.length === 1);
    const [answer] = asker.answers;
    should(answer?.port).equal(port);
    should(JSON.parse(answer?.text ?? '')).eql({ ip: '127.0.0.1', ...expected });
    Buffer.byteLength(answer?.text ?? '').should.be.below(1024);
  });

  it('ignores everything else, its own kind of answer included', async () => {
    const lines: object[] = [];
    const { port } = await start('127.0.0.1', lines);
    const ignored = [
      '',
      'cemm_quer',
      'cemm_query\n',
      'cemm_query\0',
      'CEMM_QUERY',
      JSON.stringify(expected),
      'x'.repeat(2000),
    ];
    for (const bytes of ignored) await asker.send(bytes, port);
    // Datagrams of one socket to another arrive in order on loopback: the answer to this one is the first.
    await asker.send('cemm_query', port);
    await until('an answer', () => asker.answers.length > 0);
    asker.answers.length.should.equal(1);
    lines.should.eql([{ interface: 'udp', from: `127.0.0.1:${asker.port}`, mac: monitor.mac }]);
  });

  it('names the address in the network of the asker when it listens on all', async () => {
    const { port } = await start('0.0.0.0');
    await asker.send('cemm_query', port);
    await until('an answer', () => asker.answers.length === 1);
    should(JSON.parse(asker.answers[0]?.text ?? '')).eql({ ip: '127.0.0.1', ...expected });
  });

  it('shares its port, as a second program on 9777 must', async () => {
    const first = await start('127.0.0.1');
    const second = await startDiscoveryResponder({ port: first.port, address: '127.0.0.1', monitor: () => monitor });
    second.port.should.equal(first.port);
    await second.close();
  });

  it('closes its port when it is closed', async () => {
    const { port, close } = await startDiscoveryResponder({ port: 0, address: '127.0.0.1', monitor: () => monitor });
    await close();
    const socket = dgram.createSocket('udp4');
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.bind(port, '127.0.0.1', resolve);
    });
    socket.address().port.should.equal(port);
    socket.close();
  });

  it('refuses an address that is not of this machine', async () => {
    await startDiscoveryResponder({ port: 0, address: '192.0.2.1', monitor: () => monitor }).should.be.rejectedWith({
      code: 'EADDRNOTAVAIL',
    });
  });

  it('agrees with the local root of the same simulator, and with its fault wrong-monitor', async () => {
    const simulator = await startSimulator({ localPort: 0, udpPort: 0 });
    try {
      const ask = async () => {
        const before = asker.answers.length;
        await asker.send('cemm_query', simulator.udp ?? 0);
        await until('an answer', () => asker.answers.length > before);
        const root = await fetch(`${simulator.local ?? ''}/open-api/v1/`);
        const { data } = (await root.json()) as { data: { mac: string; core: string } };
        const found = JSON.parse(asker.answers.at(-1)?.text ?? '') as { mac: string; version: string };
        should([found.mac, found.version]).eql([data.mac, data.core]);
        return found.mac;
      };
      should(await ask()).equal(simulator.monitors[0]?.mac);
      simulator.faults.add('wrong-monitor');
      should(await ask()).not.equal(simulator.monitors[0]?.mac);
    } finally {
      await simulator.close();
    }
  });
});
